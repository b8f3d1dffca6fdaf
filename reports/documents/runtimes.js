/** Runtimes against each other, where a run has several: Node versions, or flags such as the size of the semi-spaces. */
import { paragraph } from '../blocks.js'
import { capitalise, formatInterval, formatParams } from '../../harness/model/numbers.js'
import { isApart } from '../findings/intervals.js'
import { metricTitle } from '../metric-names.js'

/**
 * @typedef {import('../../harness/summary.js').MetricSummary} MetricSummary
 * @typedef {import('../tables.js').Table} Table
 * @typedef {import('../tables.js').Row} Row
 * @typedef {import('../blocks.js').Block} Block
 *
 * @typedef {{queue: string, runtime: string, values: Row['values']}} Place
 */

/**
 * @param {Table[]} tables  Of one scenario.
 * @returns {Block[]} for all parameters that were measured with several runtimes
 */
export function runtimeBlocks (tables) {
  const params = [...new Set(tables.map(({ params }) => formatParams(params)))]
  return params.flatMap(name => {
    const own = tables.filter(({ params, rows }) => formatParams(params) === name && rows.length > 0)
    return own.length > 1 ? compareRuntimes(own, name) : []
  })
}

/**
 * @param {Table[]} tables  The same but for their runtimes.
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
      columns: [{ title: 'queue', numeric: false }, { title: 'runtime', numeric: false }, ...columns.map(({ title }) => ({ title, numeric: true }))],
      rows: ranked.flat().map(({ queue, runtime, values }) => ({
        isControl: false,
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
  const least = measured.reduce((best, other) => other.metric.median < best.metric.median ? other : best)
  const enough = /** @type {typeof least} */ (measured.find(({ metric }) => !isApart(least.metric, metric)))
  const tell = (/** @type {typeof least} */ { runtime, metric }) => `${runtime} (${formatInterval(metric)} ${metric.unit})`
  const text = `${capitalise(metricTitle(metric))}, ${least.queue}: the least with ${tell(least)}`
  if (enough !== least) return [paragraph(`${text}; the first that is not shown to exceed it: ${tell(enough)}.`)]
  return [paragraph(least === measured[0] ? `${text}.` : `${text}; all that come before it are dearer.`)]
}
