/**
 * A summary as tables, one for each scenario, set of parameters and runtime.
 */
import { tableId } from '../harness/model/cell.js'
import { groupBy } from '../harness/model/group-by.js'
import { metrics, rankedMetrics } from '../harness/model/metrics.js'
import { heatRatioOf, rank } from './costs.js'
import { growthAlong, hasPhases, isShown, linesOf, rankedMetricsOf, sweepsOf } from './sweeps.js'

/**
 * @typedef {import('../harness/judge/summary.js').Summary} Summary
 * @typedef {import('../harness/judge/summary.js').CellSummary} CellSummary
 * @typedef {import('../harness/judge/summary.js').MetricSummary} MetricSummary
 *
 * @typedef {object} Value
 * @property {MetricSummary} metric
 * @property {{median: number, low: number, high: number} | null} ratio  To the control, where there is one and queues are ranked
 *   by the metric. Without an interval where it is that of two medians.
 * @property {import('../harness/judge/summary.js').Ratio | null} heats  The same, where heats have given it.
 * @property {boolean} best  Never of what was measured one queue after the other: the machine may have changed meanwhile.
 *
 * @typedef {{queue: string, isControl: boolean, values: (Value | null)[], warnings: string[]}} Row
 * @typedef {{metric: string, title: string, unit: string, ratio: boolean, wide: boolean}} Column  `wide`: only where there is room.
 *
 * @typedef {object} Table
 * @property {string} scenario
 * @property {string} title
 * @property {'micro' | 'http'} kind
 * @property {Record<string, number>} params
 * @property {import('../harness/model/cell.js').Side} [side]  Only of gates.
 * @property {string} runtime
 * @property {Column[]} columns
 * @property {number} leading  The column by which rows are ordered: the first by which queues are ranked.
 * @property {Row[]} rows  Best first.
 * @property {import('../harness/judge/summary.js').SkippedCell[]} skipped
 *
 * @typedef {object} GrowthTable
 * @property {string} scenario
 * @property {string} parameter  It is swept.
 * @property {Record<string, number>} params  The others, fixed in this table.
 * @property {import('../harness/model/cell.js').Side} [side]  Only of gates.
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
    const [{ scenario: name, params, side, runtime }] = [...cells, ...missing]
    return name === scenario.name ? [createTable(cells, missing, { scenario, params, side, runtime, control: summary.settings.control[scenario.kind] })] : []
  }))
}

/**
 * @param {CellSummary[]} cells
 * @param {import('../harness/judge/summary.js').SkippedCell[]} skipped
 * @param {{scenario: Summary['scenarios'][0], params: Record<string, number>, side?: import('../harness/model/cell.js').Side, runtime: string, control: string}} place
 * @returns {Table}
 */
function createTable (cells, skipped, { scenario: { name, title, kind }, params, side, runtime, control }) {
  // Phases take the room of two columns.
  const isCrowded = hasPhases(cells)
  const columns = Object.entries(metrics).flatMap(([metric, { table, column: title, unit }]) => {
    const ratio = rankedMetrics.includes(metric)
    return table && isShown(metric, cells) ? [{ metric, title, unit, ratio, wide: table === 'wide' || (isCrowded && !ratio) }] : []
  })
  const values = new Map(cells.map(cell => [cell, /** @type {(Value | null)[]} */ ([])]))
  for (const { metric, ratio } of columns) {
    const shown = ratio ? rankedValues(cells, metric, control) : plainValues(cells, metric)
    for (const [cell, row] of values) row.push(shown.get(cell) ?? null)
  }
  const rows = cells.map(cell => ({ queue: cell.queue, isControl: cell.queue === control, values: values.get(cell) ?? [], warnings: cell.warnings }))
  const leading = Math.max(0, columns.findIndex(({ ratio }) => ratio))
  const order = columns.length > 0 ? orderBy(columns[leading], cells, control) : []
  rows.sort((a, b) => placeIn(order, a.queue) - placeIn(order, b.queue))
  return { scenario: name, title, kind, params, ...(side && { side }), runtime, columns, leading, rows, skipped }
}

/**
 * @param {Column} column
 * @param {CellSummary[]} cells
 * @param {string} control
 * @returns {string[]} queues
 */
function orderBy ({ metric, ratio }, cells, control) {
  if (ratio) return rank(cells, metric, control).map(({ queue }) => queue)
  return cells.filter(({ metrics }) => metrics[metric]).sort((a, b) => a.metrics[metric].median - b.metrics[metric].median).map(({ queue }) => queue)
}

/**
 * @param {string[]} order
 * @param {string} queue  Without a figure it comes last.
 */
const placeIn = (order, queue) => order.includes(queue) ? order.indexOf(queue) : order.length

/**
 * @param {CellSummary[]} cells
 * @param {string} metric
 * @param {string} control
 * @returns {Map<CellSummary, Value>}
 */
function rankedValues (cells, metric, control) {
  const ranking = rank(cells, metric, control)
  const standard = ranking.find(({ queue }) => queue === control)
  return new Map(ranking.map(({ cell, figures, cost }) => {
    const ratio = cost.median / (standard?.cost.median ?? NaN)
    return [cell, {
      metric: figures,
      best: ranking.length > 1 && cost.median === ranking[0].cost.median,
      ratio: standard ? heatRatioOf(figures) ?? { median: ratio, low: ratio, high: ratio } : null,
      heats: standard ? heatRatioOf(figures) : null
    }]
  }))
}

/**
 * @param {CellSummary[]} cells
 * @param {string} name  Of the metric.
 * @returns {Map<CellSummary, Value>}
 */
function plainValues (cells, name) {
  const measured = cells.filter(({ metrics }) => metrics[name])
  const medians = measured.map(({ metrics }) => metrics[name].median)
  const isRanked = metrics[name].role === 'count' && new Set(medians).size > 1
  return new Map(measured.map(cell => {
    const metric = cell.metrics[name]
    return [cell, { metric, best: isRanked && metric.median === (metric.better === 'lower' ? Math.min(...medians) : Math.max(...medians)), ratio: null, heats: null }]
  }))
}

/**
 * How costs grow, a table for every line along which enough was measured.
 *
 * @param {Summary} summary
 * @returns {GrowthTable[]}
 */
export function growthTablesOf (summary) {
  return sweepsOf(summary).flatMap(linesOf).flatMap(line => {
    const { sweep: { scenario, side, runtime, control }, parameter, others } = line
    const queues = [...new Set(line.cells.map(({ queue }) => queue))]
    const columns = [...rankedMetricsOf(line), 'workPerOp']
      .map(metric => ({ title: metrics[metric].column, growth: queues.map(queue => growthAlong(summary, line, queue, metric)) }))
      .filter(({ growth }) => growth.some(Boolean)).slice(0, MOST_EXPONENTS)
    if (parameter === null || columns.length === 0) return []
    const rows = queues.map((queue, i) => ({ queue, isControl: queue === control, values: columns.map(({ growth }) => growth[i] ?? null) }))
      .sort((a, b) => (a.values[0]?.exponent ?? Infinity) - (b.values[0]?.exponent ?? Infinity))
    return [{ scenario, parameter, params: others, ...(side && { side }), runtime, columns: columns.map(({ title }) => title), rows }]
  })
}
