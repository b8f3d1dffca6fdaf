/** Runtimes against each other, where a run has several: Node versions, or flags such as the size of the semi-spaces. */
import { groupBy } from '../../harness/model/group-by.js'
import { metrics } from '../../harness/model/metrics.js'
import { capitalise, formatInterval, formatParams } from '../../harness/model/numbers.js'
import { number, paragraph, words } from '../blocks.js'
import { isBelow } from '../findings/apart.js'

/**
 * @typedef {import('../../harness/judge/summary.js').MetricSummary} MetricSummary
 * @typedef {import('../tables.js').Table} Table
 * @typedef {import('../tables.js').Row} Row
 * @typedef {import('../blocks.js').Block} Block
 *
 * @typedef {{queue: string, runtime: string, values: Row['values']}} Place
 */

/**
 * @param {Table[]} tables  Of one scenario.
 * @returns {Block[]} for each set of parameters that was measured with several runtimes
 */
export function runtimeBlocks (tables) {
  const measured = tables.filter(({ rows }) => rows.length > 0)
  return [...groupBy(measured, ({ params }) => formatParams(params))].flatMap(([params, own]) => own.length > 1 ? compareRuntimes(own, params) : [])
}

/**
 * @param {Table[]} tables  They differ in their runtimes alone.
 * @param {string} params
 * @returns {Block[]}
 */
function compareRuntimes (tables, params) {
  // A queue or a metric may be missing with one runtime and not with another.
  const queues = [...new Set(tables.flatMap(({ rows }) => rows.map(({ queue }) => queue)))]
  const columns = [...new Map(tables.flatMap(({ columns }) => columns.map(column => [column.metric, column]))).values()]
  const ranked = queues.map(queue => tables.flatMap(table => table.rows.filter(row => row.queue === queue).map(({ values }) =>
    ({ queue, runtime: table.runtime, values: columns.map(({ metric }) => valueIn(table, values, metric)) }))))
  return [
    {
      kind: 'table',
      caption: `${['By runtime', params].filter(Boolean).join(', ')}`,
      columns: [words('queue'), words('runtime'), ...columns.map(({ title }) => number(title))],
      rows: ranked.flat().map(({ queue, runtime, values }) => ({
        cells: [{ text: queue }, { text: runtime }, ...values.map(value => value ? { text: formatInterval(value.metric), sort: value.metric.median } : { text: '-' })]
      }))
    },
    ...ranked.flatMap(places => recommend(places, columns[0].metric))
  ]
}

/**
 * @param {Table} table
 * @param {Row['values']} values
 * @param {string} name
 */
function valueIn ({ columns }, values, name) {
  const i = columns.findIndex(({ metric }) => metric === name)
  return i === -1 ? null : values[i]
}

/**
 * @param {Place[]} places  One queue, in the order in which the runtimes were asked for.
 * @param {string} metric
 */
function recommend (places, metric) {
  const measured = places.flatMap(({ queue, runtime, values: [value] }) => value ? [{ queue, runtime, metric: value.metric }] : [])
  if (measured.length < 2) return []
  const lowest = measured.reduce((best, other) => other.metric.median < best.metric.median ? other : best)
  const enough = /** @type {typeof lowest} */ (measured.find(({ metric }) => !isBelow(lowest.metric, metric)))
  const describe = (/** @type {typeof lowest} */ { runtime, metric }) => `${runtime} (${formatInterval(metric)} ${metric.unit})`
  const text = `${capitalise(metrics[metric].title)}, ${lowest.queue}: lowest with ${describe(lowest)}`
  if (enough !== lowest) return [paragraph(`${text}; the first that is not clearly higher: ${describe(enough)}.`)]
  return [paragraph(lowest === measured[0] ? `${text}.` : `${text}; all before it are clearly higher.`)]
}
