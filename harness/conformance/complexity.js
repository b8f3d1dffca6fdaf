/**
 * Complexity as queues declare it, 'O(k log n) amortised' say, and whether counted work keeps to it.
 *
 *   n   pending timers
 *   k   timers expired by an advance
 *   d   distinct durations or deadlines: as many as n at worst
 *   s   slots of a wheel: the same however many timers there are
 */

/**
 * @typedef {(n: number, k: number) => number} Growth
 *
 * @typedef {object} Count  Work counted at one size.
 * @property {number} n
 * @property {number} calls
 * @property {number} expired  By each call.
 * @property {number} work  Basic blocks that all calls executed together.
 */

const FACTOR = /^(1|[nkds]|log [nkds])$/

/**
 * With 64 times the timers a constant operation of a wheel executes less than a tenth more blocks, a logarithmic one
 * of a heap 40 to 60 % more.
 */
const TOLERANCE = 1.3
/**
 * Where work may grow, the next class is far away, and a logarithm that starts small grows faster than that of n: a map
 * of deadlines has fewer keys than timers.
 */
const TOLERANCE_OF_GROWTH = 2
/** So few blocks a call, more or less, are no growth. */
const SLACK_BLOCKS = 2

/**
 * @param {unknown} declared
 * @returns {Growth | null} null for what is not understood
 */
export function parseComplexity (declared) {
  const [, sum] = /^O\(([^()]+)\)([ ,].+)?$/.exec(String(declared)) ?? []
  if (sum === undefined) return null
  const terms = sum.split(' + ').map(term => term.match(/log \w+|\S+/g) ?? [])
  if (!terms.flat().every(factor => FACTOR.test(factor))) return null
  const growthOf = (/** @type {string[]} */ factors, /** @type {number} */ n, /** @type {number} */ k) =>
    factors.reduce((product, factor) => product * valueOf(factor, n, k), 1)
  return (n, k) => terms.reduce((total, factors) => total + growthOf(factors, n, k), 0)
}

/**
 * Whether it holds on the average of a life, so that one operation may pay for those before it.
 *
 * @param {unknown} declared
 */
export function isAmortised (declared) {
  return /^O\([^()]+\) amortised\b/.test(String(declared))
}

/**
 * @param {string} factor
 * @param {number} n
 * @param {number} k
 */
function valueOf (factor, n, k) {
  const value = { n, k, d: n }[factor.slice(-1)] ?? 1
  return factor.startsWith('log ') ? Math.log2(Math.max(2, value)) : value
}

/**
 * @param {Growth} growth
 * @param {Count[]} counts  By ascending size.
 */
export function growsFaster (growth, counts) {
  const least = Math.min(...counts.map(count => count.work / expected(growth, count)))
  const last = counts[counts.length - 1]
  const tolerance = growth(last.n, last.expired) > growth(1, last.expired) ? TOLERANCE_OF_GROWTH : TOLERANCE
  return (last.work - SLACK_BLOCKS * last.calls) / expected(growth, last) > tolerance * least
}

/**
 * Up to a constant factor. Every call does something, even one that expires nothing.
 *
 * @param {Growth} growth
 * @param {Count} count
 */
function expected (growth, { n, calls, expired }) {
  return calls * Math.max(1, growth(n, expired))
}
