/** The base against itself: may this run be believed? */
import { pseudoMedian } from '../statistics/pseudo-median.js'

/** The control moves by chance in one gate of a hundred; then it must also have moved far enough to matter. */
const CONFIDENCE = 0.99

/**
 * @param {number[]} shifts  Log ratios of the base to itself, of all cells together.
 * @param {{floor: number}} rules
 * @returns {import('../compare.js').Control | null}
 */
export function judgeControl (shifts, { floor }) {
  if (shifts.length === 0) return null
  const { estimate, low, high, coverage } = pseudoMedian(shifts, CONFIDENCE)
  const isElsewhere = coverage >= CONFIDENCE && (low > 0 || high < 0)
  return {
    ratio: Math.exp(estimate),
    low: Math.exp(low),
    high: Math.exp(high),
    pairs: shifts.length,
    moved: isElsewhere && Math.abs(estimate) > floor / 2
  }
}
