/** The ratio of a cell to another of its table, over heats or rounds, with its interval. */
import { cellId } from '../model/cell.js'
import { groupBy } from '../model/group-by.js'
import { kindOf, pairedRatios } from './pairs.js'
import { pseudoMedian } from './statistics/pseudo-median.js'
import { trimmedInterval } from './statistics/t-interval.js'

/**
 * @typedef {object} Ratio  From pairs, so it is more certain than the two medians are.
 * @property {string} to  Queue.
 * @property {'heat' | 'round'} by  What was paired: samples taken at the same time, or in the same round one after the other.
 * @property {number} median  Hodges-Lehmann estimate of the ratios of all pairs.
 * @property {number} low
 * @property {number} high
 * @property {number} n  Pairs: heats or rounds in which both were measured.
 * @property {number} coverage
 *
 * @typedef {(cell: import('../model/cell.js').CellPlace, to: string, metric: string) => number[]} HeatRatios  The ratio of a cell to
 *   another queue of its table, in each heat.
 */

/** From as many values on, the interval by ranks covers 95 %. */
export const ENOUGH_FOR_RANKS = 6
/** Two values say next to nothing about how much they scatter. */
const FEWEST_FOR_T = 3
/** Of fewer heats, what is left without the lowest and the highest is too little. */
const ENOUGH_TO_TRIM = 8
/** From as many heats on, one that is far off no longer draws an end of the interval by ranks to it. */
const ENOUGH_TO_STAND_ONE = 12

/**
 * @param {import('../store/results.js').Sample[]} samples
 * @param {{to: string, samples: import('../store/results.js').Sample[], control?: import('../store/results.js').Sample[]}} other  `control`: of
 *   their table, see pairedRatios.
 * @param {string} name
 * @returns {Ratio | null}
 */
export function ratioOf (samples, other, name) {
  const ratios = pairedRatios(other.samples, samples, name, other.control).map(({ ratio }) => ratio).filter(ratio => ratio > 0 && ratio < Infinity)
  if (ratios.length === 0) return null
  const by = kindOf([...other.samples, ...samples], name) === 'heat' ? 'heat' : 'round'
  const { estimate, low, high, coverage } = intervalOf(ratios.map(Math.log), by)
  const [median, ...ends] = [estimate, low, high].map(Math.exp)
  return { to: other.to, by, median, low: ends[0], high: ends[1], n: ratios.length, coverage }
}

/**
 * Of rounds by ranks, which assumes next to nothing. Of heats:
 *
 *   two             their range: they do not show how much heats scatter
 *   three to seven  Student's t: the log ratio of a heat is a mean over milliseconds or taken over slices, and those are about
 *                   normal, whatever their values are. The range of three to five covers 75 to 94 %, that of six 97 %: ranks have
 *                   nothing in between
 *   eight to eleven Student's t without the lowest and the highest: in one process of 35 a queue is a tenth slower, and by ranks
 *                   its heat draws an end of the interval half the way to it
 *   more            by ranks, which stand it
 *
 * @param {number[]} logs  Logarithms of ratios.
 * @param {Ratio['by']} by
 * @param {number} [confidence]
 */
export function intervalOf (logs, by, confidence = 0.95) {
  const byRanks = pseudoMedian(logs, confidence)
  if (by !== 'heat') return byRanks
  if (isWithin(logs, FEWEST_FOR_T, ENOUGH_TO_TRIM)) return { ...byRanks, ...trimmedInterval(logs, 0, confidence) }
  if (isWithin(logs, ENOUGH_TO_TRIM, ENOUGH_TO_STAND_ONE)) return { ...byRanks, ...trimmedInterval(logs, 1, confidence) }
  return byRanks
}

/**
 * @param {number[]} values
 * @param {number} least
 * @param {number} limit
 */
const isWithin = ({ length }, least, limit) => length >= least && length < limit

/**
 * @param {import('../store/results.js').Sample[]} samples  Of a run.
 * @returns {HeatRatios}
 */
export function heatRatiosOf (samples) {
  const taken = groupBy(samples, ({ cell }) => cell)
  return (cell, to, metric) => {
    const ids = [cell.queue, to].map(queue => cellId({ ...cell, queue }))
    const [own, others] = ids.map(id => (taken.get(id) ?? []).filter(({ heat }) => heat !== undefined))
    return pairedRatios(others, own, metric).map(({ ratio }) => ratio).filter(ratio => ratio > 0 && ratio < Infinity)
  }
}
