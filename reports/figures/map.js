/** The cheapest queue over the two longest sweeps. */
import { tableId } from '../../harness/model/cell.js'
import { metrics } from '../../harness/model/metrics.js'
import { formatParams } from '../../harness/model/numbers.js'
import { tiesIn } from '../answers/run.js'
import { combinationsOf } from '../sweeps.js'
import { parameterTitle } from './captions.js'

/** @import { Ranking } from '../../harness/judge/rank.js' */
/** @import { Sweep } from '../sweeps.js' */
/** @import { Queues } from './captions.js' */

/**
 * A map for each combination of the other swept parameters.
 *
 * @param {Sweep} sweep
 * @param {Ranking} ranking
 * @param {Queues} queues
 */
export function cheapestMaps ({ swept, scenario, subject, runtime, cells }, { tables }, queues) {
  const [x, y, ...more] = swept
  const tableOf = new Map(tables.map(table => [tableId(table), table]))
  return combinationsOf(more).flatMap(others => {
    const fields = y[1].flatMap(yValue =>
      x[1].flatMap(xValue => {
        const own = cells.filter(({ params }) =>
          Object.entries({ ...others, [x[0]]: xValue, [y[0]]: yValue }).every(([name, value]) => params[name] === value)
        )
        const table = own.length > 0 ? tableOf.get(tableId(own[0])) : undefined
        const cell = own.find(({ queue }) => queue === table?.queues[0]?.queue)
        if (!table || !cell) return []
        const [tied, ...further] = tiesIn(table)
        return [
          {
            x: xValue,
            y: yValue,
            name: cell.queue,
            hue: queues.styleOf(cell.queue).hue,
            value: cell.metrics[table.metric].median,
            cell: queues.numberOf(cell),
            tiedWith: further.length > 0 ? `${tied} and ${further.length} more` : (tied ?? null),
            metric: table.metric
          }
        ]
      })
    )
    if (fields.length === 0) return []
    const { title, unit } = metrics[fields[0].metric]
    const winners = [...new Set(fields.map(({ name }) => name))]
    const describeWins = (/** @type {string} */ winner) => {
      const { length } = fields.filter(({ name }) => name === winner)
      return `${winner} is the cheapest in ${length} of ${fields.length} fields`
    }
    return [
      {
        kind: /** @type {const} */ ('map'),
        title: `${scenario}: the cheapest ${subject}`,
        subtitle: [formatParams(others), `Node ${runtime}`, title, 'dashes: tied with others']
          .filter(Boolean)
          .join('; '),
        description: `${winners.map(describeWins).join(', ')}.`,
        unit,
        x: { title: parameterTitle(x[0]), values: x[1] },
        y: { title: y[0], values: y[1] },
        fields
      }
    ]
  })
}
