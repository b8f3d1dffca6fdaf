/**
 * The Hodges-Lehmann estimate: the median of the averages of all pairs of values, each with itself too. It is to the
 * signed-rank test what the mean is to the t test, and its interval is that test turned round: every centre which the
 * test would not reject. So estimate, interval and p value never contradict each other, and nothing is resampled.
 *
 * Source: J. L. Hodges and E. L. Lehmann, "Estimates of location based on rank tests", Annals of Mathematical Statistics
 * 34(2), 1963; the interval: M. Hollander and D. A. Wolfe, "Nonparametric Statistical Methods", 1973, section 3.3.
 */
import { medianSorted } from 'simple-statistics'
import { rankSumProbabilities } from './signed-rank.js'

/**
 * @param {number[]} values  at least one
 * @param {number} [confidence]
 * @returns {{estimate: number, low: number, high: number, coverage: number}} `coverage` is at least the confidence, unless
 *   there are too few values for it: then the interval is their whole range, and the coverage what that is worth
 */
export function pseudoMedian (values, confidence = 0.95) {
  const averages = pairAverages(values)
  const { skipped, coverage } = cutTails(values.length, confidence)
  return {
    estimate: medianSorted(/** @type {any} */ (averages)),
    low: averages[skipped],
    high: averages[averages.length - 1 - skipped],
    coverage
  }
}

/**
 * @param {number[]} values
 * @returns {Float64Array} sorted
 */
function pairAverages (values) {
  const averages = new Float64Array(values.length * (values.length + 1) / 2)
  let next = 0
  for (let i = 0; i < values.length; i++) {
    for (let j = i; j < values.length; j++) averages[next++] = (values[i] + values[j]) / 2
  }
  return averages.sort()
}

/**
 * How many averages at either end lie outside the interval.
 *
 * @param {number} n
 * @param {number} confidence
 */
function cutTails (n, confidence) {
  const probabilities = rankSumProbabilities(Array.from({ length: n }, (_, i) => i + 1))
  let skipped = 0
  let tail = probabilities[0]
  while (2 * (tail + probabilities[skipped + 1]) <= 1 - confidence) tail += probabilities[++skipped]
  return { skipped, coverage: 1 - 2 * tail }
}
