/**
 * The interval of all reports: Student's t of a trimmed mean. An eighth of the values is trimmed at each end, none of
 * fewer than eight. The spread is that of all values, Winsorized. Coverage is nominal from two values on.
 *
 * Chosen by simulation (`npm run simulate` at b45557c9): 3 to 30 heats, normal noise of 1 and 6 %, with and without one
 * heat in ten that is 10 to 40 % off. Worst case of each column; "disjoint": intervals of two independent runs that do
 * not touch; "width": of 8 heats, noise 1 %, with outliers.
 *
 *   interval                      covers   disjoint   half-width
 *   Student's t                   94.0 %      0.9 %      4.9 %
 *   trimmed by an eighth          93.8 %      1.1 %      1.0 %
 *   trimmed by a fifth            93.4 %      1.2 %      1.0 %   but 5 heats without outliers: 40 % wider
 *   signed ranks, turned round    74.0 %     11.4 %      4.5 %   3 heats; from 6 heats on 94.5 %
 *
 * Sources: Student, "The probable error of a mean", Biometrika 6(1), 1908; J. W. Tukey and D. H. McLaughlin, "Less
 * vulnerable confidence and significance procedures for location based on a single sample: trimming/Winsorization 1",
 * Sankhya A 25(3), 1963; for the t distribution M. Abramowitz and I. A. Stegun, "Handbook of Mathematical Functions",
 * 1964, 26.7.3 and 26.7.4.
 */
import { mean, median, sumNthPowerDeviations } from 'simple-statistics'

/**
 * @typedef {{estimate: number, low: number, high: number, coverage: number}} Interval  `coverage`: 0 of a single value.
 */

const CONFIDENCE = 0.95
const TRIMMED = 1 / 8
const CLOSE = 1e-10

/**
 * O(n log n).
 *
 * @param {number[]} values  One value or more, all finite; logarithms, where values are ratios or times.
 * @param {number} [confidence]
 * @returns {Interval}
 */
export function intervalOf (values, confidence = CONFIDENCE) {
  const { estimate, error, freedom } = trimmedMean(values, TRIMMED)
  if (freedom === 0) return { estimate, low: estimate, high: estimate, coverage: 0 }
  const reach = tQuantile((1 + confidence) / 2, freedom) * error
  return { estimate, low: estimate - reach, high: estimate + reach, coverage: confidence }
}

/**
 * Mean without the lowest and the highest values, and its standard error.
 *
 * @param {number[]} values
 * @param {number} share  Trimmed at each end.
 */
export function trimmedMean (values, share) {
  const trimmed = Math.floor(share * values.length)
  const kept = [...values].sort((a, b) => a - b).slice(trimmed, values.length - trimmed)
  const drawnIn = values.map(value => Math.min(Math.max(value, kept[0]), kept[kept.length - 1]))
  const freedom = kept.length - 1
  return {
    estimate: mean(kept),
    error: Math.sqrt(sumNthPowerDeviations(drawnIn, 2) / (kept.length * freedom)),
    freedom
  }
}

/**
 * Median, with the interval of the logarithms, or of the values if one is not above zero. The interval always includes
 * the median: with two clusters of values, the trimmed mean may lie elsewhere.
 *
 * @param {number[]} values  One value or more.
 * @param {number} [confidence]
 * @returns {{median: number, low: number, high: number, n: number, coverage: number}}
 */
export function medianInterval (values, confidence = CONFIDENCE) {
  const lowest = values.reduce((lowest, value) => Math.min(lowest, value), Infinity)
  const middle = median(values)
  const { low, high, coverage } = lowest > 0 ? ratioInterval(values, confidence) : intervalOf(values, confidence)
  // Values that are never negative have no lower end below zero.
  const floor = lowest < 0 ? -Infinity : 0
  return {
    median: middle,
    low: Math.max(floor, Math.min(low, middle)),
    high: Math.max(high, middle),
    n: values.length,
    coverage
  }
}

/**
 * Geometric mean, trimmed, and its interval.
 *
 * @param {number[]} ratios  Positive ratios.
 * @param {number} [confidence]
 * @returns {{median: number, low: number, high: number, n: number, coverage: number}} `median`: the typical ratio
 */
export function ratioInterval (ratios, confidence = CONFIDENCE) {
  const [first, n] = [ratios[0], ratios.length]
  // exp(log(x)) is not always x.
  if (ratios.every(ratio => ratio === first)) {
    return { median: first, low: first, high: first, n, coverage: n > 1 ? confidence : 0 }
  }
  const { estimate, low, high, coverage } = intervalOf(ratios.map(Math.log), confidence)
  return { median: Math.exp(estimate), low: Math.exp(low), high: Math.exp(high), n, coverage }
}

/** @type {Map<string, number>} */
const quantiles = new Map()

/**
 * @param {number} probability  Probability, a half or more.
 * @param {number} freedom  Degrees of freedom, an integer.
 */
export function tQuantile (probability, freedom) {
  const key = `${probability} ${freedom}`
  const known = quantiles.get(key)
  if (known !== undefined) return known
  let [low, high] = [0, 1]
  while (tDistribution(high, freedom) < probability) high *= 2
  while (high - low > CLOSE * high) {
    const middle = (low + high) / 2
    if (tDistribution(middle, freedom) < probability) low = middle
    else high = middle
  }
  quantiles.set(key, (low + high) / 2)
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
    term *= (square * (i - 1)) / i
    series += term
  }
  return 0.5 + (isOdd ? (angle + series) / Math.PI : series / 2)
}
