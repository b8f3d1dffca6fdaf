/** The cheapest queue over the two longest sweeps. */
import { metrics, rankedMetrics } from '../../harness/model/metrics.js'
import { formatParams } from '../../harness/model/numbers.js'
import { rank } from '../costs.js'
import { tiedWith } from '../findings/apart.js'
import { combinationsOf } from '../sweeps.js'
import { parameterTitle } from './captions.js'

/**
 * A map for each combination of the other swept parameters.
 *
 * @param {import('../sweeps.js').Sweep} sweep
 * @param {import('./captions.js').Queues} queues
 */
export function cheapestMaps (sweep, queues) {
  const [x, y, ...more] = Object.entries(sweep.swept)
  const metric = rankedMetrics.find(name => sweep.cells.some(({ metrics }) => metrics[name]))
  if (metric === undefined) return []
  return combinationsOf(more).map(others => {
    const here = sweep.cells.filter(({ params, metrics }) => metrics[metric] && Object.entries(others).every(([name, value]) => params[name] === value))
    const fields = y[1].flatMap(yValue => x[1].flatMap(xValue => {
      const ranking = rank(here.filter(({ params }) => params[x[0]] === xValue && params[y[0]] === yValue), metric, sweep.control)
      const [best] = ranking
      if (!best) return []
      const ties = tiedWith({ ranking }).map(({ queue }) => queue)
      return [{
        x: xValue,
        y: yValue,
        name: best.queue,
        hue: queues.styleOf(best.queue).hue,
        value: best.figures.median,
        cell: queues.numberOf(best.cell),
        tiedWith: ties.length > 1 ? `${ties[0]} and ${ties.length - 1} more` : ties[0] ?? null
      }]
    }))
    const winners = [...new Set(fields.map(({ name }) => name))]
    return {
      kind: /** @type {const} */ ('map'),
      title: `${sweep.scenario}: the cheapest queue`,
      subtitle: [formatParams(others), `Node ${sweep.runtime}`, metrics[metric].title, '≈ and dashes: tied with others'].filter(Boolean).join('; '),
      description: winners.map(winner => {
        const own = fields.filter(({ name }) => name === winner)
        return `${winner} is the cheapest in ${own.length} of ${fields.length} fields`
      }).join(', ') + '.',
      unit: here[0]?.metrics[metric].unit ?? '',
      x: { title: parameterTitle(x[0]), values: x[1] },
      y: { title: y[0], values: y[1] },
      fields
    }
  })
}
