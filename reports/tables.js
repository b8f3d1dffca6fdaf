/**
 * A summary as tables, one for each scenario, set of parameters and runtime.
 */
import { tableId } from '../harness/model/cell.js'
import { groupBy } from '../harness/model/group-by.js'
import { metrics, rankedMetrics } from '../harness/model/metrics.js'
import { growthAlong, hasPhases, isShown, linesOf, rankedMetricsOf, sweepsOf } from './sweeps.js'

/**
 * @typedef {import('../harness/summary.js').Summary} Summary
 * @typedef {import('../harness/summary.js').CellSummary} CellSummary
 * @typedef {import('../harness/summary.js').MetricSummary} MetricSummary
 *
 * @typedef {object} Value
 * @property {MetricSummary} metric
 * @property {number | null} ratio  To the control, where there is one and queues are ranked by the metric.
 * @property {boolean} best
 *
 * @typedef {{queue: string, isControl: boolean, values: (Value | null)[], warnings: string[]}} Row
 * @typedef {{metric: string, title: string, unit: string, ratio: boolean, wide: boolean}} Column  `wide`: only where there is room.
 *
 * @typedef {object} Table
 * @property {string} scenario
 * @property {string} title
 * @property {'micro' | 'http'} kind
 * @property {Record<string, number>} params
 * @property {string} runtime
 * @property {Column[]} columns
 * @property {Row[]} rows  Best first, by the first column.
 * @property {import('../harness/summary.js').SkippedCell[]} skipped
 *
 * @typedef {object} GrowthTable
 * @property {string} scenario
 * @property {string} parameter  It is swept.
 * @property {Record<string, number>} params  The others, fixed in this table.
 * @property {string} runtime
 * @property {string[]} columns
 * @property {{queue: string, isControl: boolean, values: (import('./sweeps.js').Growth | null)[]}[]} rows  Flattest first, by the first column.
 */

/** More do not fit beside names and intervals in 80 columns. */
const MOST_EXPONENTS = 2

/**
 * @param {Summary} summary
 * @returns {Table[]}
 */
export function tablesOf (summary) {
  const measured = groupBy(summary.cells, tableId)
  const skipped = groupBy(summary.skipped, tableId)
  return summary.scenarios.flatMap(scenario => [...new Set([...measured.keys(), ...skipped.keys()])].flatMap(id => {
    const [cells, missing] = [measured.get(id) ?? [], skipped.get(id) ?? []]
    const [{ scenario: name, params, runtime }] = [...cells, ...missing]
    return name === scenario.name ? [createTable(cells, missing, { scenario, params, runtime, control: summary.settings.control[scenario.kind] })] : []
  }))
}

/**
 * @param {CellSummary[]} cells
 * @param {import('../harness/summary.js').SkippedCell[]} skipped
 * @param {{scenario: Summary['scenarios'][0], params: Record<string, number>, runtime: string, control: string}} place
 * @returns {Table}
 */
function createTable (cells, skipped, { scenario: { name, title, kind }, params, runtime, control }) {
  const controlCell = cells.find(({ queue }) => queue === control)
  // Phases take the room of two columns.
  const isCrowded = hasPhases(cells)
  const columns = Object.entries(metrics).flatMap(([metric, { table, column: title, unit }]) => {
    const ratio = rankedMetrics.includes(metric)
    return table && isShown(metric, cells) ? [{ metric, title, unit, ratio, wide: table === 'wide' || (isCrowded && !ratio) }] : []
  })
  const rows = cells.map(cell => ({
    queue: cell.queue,
    isControl: cell === controlCell,
    values: columns.map(column => createValue(cell, column, cells, controlCell)),
    warnings: cell.warnings
  }))
  rows.sort((a, b) => rank(a) - rank(b))
  return { scenario: name, title, kind, params, runtime, columns, rows, skipped }
}

/** @param {Row} row */
function rank ({ values: [first] }) {
  return first === null || first === undefined ? Infinity : first.metric.median
}

/**
 * How costs grow, a table for every line along which enough was measured.
 *
 * @param {Summary} summary
 * @returns {GrowthTable[]}
 */
export function growthTablesOf (summary) {
  return sweepsOf(summary).flatMap(linesOf).flatMap(line => {
    const { sweep: { scenario, runtime, control }, parameter, others } = line
    const queues = [...new Set(line.cells.map(({ queue }) => queue))]
    const columns = [...rankedMetricsOf(line), 'workPerOp']
      .map(metric => ({ title: metrics[metric].column, growth: queues.map(queue => growthAlong(summary, line, queue, metric)) }))
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
function createValue (cell, { metric: name, ratio }, cells, controlCell) {
  const metric = cell.metrics[name]
  if (!metric) return null
  const medians = cells.flatMap(cell => cell.metrics[name] ? [cell.metrics[name].median] : [])
  const best = metric.better === 'lower' ? Math.min(...medians) : Math.max(...medians)
  const reference = ratio ? controlCell?.metrics[name]?.median : undefined
  return { metric, best: metric.median === best, ratio: reference === undefined ? null : metric.median / reference }
}
