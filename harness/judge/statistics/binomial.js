/**
 * Tosses of a fair coin. Exact up to a thousand; of more, the chances of single results are too small for a number, and the
 * normal distribution with a correction for continuity gives 0.025 within 0.2 %.
 */
import { upperNormal } from './normal.js'

/** Of more tosses, the chance of one pattern is nearly below the smallest number. */
export const MOST_EXACT = 1000

/**
 * @param {number} tosses
 * @param {number} heads
 * @returns {number} the chance of as many heads or more
 */
export function chanceOfHeads (tosses, heads) {
  if (tosses > MOST_EXACT) return upperNormal((2 * heads - 1 - tosses) / Math.sqrt(tosses))
  let probability = 0.5 ** tosses
  let sum = 0
  for (let exactly = tosses; exactly >= heads; exactly--) {
    sum += probability
    probability *= exactly / (tosses - exactly + 1)
  }
  return sum
}
