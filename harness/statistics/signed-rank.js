/**
 * Wilcoxon's signed-rank test: are differences symmetric about zero, or do they lean to one side? Exact up to a thousand
 * differences, by counting how many of the 2^n equally likely patterns of signs give each rank sum. Equal differences share
 * their middle rank, and the counts are then those of the shared ranks. Differences of zero are dropped, as Wilcoxon did.
 * Infinite differences have the highest rank. More differences are tested by the normal distribution, with a correction for
 * continuity: at a thousand, it gives 0.05 within 0.02 %, 0.001 within 1 %, and one in a million 7 % too high.
 *
 *   O(n log n)  where the counts are known: those without equal differences are kept for each n
 *   O(n^3)      else: a millisecond for 30 differences, a second for a thousand
 *
 * Sources: F. Wilcoxon, "Individual comparisons by ranking methods", Biometrics Bulletin 1(6), 1945; the tail of the normal
 * distribution: M. Abramowitz and I. A. Stegun, "Handbook of Mathematical Functions", 1964, 26.2.11 and 26.2.14.
 */

/** From more values on, exact chances take seconds. */
export const MOST_EXACT = 1000

/**
 * @param {number[]} differences
 * @returns {number} the probability that the positive ones rank this high if there is no lean
 * @throws {RangeError} when one is NaN: it has no rank
 */
export function signedRank (differences) {
  assertRankable(differences)
  const nonzero = differences.filter(difference => difference !== 0)
  const ranks = doubledRanks(nonzero.map(Math.abs))
  const sum = ranks.reduce((sum, rank, i) => nonzero[i] > 0 ? sum + rank : sum, 0)
  if (ranks.length > MOST_EXACT) return normalTail(ranks, sum)
  if (new Set(ranks).size < ranks.length) return rankSumProbabilities(ranks).subarray(sum).reduce((sum, probability) => sum + probability, 0)
  // Without ties, all sums from this one up are as likely as their mirror images.
  const most = ranks.length * (ranks.length + 1) / 2
  return lowerTails(ranks.length)[most - sum / 2]
}

/** @type {Map<number, Float64Array>} */
const tails = new Map()

/**
 * The chance of each rank sum of n values or a lower one, where no two are equal.
 *
 * @param {number} n
 */
export function lowerTails (n) {
  const known = tails.get(n)
  if (known) return known
  let sum = 0
  const cumulative = rankSumProbabilities(Array.from({ length: n }, (_, i) => i + 1)).map(probability => (sum += probability))
  tails.set(n, cumulative)
  return cumulative
}

/**
 * The chance of this sum of a random half of the ranks or a higher one, by the normal distribution.
 *
 * @param {number[]} ranks  Doubled.
 * @param {number} sum
 */
function normalTail (ranks, sum) {
  const mean = ranks.reduce((sum, rank) => sum + rank, 0) / 2
  const deviation = Math.sqrt(ranks.reduce((sum, rank) => sum + rank ** 2, 0)) / 2
  // Doubled sums are 2 apart.
  return upperNormal((sum - 1 - mean) / deviation)
}

/** From here on the continued fraction needs fewer terms than the series. */
const FAR = 3
const TERMS = 100
/** Below this no double is left of the chance. */
const LOWEST_NORMAL = -40
const CLOSE = 1e-12

/**
 * The normal distribution above z, however far, to about twelve digits.
 *
 * @param {number} z
 * @returns {number}
 */
export function upperNormal (z) {
  if (z < 0) return 1 - upperNormal(-z)
  const density = Math.exp(-(z ** 2) / 2) / Math.sqrt(2 * Math.PI)
  if (z >= FAR) {
    let fraction = z
    for (let term = TERMS; term > 0; term--) fraction = z + term / fraction
    return density / fraction
  }
  let sum = 0
  for (let term = z, n = 3; term > Number.EPSILON * sum; n += 2) {
    sum += term
    term *= z ** 2 / n
  }
  return 0.5 - density * sum
}

/**
 * The value that the normal distribution lies below with this chance, as exactly as upperNormal.
 *
 * @param {number} chance  Above 0, at most a half.
 * @returns {number} at most 0
 */
export function lowerNormalQuantile (chance) {
  let [low, high] = [LOWEST_NORMAL, 0]
  while (high - low > CLOSE) {
    const middle = (low + high) / 2
    if (upperNormal(-middle) <= chance) low = middle
    else high = middle
  }
  return low
}

/**
 * @param {number[]} values
 * @throws {RangeError}
 */
export function assertRankable (values) {
  const index = values.findIndex(Number.isNaN)
  if (index >= 0) throw new RangeError(`value ${index} of ${values.length} is NaN and has no rank: drop it or say why it is missing`)
}

/**
 * The probability of each sum of a random half of the ranks, when each rank is in or out with equal chance.
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
export function doubledRanks (values) {
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
