/**
 * What a comparison could have seen: the smallest shift that a test at `level` would find in four of five repetitions,
 * given how uncertain its estimate is; and how many pairs it would take to see a smaller one. By the normal approximation.
 *
 * Source: J. M. Bloom, "Minimum detectable effects", Evaluation Review 19(5), 1995.
 */
import { probit } from 'simple-statistics'

const POWER = 0.8

/**
 * @param {number} standardError
 * @param {number} level  One-sided.
 */
export function detectableShift (standardError, level) {
  return (probit(1 - level) + probit(POWER)) * standardError
}

/**
 * @param {number} pairs  That gave this standard error.
 * @param {number} standardError
 * @param {number} level  One-sided.
 * @param {number} shift
 */
export function pairsToDetect (pairs, standardError, level, shift) {
  return Math.ceil(pairs * (detectableShift(standardError, level) / shift) ** 2)
}

/**
 * Read off the interval of an estimate that is about normally distributed.
 *
 * @param {{low: number, high: number, coverage: number}} interval
 */
export function standardErrorOf ({ low, high, coverage }) {
  return (high - low) / (2 * probit((1 + coverage) / 2))
}
