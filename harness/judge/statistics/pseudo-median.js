/**
 * The Hodges-Lehmann estimate: the median of the averages of all pairs of values, each with itself too. Its bounds are
 * the signed-rank test turned round: every centre that the test would not reject. So estimate, bounds and p value of a
 * verdict agree.
 *
 * Values may be infinite. The average of Infinity and -Infinity says nothing about the centre: half of these averages
 * count as high and half as low, which is where their shared ranks put them.
 *
 * Source: J. L. Hodges and E. L. Lehmann, "Estimates of location based on rank tests", Annals of Mathematical
 * Statistics 34(2), 1963; the bounds: M. Hollander and D. A. Wolfe, "Nonparametric Statistical Methods", 1973, section
 * 3.3.
 */
import { assertRankable, lowerTails } from './signed-rank.js'

/**
 * @typedef {object} Bounds
 * @property {number} estimate
 * @property {number} low
 * @property {number} high
 * @property {{low: number, high: number}} chance Probability that the centre is beyond either bound. Of too few values,
 *   the bound is the lowest or highest, and the probability is above the level.
 */

/**
 * @param {number[]} values  One value or more.
 * @param {number} [confidence]
 * @returns {{estimate: number, low: number, high: number, coverage: number}} `coverage` is at least the confidence,
 *   unless there are too few values for it: then the interval is their whole range
 */
export function pseudoMedian (values, confidence = 0.95) {
  const level = (1 - confidence) / 2
  const { estimate, low, high, chance } = boundsOf(values, { low: level, high: level })
  return { estimate, low, high, coverage: 1 - 2 * chance.low }
}

/**
 * O(n² log n).
 *
 * @param {number[]} values  One value or more.
 * @param {{low: number, high: number}} levels  Levels of the one-sided tests.
 * @returns {Bounds}
 */
export function boundsOf (values, levels) {
  assertRankable(values)
  const averages = pairAverages(values)
  const [below, above] = [levels.low, levels.high].map(level => cutTail(values.length, level))
  return {
    estimate: middleOf(averages),
    low: averages[below.skipped],
    high: averages[averages.length - 1 - above.skipped],
    chance: { low: below.chance, high: above.chance }
  }
}

/**
 * @param {number[]} values
 * @returns {Float64Array} ascending
 */
function pairAverages (values) {
  const averages = new Float64Array((values.length * (values.length + 1)) / 2)
  let filled = 0
  let contradictions = 0
  for (let i = 0; i < values.length; i++) {
    for (let j = i; j < values.length; j++) {
      const average = (values[i] + values[j]) / 2
      averages[filled++] = Number.isNaN(average) ? (contradictions++ % 2 === 0 ? Infinity : -Infinity) : average
    }
  }
  return averages.sort()
}

/** @param {Float64Array} sorted */
function middleOf (sorted) {
  const [below, above] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  // Half infinitely low and half infinitely high: no lean.
  return below === -above ? 0 : (below + above) / 2
}

/**
 * Number of averages at one end that lie outside the bound.
 *
 * @param {number} n
 * @param {number} level
 */
function cutTail (n, level) {
  const chances = lowerTails(n)
  let skipped = 0
  while (chances[skipped + 1] <= level) skipped++
  return { skipped, chance: chances[skipped] }
}
