/**
 * How the costs of each queue grow along every parameter that was swept, all others fixed: the exponent e of cost ~ x ** e. It is
 * the slope of a straight line in log-log, by least squares through the medians of the cells, with the t interval of that slope.
 * Cells are the observations: each has a deviation of its own, of its memory layout for example, which all its samples share,
 * so more samples of the same cells do not narrow the interval.
 *
 * Source: N. R. Draper, H. Smith, "Applied Regression Analysis", 3rd edition, 1998, section 1.4.
 */
import { linearRegression, mean } from 'simple-statistics'
import { groupBy } from '../model/group-by.js'
import { metrics, rankedMetrics } from '../model/metrics.js'
import { tQuantile } from './statistics/interval.js'

/** @import { Side } from '../model/cell.js' */
/** @import { CellSummary } from './summary.js' */

/**
 * @typedef {object} Growth
 * @property {number} exponent  0 is flat, 1 is linear.
 * @property {number} low
 * @property {number} high
 * @property {number} n  Values of the parameter.
 * @property {number} coverage  Probability that the interval from low to high holds the exponent, if the line is straight.
 *
 * @typedef {object} Line
 * @property {string} scenario
 * @property {string} runtime
 * @property {string} queue
 * @property {Side} [side]  Only of gates.
 * @property {Record<string, number>} params  The fixed ones.
 * @property {string} parameter  The swept one.
 * @property {string} metric
 *
 * @typedef {Line & Growth} GrowthSummary
 */

/** A line through two values always fits. */
const FEWEST_VALUES = 3
const CONFIDENCE = 0.95
/** Memory per timer hardly grows. */
const FITTED = [...rankedMetrics, 'workPerOp']

/**
 * @param {(CellSummary & {id: string})[]} cells
 * @param {(id: string) => string} machineOf  Times of different machines say nothing about growth.
 * @returns {GrowthSummary[]}
 */
export function growthOf (cells, machineOf) {
  const parameters = [...new Set(cells.flatMap(({ params }) => Object.keys(params)))]
  return parameters.flatMap(parameter => linesAlong(parameter, cells).flatMap(line => {
    const isOfOneMachine = new Set(line.map(({ id }) => machineOf(id))).size <= 1
    return FITTED.filter(metric => isOfOneMachine || metrics[metric].role === 'count').flatMap(metric => growthAlong(line, parameter, metric))
  }))
}

/** A parameter of zero has no logarithm. @template {CellSummary} C @param {string} parameter @param {C[]} cells */
function linesAlong (parameter, cells) {
  const positive = cells.filter(({ params }) => params[parameter] > 0)
  return [...groupBy(positive, ({ scenario, runtime, queue, side, params }) =>
    JSON.stringify([scenario, runtime, queue, side, { ...params, [parameter]: null }])).values()]
}

/**
 * @param {CellSummary[]} line @param {string} parameter @param {string} metric
 * @returns {GrowthSummary[]} none where too little was measured
 */
function growthAlong (line, parameter, metric) {
  const points = line.filter(cell => metric in cell.metrics).map(cell => ({ x: cell.params[parameter], cost: cell.metrics[metric].median }))
  if (points.length < FEWEST_VALUES) return []
  // Too little for the clock. Without this cell the line would look steeper or flatter than it is.
  if (points.some(({ cost }) => cost <= 0)) return []
  const { scenario, runtime, queue, side, params: { [parameter]: swept, ...params } } = line[0]
  return [{ scenario, runtime, queue, ...(side && { side }), params, parameter, metric, ...fitGrowth(points, metrics[metric].role === 'count') }]
}

/**
 * @param {{x: number, cost: number}[]} points  Above zero, at three values of x or more.
 * @param {boolean} [exact]  Costs are counted: nothing is left to chance, the interval has no width.
 * @returns {Growth}
 */
export function fitGrowth (points, exact = false) {
  const logs = points.map(({ x, cost }) => [Math.log(x), Math.log(cost)])
  const { m: exponent, b } = linearRegression(logs)
  const centre = mean(logs.map(([x]) => x))
  const sumOf = (/** @type {(x: number, y: number) => number} */ term) => logs.reduce((sum, [x, y]) => sum + term(x, y), 0)
  const freedom = logs.length - 2
  const error = Math.sqrt(sumOf((x, y) => (y - exponent * x - b) ** 2) / freedom / sumOf(x => (x - centre) ** 2))
  const reach = exact ? 0 : tQuantile((1 + CONFIDENCE) / 2, freedom) * error
  return { exponent, low: exponent - reach, high: exponent + reach, n: logs.length, coverage: exact ? 1 : CONFIDENCE }
}
