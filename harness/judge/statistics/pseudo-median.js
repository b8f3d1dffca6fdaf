/**
 * The Hodges-Lehmann estimate: the median of the averages of all pairs of values, each with itself too. It is to the
 * signed-rank test what the mean is to the t test, and its bounds are that test turned round: every centre that the
 * test would not reject. So estimate, interval and p value agree, and nothing is resampled.
 *
 * Values may be infinite. The average of Infinity and -Infinity says nothing about the centre: half of these averages
 * count as high and half as low, which is where their shared ranks put them.
 *
 * Source: J. L. Hodges and E. L. Lehmann, "Estimates of location based on rank tests", Annals of Mathematical Statistics
 * 34(2), 1963; the interval: M. Hollander and D. A. Wolfe, "Nonparametric Statistical Methods", 1973, section 3.3.
 */
import { lowerNormalQuantile } from './normal.js'
import { PairAverages } from './pair-averages.js'
import { assertRankable } from './ranks.js'
import { lowerTails, MOST_EXACT } from './signed-rank.js'

/**
 * @typedef {object} Bounds
 * @property {number} estimate
 * @property {number} low
 * @property {number} high
 * @property {{low: number, high: number}} chance  Of being beyond either bound: the level asked for or less, unless there
 *   are too few values for it. Then the bound is the lowest or highest value, and this is what it is worth.
 */

/**
 * @param {number[]} values  At least one.
 * @param {number} [confidence]
 * @returns {{estimate: number, low: number, high: number, coverage: number}} `coverage` is at least the confidence, unless
 *   there are too few values for it: then the interval is their whole range, and the coverage what that is worth
 */
export function pseudoMedian (values, confidence = 0.95) {
  const level = (1 - confidence) / 2
  const { estimate, low, high, chance } = boundsOf(values, { low: level, high: level })
  return { estimate, low, high, coverage: 1 - 2 * chance.low }
}

/**
 * @param {number[]} values  At least one.
 * @param {{low: number, high: number}} levels  Of a one-sided test at each end.
 * @returns {Bounds}
 */
export function boundsOf (values, levels) {
  assertRankable(values)
  const averages = new PairAverages(values)
  const [below, above] = [levels.low, levels.high].map(level => cutTail(values.length, level))
  return {
    estimate: middleOf(averages),
    low: averages.at(below.skipped),
    high: averages.at(averages.length - 1 - above.skipped),
    chance: { low: below.chance, high: above.chance }
  }
}

/** @param {PairAverages} averages */
function middleOf (averages) {
  const half = averages.length / 2
  const above = averages.at(Math.floor(half))
  const below = Number.isInteger(half) ? averages.at(half - 1) : above
  // Half infinitely low and half infinitely high: no lean.
  return below === -above ? 0 : (below + above) / 2
}

/**
 * How many averages at one end lie outside the bound. Of many values by the normal distribution, as the test is.
 *
 * @param {number} n
 * @param {number} level
 */
export function cutTail (n, level) {
  if (n > MOST_EXACT) return { skipped: cutNormalTail(n, level), chance: level }
  const chances = lowerTails(n)
  let skipped = 0
  while (chances[skipped + 1] <= level) skipped++
  return { skipped, chance: chances[skipped] }
}

/**
 * With the test's correction for continuity.
 *
 * @param {number} n
 * @param {number} level
 */
export function cutNormalTail (n, level) {
  if (level === 0) return 0
  const mean = n * (n + 1) / 4
  const deviation = Math.sqrt(mean * (2 * n + 1) / 6)
  return Math.max(0, Math.floor(mean - 0.5 + lowerNormalQuantile(level) * deviation))
}
