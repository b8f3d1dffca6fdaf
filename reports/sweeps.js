/**
 * The cells of a run by scenario and runtime, with the parameters that were swept there. Most pictures and findings are
 * about one sweep.
 */
import { metrics, rankedMetrics } from '../harness/model/metrics.js'

/**
 * @typedef {import('../harness/judge/summary.js').Summary} Summary
 * @typedef {import('../harness/judge/summary.js').CellSummary} CellSummary
 * @typedef {Summary['growth'][0]} Growth
 *
 * @typedef {object} Sweep
 * @property {string} scenario
 * @property {'micro' | 'http'} kind
 * @property {string} title
 * @property {string} runtime
 * @property {boolean} onlyRuntime  If so, reports do not name it.
 * @property {import('../harness/model/cell.js').Side} [side]  Only of gates.
 * @property {Record<string, number[]>} swept  By parameter, its values, ascending; the longest sweep first.
 * @property {string} control
 * @property {CellSummary[]} cells
 *
 * @typedef {object} Line  The cells along the longest sweep, everything else the same.
 * @property {Sweep} sweep
 * @property {string | null} parameter  null: nothing was swept.
 * @property {number[]} values
 * @property {Record<string, number>} others  The other swept parameters, fixed on this line.
 * @property {CellSummary[]} cells
 */

/**
 * @param {Summary} summary
 * @returns {Sweep[]}
 */
export function sweepsOf ({ scenarios, cells, settings }) {
  const runtimes = [...new Set(cells.map(({ runtime }) => runtime))]
  const sides = [...new Set(cells.map(({ side }) => side))]
  return scenarios.flatMap(({ name, kind, title }) => runtimes.flatMap(runtime => sides.map(side => ({ runtime, side }))).flatMap(({ runtime, side }) => {
    const own = cells.filter(cell => cell.scenario === name && cell.runtime === runtime && cell.side === side)
    if (own.length === 0) return []
    return [{ scenario: name, kind, title, runtime, ...(side && { side }), onlyRuntime: runtimes.length === 1, swept: sweptOf(own), control: settings.control[kind], cells: own }]
  }))
}

/**
 * @param {Sweep} sweep
 * @returns {Line[]}
 */
export function linesOf (sweep) {
  const [[parameter, values] = [null, []], ...more] = Object.entries(sweep.swept)
  return combinationsOf(more).map(fixed => ({
    sweep,
    parameter,
    values,
    others: fixed,
    cells: sweep.cells.filter(({ params }) => isAt(params, fixed))
  }))
}

/**
 * The metrics by which queues are ranked here: those that tables show.
 *
 * @param {{cells: CellSummary[]}} line
 */
export function rankedMetricsOf ({ cells }) {
  return rankedMetrics.filter(metric => metrics[metric].table && isShown(metric, cells))
}

/**
 * Whether a metric was measured and belongs in reports. Where the phases of a cycle are timed apart, they replace their sum.
 *
 * @param {string} metric
 * @param {CellSummary[]} cells
 */
export function isShown (metric, cells) {
  return cells.some(({ metrics }) => metrics[metric]) && !(metric === 'nsPerOp' && hasPhases(cells))
}

/** @param {CellSummary[]} cells */
export function hasPhases (cells) {
  return cells.some(cell => Object.keys(cell.metrics).some(name => metrics[name].isPhase))
}

/**
 * @param {Summary} summary
 * @param {Line} line
 * @param {string} queue
 * @param {string} metric
 * @returns {Growth | undefined} undefined: too few values were measured
 */
export function growthAlong ({ growth }, { sweep, parameter, others }, queue, metric) {
  return growth.find(each => each.scenario === sweep.scenario && each.runtime === sweep.runtime && each.side === sweep.side && each.queue === queue &&
    each.metric === metric && each.parameter === parameter && isAt(each.params, others))
}

/**
 * @param {Record<string, number>} params
 * @param {Record<string, number>} fixed
 */
function isAt (params, fixed) {
  return Object.entries(fixed).every(([name, value]) => params[name] === value)
}

/**
 * @param {[string, number[]][]} swept
 * @returns {Record<string, number>[]}
 */
export function combinationsOf (swept) {
  return swept.reduce((/** @type {Record<string, number>[]} */ partial, [name, values]) =>
    partial.flatMap(fixed => values.map(value => ({ ...fixed, [name]: value }))), [{}])
}

/**
 * A scenario that was swept over two parameters or more is shown as a map, not as curves.
 *
 * @param {Sweep} sweep
 */
export function isMapped ({ swept }) {
  return Object.keys(swept).length > 1
}

/** @param {CellSummary[]} cells */
function sweptOf (cells) {
  const names = Object.keys(cells[0].params)
  const values = names.map(name => /** @type {const} */ ([name, [...new Set(cells.map(({ params }) => params[name]))].sort((a, b) => a - b)]))
  return Object.fromEntries(values.filter(([, { length }]) => length > 1).sort(([, a], [, b]) => b.length - a.length))
}
