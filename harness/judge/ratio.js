/** The ratio of a cell to another of its table, over heats or rounds, with its interval. */
import { kindOf, pairedRatios } from './pairs.js'
import { ratioInterval } from './statistics/interval.js'

/**
 * @import { Sample } from '../store/results.js'
 *
 * @typedef {object} Ratio  From pairs, so it is more certain than the two medians are.
 * @property {string} to  Queue, or runtime.
 * @property {'heat' | 'round'} by  Pairs of one heat, or of samples measured alone in one round.
 * @property {number} median  The typical ratio of a pair (see statistics/interval.js).
 * @property {number} low @property {number} high
 * @property {number} n  Pairs.
 * @property {number} coverage
 */
/**
 * @param {Sample[]} samples
 * @param {{to: string, samples: Sample[], control?: Sample[]}} other  `control`: of their table, see pairedRatios.
 * @param {string} metric @returns {Ratio | null} null where no pair was measured
 */
export function ratioOf (samples, other, metric) {
  const ratios = pairedRatios(other.samples, samples, metric, other.control).map(({ ratio }) => ratio).filter(ratio => ratio > 0 && ratio < Infinity)
  if (ratios.length === 0) return null
  return { to: other.to, by: kindOf([...other.samples, ...samples], metric) === 'heat' ? 'heat' : 'round', ...ratioInterval(ratios) }
}

/**
 * How far the further end of a ratio's interval is from the ratio, 0.04 for 4 %.
 * @param {{median: number, low: number, high: number}} ratio
 */
export const reachOf = ({ median, low, high }) => Math.max(high / median, median / low) - 1

/**
 * Whether a queue is so slow that more heats would not change the advice. One heat shows it: none was seen further off than 40 %.
 * @param {Pick<Ratio, 'low'>} ratio @param {number} [hopeless]  Of the settings.
 */
export const isHopeless = ({ low }, hopeless = Infinity) => low > hopeless
