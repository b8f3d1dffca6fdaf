/** The cheapest queue over the two longest sweeps. */
import { tableId } from '../../harness/model/cell.js'
import { compact } from '../../harness/model/compact.js'
import { groupBy } from '../../harness/model/group-by.js'
import { metrics } from '../../harness/model/metrics.js'
import { formatParams } from '../../harness/model/numbers.js'
import { rivalsIn } from '../answers/run.js'
import { combinationsOf, isAt, parameterTitle } from '../sweeps.js'

/** @import { Ranking } from '../../harness/judge/rank.js' */
/** @import { Sweep } from '../sweeps.js' */
/** @import { MarksOf } from './index.js' */

/**
 * A map for each combination of the other swept parameters.
 *
 * @param {Sweep} sweep
 * @param {Ranking} ranking
 * @param {MarksOf} marksOf
 */
export function cheapest ({ swept, scenario, subject, runtime, cells }, { tables }, marksOf) {
  const [[xName, xValues], [yName, yValues], ...more] = swept
  const tableOf = new Map(tables.map(table => [tableId(table), table]))
  return combinationsOf(more).flatMap(others => {
    const places = groupBy(cells.filter(({ params }) => isAt(params, others)), tableId)
    const fields = [...places].flatMap(([id, own]) => {
      const table = tableOf.get(id)
      const cell = own.find(({ queue }) => queue === table?.queues[0]?.queue)
      if (!table || !cell) return []
      const [tied, ...further] = rivalsIn(table)
      return [
        {
          ...marksOf(cell),
          x: cell.params[xName],
          y: cell.params[yName],
          value: cell.metrics[table.metric].median,
          tiedWith: further.length > 0 ? `${tied} and ${further.length} more` : (tied ?? null),
          metric: table.metric
        }
      ]
    })
    if (fields.length === 0) return []
    const { title, unit } = metrics[fields[0].metric]
    return [
      {
        kind: /** @type {const} */ ('map'),
        title: `${scenario}: the cheapest ${subject}`,
        subtitle: compact(formatParams(others), `Node ${runtime}`, title, 'dashes: others may be as cheap').join('; '),
        unit,
        x: { title: parameterTitle(xName), values: xValues },
        y: { title: yName, values: yValues },
        fields
      }
    ]
  })
}
