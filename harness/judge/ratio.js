/** The ratio of a cell to another of its table, over heats or rounds, with its interval. */
import { kindOf, pairedRatios } from './pairs.js'
import { ratioInterval, tQuantile } from './statistics/interval.js'

/**
 * @import { Sample } from '../store/results.js'
 *
 * @typedef {object} Ratio  From pairs, so it is more certain than the two medians are.
 * @property {string} to  Queue, or runtime.
 * @property {'heat' | 'round'} by  Pairs of one heat, or of samples measured alone in one round.
 * @property {number} median  The typical ratio of a pair (see statistics/interval.js).
 * @property {number} low
 * @property {number} high
 * @property {number} n  Pairs.
 * @property {number} coverage
 */
/**
 * @param {Sample[]} samples
 * @param {{to: string, samples: Sample[], control?: Sample[]}} other  `control`: of their table, see pairedRatios.
 * @param {string} metric
 * @returns {Ratio | null} null where no pair was measured
 */
export function ratioOf (samples, other, metric) {
  const ratios = pairedRatios(other.samples, samples, metric, other.control)
    .map(({ ratio }) => ratio)
    .filter(ratio => ratio > 0 && ratio < Infinity)
  if (ratios.length === 0) return null
  return {
    to: other.to,
    by: kindOf([...other.samples, ...samples], metric) === 'heat' ? 'heat' : 'round',
    ...ratioInterval(ratios)
  }
}

/**
 * How far the further end of a ratio's interval is from the ratio, 0.04 for 4 %.
 *
 * @param {{median: number, low: number, high: number}} ratio
 */
export const reachOf = ({ median, low, high }) => Math.max(high / median, median / low) - 1

/**
 * Ends of intervals that hold together: the best of many queues is easily found by chance. Widens 95 % intervals of log
 * ratios as the correction of C. E. Bonferroni (1936) widens normal intervals.
 *
 * @param {number} queues
 * @returns {(ratio: Ratio, name: 'low' | 'high') => number}
 */
export function widenedBy (queues) {
  return (ratio, name) => {
    const freedom = Math.max(1, ratio.n - 1)
    const widening = tQuantile(1 - 0.025 / Math.max(1, queues), freedom) / tQuantile(0.975, freedom)
    return ratio.median * (ratio[name] / ratio.median) ** widening
  }
}

/**
 * Whether a queue is so slow that more heats would not change the advice. One heat shows it: none was seen further off
 * than 40 %.
 *
 * @param {Pick<Ratio, 'low'>} ratio
 * @param {number} [hopeless]  Of the settings.
 */
export const isHopeless = ({ low }, hopeless = Infinity) => low > hopeless
