/** How the costs of each queue grow along every parameter that was swept, all others fixed. */
import { groupBy } from '../model/group-by.js'
import { metrics, rankedMetrics } from '../model/metrics.js'
import { FEWEST_VALUES, fitGrowth } from './statistics/growth.js'

/**
 * @typedef {object} MeasuredCell
 * @property {string} id
 * @property {import('./summary.js').CellSummary} cell
 * @property {Record<string, Float64Array>} costs  Of each sample, by metric. Typed arrays are outside of the heap, which would
 *   grow by a multiple of them.
 *
 * @typedef {object} Place
 * @property {string} scenario
 * @property {string} runtime
 * @property {string} queue
 * @property {import('../model/cell.js').Side} [side]  Only of gates.
 * @property {Record<string, number>} params  The others, which were fixed.
 * @property {string} parameter  The swept one.
 * @property {string} metric
 *
 * @typedef {Place & import('./statistics/growth.js').Growth} GrowthSummary
 */

/** Memory per timer hardly grows. */
const FITTED = [...rankedMetrics, 'workPerOp']

/** @param {import('../store/results.js').Sample[]} samples  Of one cell. */
export function costsOf (samples) {
  return Object.fromEntries(FITTED.map(metric => [metric, Float64Array.from(samples.flatMap(({ metrics }) => metrics[metric] ?? []))]))
}

/**
 * @param {MeasuredCell[]} measured
 * @param {(id: string) => string} placeOf  See model/machine.js.
 * @returns {GrowthSummary[]}
 */
export function growthOf (measured, placeOf) {
  const parameters = [...new Set(measured.flatMap(({ cell }) => Object.keys(cell.params)))]
  return parameters.flatMap(parameter => linesAlong(parameter, measured).flatMap(line =>
    FITTED.filter(metric => metrics[metric].role === 'count' || areTogether(line, placeOf)).flatMap(metric => growthAlong(line, parameter, metric))))
}

/**
 * A parameter of zero has no place on a logarithmic axis.
 *
 * @param {string} parameter
 * @param {MeasuredCell[]} measured
 */
function linesAlong (parameter, measured) {
  const placed = measured.filter(({ cell }) => cell.params[parameter] > 0)
  return [...groupBy(placed, ({ cell: { scenario, runtime, queue, side, params } }) =>
    JSON.stringify([scenario, runtime, queue, side, { ...params, [parameter]: null }])).values()]
}

/**
 * Times of different machines say nothing about growth.
 *
 * @param {MeasuredCell[]} line
 * @param {(id: string) => string} placeOf
 */
function areTogether (line, placeOf) {
  return new Set(line.map(({ id }) => placeOf(id))).size <= 1
}

/**
 * @param {MeasuredCell[]} line
 * @param {string} parameter
 * @param {string} metric
 * @returns {GrowthSummary[]} none where too little was measured
 */
function growthAlong (line, parameter, metric) {
  const isCounted = metrics[metric].role === 'count'
  // Counts are the same every time: a second one adds nothing.
  const cells = line.map(({ cell, costs }) => ({ x: cell.params[parameter], costs: isCounted ? costs[metric].subarray(0, 1) : costs[metric] }))
    .filter(({ costs }) => costs.length > 0)
  if (new Set(cells.map(({ x }) => x)).size < FEWEST_VALUES) return []
  // Too little for the clock. Leaving out these samples alone would make the rest look more expensive.
  if (cells.some(({ costs }) => costs.some(cost => cost <= 0))) return []
  const { scenario, runtime, queue, side, params: { [parameter]: swept, ...params } } = line[0].cell
  return [{ scenario, runtime, queue, ...(side && { side }), params, parameter, metric, ...fitGrowth(samplesOf(cells), isCounted) }]
}

/** @param {{x: number, costs: Float64Array}[]} cells */
function * samplesOf (cells) {
  for (const { x, costs } of cells) {
    for (const cost of costs) yield { x, cost }
  }
}
