/**
 * A summary as tables, one for every scenario, parameters and runtime: what terminal, markdown and page have in common.
 */

/**
 * @typedef {import('../harness/summary.js').Summary} Summary
 * @typedef {import('../harness/summary.js').CellSummary} CellSummary
 * @typedef {import('../harness/summary.js').MetricSummary} MetricSummary
 *
 * @typedef {object} Value
 * @property {MetricSummary} metric
 * @property {number | null} ratio  To the control, where there is one and the column asks for it.
 * @property {boolean} best
 *
 * @typedef {{queue: string, isControl: boolean, values: (Value | null)[], warnings: string[]}} Row
 * @typedef {{metric: string, title: string, unit: string, ratio: boolean, wide: boolean}} Column  Wide: where there is room.
 *
 * @typedef {object} Table
 * @property {string} scenario
 * @property {string} title
 * @property {'micro' | 'http'} kind
 * @property {Record<string, number>} params
 * @property {string} runtime
 * @property {string} control
 * @property {Column[]} columns
 * @property {Row[]} rows  Best first, by the first column.
 * @property {import('../harness/summary.js').SkippedCell[]} skipped
 */

/** What a table shows, in this order, of the metrics that were measured. */
const COLUMNS = {
  micro: [
    { metric: 'nsPerOp', title: 'ns/op', ratio: true },
    { metric: 'startNsPerTimer', title: 'start ns', ratio: true },
    { metric: 'expireNsPerTimer', title: 'expire ns', ratio: true },
    { metric: 'nextExpiryNsPerCall', title: 'next expiry ns', ratio: true },
    { metric: 'advanceNsPerCall', title: 'advance ns', ratio: true },
    { metric: 'workPerOp', title: 'work/op', ratio: false },
    { metric: 'bytesPerTimer', title: 'bytes', ratio: false }
  ],
  http: [
    { metric: 'cpuMicrosPerRequest', title: 'CPU µs/request', ratio: true },
    { metric: 'requestsPerSecond', title: 'requests/s', ratio: false },
    { metric: 'latencyP50Ms', title: 'p50 ms', ratio: false, wide: true },
    { metric: 'latencyP99Ms', title: 'p99 ms', ratio: false, wide: true },
    { metric: 'latenessP99Ms', title: 'lateness p99 ms', ratio: false, wide: true },
    { metric: 'gcPauseMs', title: 'GC ms', ratio: false, wide: true }
  ]
}

/**
 * @param {Summary} summary
 * @returns {Table[]}
 */
export function tablesOf (summary) {
  const keys = [...summary.cells, ...summary.skipped].map(tableKey)
  return summary.scenarios.flatMap(scenario =>
    [...new Set(keys)].filter(key => JSON.parse(key)[0] === scenario.name).map(key => createTable(summary, scenario, key)))
}

/** @param {{scenario: string, params: Record<string, number>, runtime: string}} cell */
const tableKey = ({ scenario, params, runtime }) => JSON.stringify([scenario, params, runtime])

/**
 * @param {Summary} summary
 * @param {Summary['scenarios'][0]} scenario
 * @param {string} key
 * @returns {Table}
 */
function createTable ({ cells, skipped, settings }, { name, title, kind }, key) {
  const [, params, runtime] = JSON.parse(key)
  const own = cells.filter(cell => tableKey(cell) === key)
  const control = settings.control[kind]
  const controlCell = own.find(({ queue }) => queue === control)
  // The phases of a cycle say more than their sum, and take the room of two columns.
  const hasPhases = own.some(({ metrics }) => metrics.startNsPerTimer || metrics.nextExpiryNsPerCall)
  const columns = COLUMNS[kind]
    .filter(({ metric }) => own.some(({ metrics }) => metrics[metric]))
    .filter(({ metric }) => metric !== 'nsPerOp' || !hasPhases)
    .map(column => ({ wide: hasPhases && !column.ratio, ...column, unit: own.find(({ metrics }) => metrics[column.metric])?.metrics[column.metric].unit ?? '' }))
  const rows = own.map(cell => ({
    queue: cell.queue,
    isControl: cell === controlCell,
    values: columns.map(column => createValue(cell, column, own, controlCell)),
    warnings: cell.warnings
  }))
  rows.sort((a, b) => rank(a) - rank(b))
  return { scenario: name, title, kind, params, runtime, control, columns, rows, skipped: skipped.filter(cell => tableKey(cell) === key) }
}

/** @param {Row} row */
function rank ({ values: [first] }) {
  return first === null || first === undefined ? Infinity : first.metric.median
}

/**
 * @param {CellSummary} cell
 * @param {{metric: string, ratio: boolean}} column
 * @param {CellSummary[]} cells
 * @param {CellSummary | undefined} controlCell
 * @returns {Value | null}
 */
function createValue ({ metrics }, { metric: name, ratio }, cells, controlCell) {
  const metric = metrics[name]
  if (!metric) return null
  const medians = cells.flatMap(cell => cell.metrics[name] ? [cell.metrics[name].median] : [])
  const best = metric.better === 'lower' ? Math.min(...medians) : Math.max(...medians)
  const reference = ratio ? controlCell?.metrics[name]?.median : undefined
  return { metric, best: metric.median === best, ratio: reference === undefined ? null : metric.median / reference }
}
