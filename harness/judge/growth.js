/**
 * How costs grow along each swept parameter, all others fixed. The exponent e of cost ~ x ** e is the slope of the
 * least-squares line through the medians of cells, both axes logarithmic, with the t interval of that slope.
 * Observations are cells, not samples: all samples of a cell share a deviation (of memory layout, for example), so more
 * samples do not narrow the interval.
 *
 * Source: N. R. Draper, H. Smith, "Applied Regression Analysis", 3rd edition, 1998, section 1.4.
 */
import { linearRegression, mean } from 'simple-statistics'
import { cellId, placeOfCell } from '../model/cell.js'
import { groupBy } from '../model/group-by.js'
import { metrics, rankedMetrics } from '../model/metrics.js'
import { tQuantile } from './statistics/interval.js'

/**
 * @import { CellPlace } from '../model/cell.js'
 * @import { CellSummary } from './records.js'
 *
 * @typedef {object} GrowthFit
 * @property {number} exponent  0 is flat, 1 is linear.
 * @property {number} low
 * @property {number} high
 * @property {number} n  Values of the parameter.
 * @property {number} coverage Probability that the interval from low to high holds the exponent, if the line is
 *   straight.
 *
 * @typedef {CellPlace & {parameter: string, metric: string} & GrowthFit} GrowthSummary `params`: fixed; `parameter`:
 *   swept.
 */

/** A line through two values always fits. */
const FEWEST_VALUES = 3
const CONFIDENCE = 0.95
/** Memory per timer hardly grows. */
const FITTED = [...rankedMetrics, 'workPerOp']

/**
 * @param {(CellSummary & {id: string})[]} cells
 * @param {(id: string) => string} machineOf  Machine that measured a cell. Times of different machines are not
 *   fitted together.
 * @returns {GrowthSummary[]}
 */
export function growthOf (cells, machineOf) {
  const parameters = [...new Set(cells.flatMap(({ params }) => Object.keys(params)))]
  return parameters.flatMap(parameter =>
    linesAlong(parameter, cells).flatMap(line => {
      const isOfOneMachine = new Set(line.map(({ id }) => machineOf(id))).size <= 1
      return FITTED.filter(metric => isOfOneMachine || metrics[metric].role === 'count').flatMap(metric =>
        growthAlong(line, parameter, metric)
      )
    })
  )
}

/**
 * Groups of cells that differ only in this parameter. Zero is left out: it has no logarithm.
 *
 * @template {CellSummary} C
 * @param {string} parameter
 * @param {C[]} cells
 */
function linesAlong (parameter, cells) {
  const positive = cells.filter(({ params }) => params[parameter] > 0)
  // Zero stands for every value, so that the cells of a line share an id.
  return [
    ...groupBy(positive, cell => cellId({ ...cell, params: { ...cell.params, [parameter]: 0 } })).values()
  ]
}

/**
 * @param {CellSummary[]} line
 * @param {string} parameter
 * @param {string} metric
 * @returns {GrowthSummary[]} none: too few cells
 */
function growthAlong (line, parameter, metric) {
  const points = line
    .filter(cell => metric in cell.metrics)
    .map(cell => ({ x: cell.params[parameter], cost: cell.metrics[metric].median }))
  // A cost of zero is below the clock's resolution. Omitting the cell would bend the line.
  if (points.length < FEWEST_VALUES || points.some(({ cost }) => cost <= 0)) return []
  const { [parameter]: swept, ...params } = line[0].params
  const growth = fitGrowth(points, metrics[metric].role === 'count')
  return [{ ...placeOfCell({ ...line[0], params }), parameter, metric, ...growth }]
}

/**
 * @param {{x: number, cost: number}[]} points  Positive values, at three values of x or more.
 * @param {boolean} [exact]  Costs are counts: the interval has no width.
 * @returns {GrowthFit}
 */
export function fitGrowth (points, exact = false) {
  const logs = points.map(({ x, cost }) => [Math.log(x), Math.log(cost)])
  const { m: exponent, b } = linearRegression(logs)
  const centre = mean(logs.map(([x]) => x))
  const sumOf = (/** @type {(x: number, y: number) => number} */ term) =>
    logs.reduce((sum, [x, y]) => sum + term(x, y), 0)
  const freedom = logs.length - 2
  const squaredErrors = sumOf((x, y) => (y - exponent * x - b) ** 2)
  const squaredDistances = sumOf(x => (x - centre) ** 2)
  const error = Math.sqrt(squaredErrors / freedom / squaredDistances)
  const reach = exact ? 0 : tQuantile((1 + CONFIDENCE) / 2, freedom) * error
  return { exponent, low: exponent - reach, high: exponent + reach, n: logs.length, coverage: exact ? 1 : CONFIDENCE }
}
