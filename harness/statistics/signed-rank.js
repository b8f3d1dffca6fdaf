/**
 * Wilcoxon's signed-rank test: are differences symmetric about zero, or do they lean to one side? Exact at every n, by
 * counting how many of the 2^n equally likely patterns of signs give each rank sum. Equal differences share their middle
 * rank, and the counts are then those of the shared ranks; differences of zero are dropped, as Wilcoxon did.
 *
 * O(n^3): a millisecond for 30 pairs, a second for a thousand.
 *
 * Source: F. Wilcoxon, "Individual comparisons by ranking methods", Biometrics Bulletin 1(6), 1945.
 */

/**
 * @param {number[]} differences
 * @returns {{n: number, statistic: number, greater: number, less: number, twoSided: number}} n without zeros, the rank sum
 *   of the positive differences, and the p value against each alternative
 */
export function signedRank (differences) {
  const nonzero = differences.filter(difference => difference !== 0)
  const ranks = doubledRanks(nonzero.map(Math.abs))
  const probabilities = rankSumProbabilities(ranks)
  const sum = ranks.reduce((sum, rank, i) => nonzero[i] > 0 ? sum + rank : sum, 0)
  const greater = total(probabilities.subarray(sum))
  const less = total(probabilities.subarray(0, sum + 1))
  return { n: nonzero.length, statistic: sum / 2, greater, less, twoSided: Math.min(1, 2 * Math.min(greater, less)) }
}

/**
 * How probable each sum of a random half of the ranks is, when each rank is in or out with equal chance.
 *
 * @param {number[]} ranks  Integers.
 * @returns {Float64Array} indexed by sum
 */
export function rankSumProbabilities (ranks) {
  const probabilities = new Float64Array(ranks.reduce((sum, rank) => sum + rank, 1))
  probabilities[0] = 1
  let reached = 0
  for (const rank of ranks) {
    reached += rank
    for (let sum = reached; sum >= 0; sum--) {
      const without = probabilities[sum]
      const within = sum >= rank ? probabilities[sum - rank] : 0
      probabilities[sum] = (without + within) / 2
    }
  }
  return probabilities
}

/**
 * Twice the rank of each value, from 2 on, so that the middle ranks of equal values are integers too.
 *
 * @param {number[]} values
 */
function doubledRanks (values) {
  const order = values.map((_, i) => i).sort((a, b) => values[a] - values[b])
  /** @type {number[]} */
  const ranks = new Array(values.length)
  for (let first = 0, end; first < order.length; first = end) {
    end = first
    while (end < order.length && values[order[end]] === values[order[first]]) end++
    for (let i = first; i < end; i++) ranks[order[i]] = first + 1 + end
  }
  return ranks
}

/** @param {Float64Array} values */
function total (values) {
  return values.reduce((sum, value) => sum + value, 0)
}
