/** A cost over a swept parameter, a curve for each queue. */
import { metrics } from '../../harness/model/metrics.js'
import { formatParams } from '../../harness/model/numbers.js'
import { intervalNote, parameterTitle, pointOf, ranking, subtitle } from './captions.js'

/**
 * @param {import('../sweeps.js').Line} line  Swept; every cell has the metric.
 * @param {string} metric
 * @param {import('./captions.js').Queues} queues
 */
export function costCurves ({ sweep, parameter, others, cells }, metric, queues) {
  const name = /** @type {string} */ (parameter)
  const isPositive = cells.every(({ metrics }) => metrics[metric].low > 0)
  const series = queues.names.flatMap(queue => {
    const points = cells.filter(cell => cell.queue === queue).sort((a, b) => a.params[name] - b.params[name])
      .map(cell => ({ x: cell.params[name], ...pointOf(cell, metric, queues) }))
    return points.length === 0 ? [] : [{ name: queue, control: queue === sweep.control, style: queues.styleOf(queue), points }]
  })
  const last = Math.max(...cells.map(({ params }) => params[name]))
  return {
    kind: /** @type {const} */ ('lines'),
    title: `${sweep.scenario}: ${metrics[metric].title}`,
    subtitle: subtitle(sweep, others, intervalNote(cells, metric, 'bands')),
    description: `At ${formatParams({ [name]: last })}: ${ranking(cells.filter(({ params }) => params[name] === last), metric)}.`,
    unit: cells[0].metrics[metric].unit,
    x: { title: parameterTitle(name), log: cells.every(({ params }) => params[name] > 0) },
    y: { title: metrics[metric].axis, log: isPositive },
    series
  }
}
