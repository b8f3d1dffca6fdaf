/**
 * The exponent e of cost ~ x ** e: the slope of a straight line in log-log, by least squares through the medians of the
 * cells, with the t interval of that slope. Cells are the observations: each has a deviation of its own, of its memory
 * layout for example, which all its samples share, so more samples of the same cells do not narrow the interval. Where the
 * costs do not lie on a straight line, e is their growth on the whole; the exponents at either end say how it bends.
 *
 * Sources: N. R. Draper and H. Smith, "Applied Regression Analysis", 3rd edition, 1998, section 1.4; for the t
 * distribution M. Abramowitz and I. A. Stegun, "Handbook of Mathematical Functions", 1964, 26.7.3 and 26.7.4.
 *
 * @typedef {object} Growth
 * @property {number} exponent  0 is flat, 1 is linear.
 * @property {number} low
 * @property {number} high
 * @property {number} n  Samples.
 * @property {number} coverage  Probability that the interval from low to high holds the exponent, if the line is straight.
 * @property {number} first  The exponent between the two smallest x alone,
 * @property {number} last  and between the two largest.
 * @property {boolean} bends  These two differ, by more than chance.
 */
import { linearRegression, mean, median, probit } from 'simple-statistics'

/** A line through two values of x always fits. */
export const FEWEST_VALUES = 3
const CONFIDENCE = 0.95
const UPPER = (1 + CONFIDENCE) / 2
/** A logarithm, which is no power of anything, bends less: by 0.22 from 10 to a million. */
const BEND = 0.3
/** Standard deviation of a cell from the line, in logarithms, that two cells alone cannot show and layout alone explains. */
const CELL_DEVIATION = 0.05
const CLOSE = 1e-10

/**
 * @param {Iterable<{x: number, cost: number}>} samples  All above zero, at three values of x or more.
 * @param {boolean} [exact]  The costs are counted, one at each x: nothing is left to chance, the interval has no width.
 * @returns {Growth}
 */
export function fitGrowth (samples, exact = false) {
  /** Logarithms of the costs. @type {Map<number, number[]>} */
  const logsAt = new Map()
  for (const { x, cost } of samples) {
    const logs = logsAt.get(x)
    if (logs) logs.push(Math.log(cost))
    else logsAt.set(x, [Math.log(cost)])
  }
  const cells = [...logsAt].sort(([a], [b]) => a - b)
  const medians = cells.map(([x, logs]) => [Math.log(x), median(logs)])
  const [first, last] = [cells.slice(0, 2), cells.slice(-2)].map(ends => slopeBetween(ends.map(([x, logs]) => logs.map(log => [Math.log(x), log])), exact))
  const isApart = first.high < last.low || last.high < first.low
  const { slope: exponent, error } = fitLine(medians)
  const reach = exact ? 0 : tQuantile(UPPER, medians.length - 2) * error
  return {
    exponent,
    low: exponent - reach,
    high: exponent + reach,
    n: cells.reduce((sum, [, logs]) => sum + logs.length, 0),
    coverage: exact ? 1 : CONFIDENCE,
    first: first.slope,
    last: last.slope,
    bends: isApart && Math.abs(last.slope - first.slope) >= BEND
  }
}

/**
 * The slope between two cells. Two samples leave nothing to judge it by: then the interval has no ends.
 *
 * @param {number[][][]} ends
 * @param {boolean} exact
 */
function slopeBetween (ends, exact) {
  const points = ends.flat()
  const { slope, error } = fitLine(points)
  const freedom = points.length - 2
  const ofSamples = freedom > 0 ? tQuantile(UPPER, freedom) * error : Infinity
  const ofCells = probit(UPPER) * Math.SQRT2 * CELL_DEVIATION / (ends[1][0][0] - ends[0][0][0])
  const reach = exact ? 0 : Math.hypot(ofSamples, ofCells)
  return { slope, low: slope - reach, high: slope + reach }
}

/**
 * @param {number[][]} points
 * @returns {{slope: number, error: number}} with the standard error of the slope; NaN for two points
 */
function fitLine (points) {
  const { m: slope, b } = linearRegression(points)
  const centre = mean(points.map(([x]) => x))
  const variance = sumOf(points, ([x, y]) => (y - slope * x - b) ** 2) / (points.length - 2)
  return { slope, error: Math.sqrt(variance / sumOf(points, ([x]) => (x - centre) ** 2)) }
}

/**
 * @param {number[][]} points
 * @param {(point: number[]) => number} term
 */
const sumOf = (points, term) => points.reduce((sum, point) => sum + term(point), 0)

/**
 * @param {number} probability  Above a half.
 * @param {number} freedom  Degrees of it, an integer.
 */
export function tQuantile (probability, freedom) {
  let [low, high] = [0, 1]
  while (tDistribution(high, freedom) < probability) high *= 2
  while (high - low > CLOSE * high) {
    const middle = (low + high) / 2
    if (tDistribution(middle, freedom) < probability) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/**
 * A finite sum for whole degrees of freedom.
 *
 * @param {number} t
 * @param {number} freedom
 */
function tDistribution (t, freedom) {
  const angle = Math.atan(t / Math.sqrt(freedom))
  const [sine, square] = [Math.sin(angle), Math.cos(angle) ** 2]
  const isOdd = freedom % 2 === 1
  let term = isOdd ? sine * Math.cos(angle) : sine
  let series = freedom > 1 ? term : 0
  for (let i = isOdd ? 3 : 2; i < freedom; i += 2) {
    term *= square * (i - 1) / i
    series += term
  }
  return 0.5 + (isOdd ? (angle + series) / Math.PI : series / 2)
}
