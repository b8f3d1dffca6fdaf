/**
 * Parses the complexity that a queue declares, for example 'O(k log n) amortised', and decides whether counted work
 * grows faster.
 *
 *   n   pending timers
 *   k   timers expired by an advance
 *   d   distinct durations or deadlines, at worst n
 *   s   slots of a wheel; does not grow with the number of timers
 */
import { product, sum } from 'simple-statistics'
import { OPERATIONS } from './clauses.js'

/**
 * @typedef {(n: number, k: number) => number} Growth
 *
 * @typedef {object} Count  Work counted at one size.
 * @property {number} n
 * @property {number} calls
 * @property {number} expired  Timers that expired in each call.
 * @property {number} work  Basic blocks of all calls together.
 */

const FACTOR = /^(1|[nkds]|log [nkds])$/

/**
 * Tolerated excess over constant growth. When timers grow 64-fold, a constant operation of a wheel executes less than
 * 10 % more blocks, a logarithmic operation of a heap 40 to 60 % more.
 */
const TOLERANCE = 1.3
/**
 * Tolerated excess over other growth: the next class of growth is far away, and the logarithm of a small number grows
 * faster than log n (a map of deadlines has fewer keys than timers).
 */
const TOLERANCE_OF_GROWTH = 2
/** Excess over the declared growth that larger sizes must judge. */
const SUSPICIOUS = 1.05
/** Growth that goes on has its highest value, nearly, at the last size. */
const SUSTAINED = 0.9
/** Growth is blatant if it is this share of the growth in timers, seen at this many sizes. */
const BLATANT = { share: 1 / 2, sizes: 3 }
/** A difference of this many blocks per call is not growth. */
const SLACK_BLOCKS = 2

/**
 * @param {unknown} declared
 * @returns {Growth | null} null where the text is not understood
 */
export function parseComplexity (declared) {
  const [, bound] = /^O\(([^()]+)\)([ ,].+)?$/.exec(String(declared)) ?? []
  if (bound === undefined) return null
  const terms = bound.split(' + ').map(term => term.match(/log \w+|\S+/g) ?? [])
  if (!terms.flat().every(factor => FACTOR.test(factor))) return null
  return (n, k) => sum(terms.map(factors => product(factors.map(factor => valueOf(factor, n, k)))))
}

/**
 * @param {unknown} declared
 * @returns {boolean} whether the bound holds on average: one operation may pay for earlier ones
 */
export const isAmortised = declared => /^O\([^()]+\) amortised\b/.test(String(declared))

/** @type {(factor: string, n: number, k: number) => number} */
function valueOf (factor, n, k) {
  const value = { n, k, d: n }[factor.slice(-1)] ?? 1
  return factor.startsWith('log ') ? Math.log2(Math.max(2, value)) : value
}

/**
 * Judges a whole series: a search of a bounded number of slots takes longer at some sizes than at others, but does not
 * take ever longer.
 *
 * @param {Growth} growth
 * @param {Count[]} counts  Counts in ascending order of size.
 * @returns {{isSuspicious: boolean, isFaster: boolean, isBlatant: boolean}} whether work grows faster than declared,
 *   whether larger sizes must judge that, and whether no larger size is needed
 */
export function judgeGrowth (growth, counts) {
  const values = counts.map(count => count.work / expectedOf(growth, count))
  const lowest = Math.min(...values)
  const [first] = counts
  const last = counts[counts.length - 1]
  const value = values[values.length - 1]
  const excess = (last.work - SLACK_BLOCKS * last.calls) / expectedOf(growth, last) / lowest
  const isFaster = excess > toleranceOf(growth, last) && value >= SUSTAINED * Math.max(...values)
  return {
    isSuspicious: value > SUSPICIOUS * lowest,
    isFaster,
    isBlatant: isFaster && counts.length >= BLATANT.sizes && excess > BLATANT.share * (last.n / first.n)
  }
}

/**
 * Expected work, up to a constant factor. Even a call that expires nothing works.
 *
 * @type {(growth: Growth, count: Count) => number}
 */
const expectedOf = (growth, { n, calls, expired }) => calls * Math.max(1, growth(n, expired))

/** @type {(growth: Growth, last: Count) => number} */
const toleranceOf = (growth, { n, expired }) =>
  growth(n, expired) > growth(1, expired) ? TOLERANCE_OF_GROWTH : TOLERANCE

/** Growth is linear if it reaches this value at this number of timers. */
const MANY = 2048

/**
 * @param {Record<string, string> | undefined} complexity  Declared complexity by operation.
 * @param {string} operation
 * @returns {boolean} whether one call may touch all timers
 */
export function isLinear (complexity, operation) {
  return (parseComplexity(complexity?.[operation])?.(MANY, 0) ?? 0) >= MANY
}

/**
 * @param {Record<string, string> | undefined} complexity  Declared complexity by operation.
 * @returns {boolean} whether some operation may touch all timers
 */
export const hasLinear = complexity => OPERATIONS.some(operation => isLinear(complexity, operation))

/**
 * @param {Record<string, string> | undefined} complexity  Declared complexity by operation.
 * @returns {boolean} whether n timers take a time that may grow with the square of n: also where nothing is declared
 */
export function isQuadratic (complexity) {
  const expireAll = parseComplexity(complexity?.advance)?.(MANY, MANY) ?? Infinity
  return (
    expireAll >= MANY * MANY || ['insert', 'cancel', 'reschedule'].some(operation => isLinear(complexity, operation))
  )
}
