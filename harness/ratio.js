/** The ratio of a cell to another of its table, over heats or rounds, with its interval. */
import { cellId } from './model/cell.js'
import { channelOf, pairedRatios } from './pairs.js'
import { pseudoMedian } from './statistics/pseudo-median.js'
import { trimmedInterval } from './statistics/t-interval.js'

/**
 * @typedef {object} Ratio  From pairs, so it is more certain than the two medians are.
 * @property {string} to  Queue.
 * @property {'heat' | 'round'} by  What was paired: samples taken at the same time, or in the same round one after the other.
 * @property {number} median  Hodges-Lehmann estimate of the ratios of all pairs.
 * @property {number} low
 * @property {number} high
 * @property {number} n  Pairs: heats or rounds in which both were measured, those on slow cores left out (see pairs.js).
 * @property {number} coverage
 *
 * @typedef {(cell: import('./model/cell.js').CellPlace, to: string, metric: string) => number[]} HeatRatios  The ratio of a cell to
 *   another queue of its table, in each heat.
 */

/** From as many values on, the interval by ranks covers 95 %. */
export const ENOUGH_FOR_RANKS = 6
/** Two values say next to nothing about how much they scatter. */
const FEWEST_FOR_T = 3
/** Of so many heats, the lowest and the highest ratio are trimmed; of twice as many, two at either end. */
const TRIMMED_ONCE_IN = 8

/**
 * @param {import('./results/results.js').Sample[]} samples
 * @param {{to: string, samples: import('./results/results.js').Sample[], control?: import('./results/results.js').Sample[]}} other  `control`: of
 *   their table, see pairedRatios.
 * @param {string} name
 * @returns {Ratio | null}
 */
export function ratioOf (samples, other, name) {
  const ratios = pairedRatios(other.samples, samples, name, other.control).map(({ ratio }) => ratio).filter(ratio => ratio > 0 && ratio < Infinity)
  if (ratios.length === 0) return null
  const by = channelOf([...other.samples, ...samples], name) === 'heat' ? 'heat' : 'round'
  const { estimate, low, high, coverage } = intervalOf(ratios.map(Math.log), by)
  const [median, ...ends] = [estimate, low, high].map(Math.exp)
  return { to: other.to, by, median, low: ends[0], high: ends[1], n: ratios.length, coverage }
}

/**
 * Of rounds by ranks, which assumes next to nothing. Of heats:
 *
 *   two             their range: they do not show how much heats scatter
 *   three to five   Student's t, where the range covers 75 to 94 %: the log ratio of a heat is a median over its slices, and
 *                   medians of many values are about normal, whatever their values are
 *   six and seven   by ranks
 *   from eight on   trimmed: in one process of 10 to 60 a queue's memory lies so badly that the whole heat is far off; up to
 *                   eleven heats, by ranks, one such heat draws an end of the interval half the way to it
 *
 * @param {number[]} logs  Logarithms of ratios.
 * @param {Ratio['by']} by
 * @param {number} [confidence]
 */
export function intervalOf (logs, by, confidence = 0.95) {
  const byRanks = pseudoMedian(logs, confidence)
  const { length } = logs
  if (by !== 'heat' || length < FEWEST_FOR_T) return byRanks
  if (length >= ENOUGH_FOR_RANKS && length < TRIMMED_ONCE_IN) return byRanks
  return { ...byRanks, ...trimmedInterval(logs, Math.floor(length / TRIMMED_ONCE_IN), confidence) }
}

/**
 * @param {import('./results/samples.js').Samples} samples  Of a run.
 * @returns {HeatRatios}
 */
export function heatRatiosOf (samples) {
  return (cell, to, metric) => {
    const ids = [cell.queue, to].map(queue => cellId({ ...cell, queue }))
    const taken = samples.byCell(ids.map(id => ({ id })))
    const [own, others] = ids.map(id => (taken.get(id) ?? []).filter(({ heat }) => heat !== undefined))
    return pairedRatios(others, own, metric).map(({ ratio }) => ratio).filter(ratio => ratio > 0 && ratio < Infinity)
  }
}
