/**
 * A summary as tables, one for every scenario, parameters and runtime: what terminal, markdown and page have in common.
 */
import { growthAlong, hasPhases, isTold, linesOf, sweepsOf, timedMetricsOf } from './sweeps.js'

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
 *
 * @typedef {object} GrowthTable
 * @property {string} scenario
 * @property {string} parameter  The swept one.
 * @property {Record<string, number>} params  Swept too, and fixed here.
 * @property {string} runtime
 * @property {string[]} columns
 * @property {{queue: string, isControl: boolean, values: (import('./sweeps.js').Growth | null)[]}[]} rows  Flattest first, by the first column.
 */

/** More do not fit beside names and intervals in 80 columns. */
const MOST_EXPONENTS = 2

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
    { metric: 'gcCount', title: 'collections', ratio: false, wide: true },
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
  // Phases take the room of two columns.
  const isCrowded = hasPhases(own)
  const columns = COLUMNS[kind]
    .filter(({ metric }) => isTold(metric, own))
    .map(column => ({ wide: isCrowded && !column.ratio, ...column, unit: own.find(({ metrics }) => metrics[column.metric])?.metrics[column.metric].unit ?? '' }))
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
 * How costs grow, a table for every line along which they could be told.
 *
 * @param {Summary} summary
 * @returns {GrowthTable[]}
 */
export function growthTablesOf (summary) {
  return sweepsOf(summary).flatMap(linesOf).flatMap(line => {
    const { sweep: { scenario, kind, runtime, control }, parameter, others } = line
    const queues = [...new Set(line.cells.map(({ queue }) => queue))]
    const costs = [...timedMetricsOf(line), 'workPerOp']
    const columns = COLUMNS[kind].filter(({ metric }) => costs.includes(metric))
      .map(({ metric, title }) => ({ title, growth: queues.map(queue => growthAlong(summary, line, queue, metric)) }))
      .filter(({ growth }) => growth.some(Boolean)).slice(0, MOST_EXPONENTS)
    if (parameter === null || columns.length === 0) return []
    const rows = queues.map((queue, i) => ({ queue, isControl: queue === control, values: columns.map(({ growth }) => growth[i] ?? null) }))
      .sort((a, b) => (a.values[0]?.exponent ?? Infinity) - (b.values[0]?.exponent ?? Infinity))
    return [{ scenario, parameter, params: others, runtime, columns: columns.map(({ title }) => title), rows }]
  })
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
