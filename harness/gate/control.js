/** The base against the sham head, which is the base too: can this run be trusted? */
import { intervalOf } from '../judge/statistics/interval.js'

/** By chance alone the control moves in one gate of a hundred; it must also have moved far enough to matter. */
const CONFIDENCE = 0.99
/** Fewer shifts say too little: with them, 0.75 instead of 0 % of calibrated gates of identical code would be called contaminated. */
const FEWEST_SHIFTS = 8

/**
 * @param {number[]} shifts  Log ratios of the sham head to the base, of all cells together.
 * @param {{floor: number}} rules
 * @returns {import('../judge/compare.js').Control | null}
 */
export function judgeControl (shifts, { floor }) {
  if (shifts.length === 0) return null
  const { estimate, low, high } = intervalOf(shifts, CONFIDENCE)
  const isElsewhere = shifts.length >= FEWEST_SHIFTS && (low > 0 || high < 0)
  return {
    ratio: Math.exp(estimate),
    low: Math.exp(low),
    high: Math.exp(high),
    pairs: shifts.length,
    moved: isElsewhere && Math.abs(estimate) > floor / 2
  }
}
