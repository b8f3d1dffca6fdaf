/** How well the ratios of a run are known: `--until 3%` measures until all of them are known that well. */
import { tableId } from '../model/cell.js'
import { groupBy } from '../model/group-by.js'
import { metrics, rankedMetrics } from '../model/metrics.js'
import { controlsOf } from '../plan/plan.js'
import { ENOUGH_FOR_RANKS, ratioOf } from './ratio.js'

/**
 * Before that, no ratio is found to be known well enough: whoever stops as soon as an interval is short, stops now and then
 * because it is too short. From five heats on this costs 4 points at most of the 95 % (docs/statistics.md).
 */
export const FEWEST_ROUNDS = 5
/** Rounds of samples that were taken one after the other have no t interval. */
const FEWEST_PAIRS = { heat: FEWEST_ROUNDS, round: ENOUGH_FOR_RANKS }

/**
 * @typedef {import('../plan/plan.js').Cell} Cell
 * @typedef {import('../store/results.js').Sample} Sample
 *
 * @typedef {object} Imprecise
 * @property {Cell} cell
 * @property {number} within  How far the ends of its ratio's interval are from the ratio, 0.04 for 4 %. Infinity: heats are too few
 *   to tell.
 */

/**
 * What the ratios of each table are to: its control, or where it has none, its first queue.
 *
 * @param {Pick<import('../plan/plan.js').Plan, 'cells' | 'scenarios' | 'settings'>} plan
 * @returns {Map<string, Cell>}
 */
export function standardsOf (plan) {
  const controls = controlsOf(plan)
  return new Map([...groupBy(plan.cells, tableId)].map(([table, [first]]) => [table, controls.get(table) ?? first]))
}

/**
 * The cells whose ratios are not known well enough.
 *
 * @param {Pick<import('../plan/plan.js').Plan, 'cells' | 'scenarios' | 'settings'>} plan
 * @param {Map<string, Sample[]>} taken  By cell.
 * @param {number} until
 * @returns {Imprecise[]}
 */
export function findImprecise (plan, taken, until) {
  const standards = standardsOf(plan)
  return [...groupBy(plan.cells, tableId)].flatMap(([table, members]) => {
    const standard = /** @type {Cell} */ (standards.get(table))
    return members.filter(cell => cell !== standard).flatMap(cell => {
      const within = precisionOf(taken.get(cell.id) ?? [], { to: standard.queue, samples: taken.get(standard.id) ?? [] })
      return within <= until ? [] : [{ cell, within }]
    })
  })
}

/**
 * How far the further end of a ratio's interval is from the ratio, 0.04 for 4 %.
 *
 * @param {{median: number, low: number, high: number}} ratio
 */
export const reachOf = ({ median, low, high }) => Math.max(high / median, median / low) - 1

/**
 * @param {Sample[]} samples
 * @param {{to: string, samples: Sample[]}} standard
 */
function precisionOf (samples, standard) {
  const precisions = shownIn(samples).map(metric => {
    const ratio = ratioOf(samples, standard, metric)
    if (ratio === null || ratio.n < FEWEST_PAIRS[ratio.by]) return Infinity
    return reachOf(ratio)
  })
  return precisions.length === 0 ? Infinity : Math.max(...precisions)
}

/**
 * The times by which reports rank queues. Where the phases of a cycle are timed apart, they replace their sum.
 *
 * @param {Sample[]} samples
 */
function shownIn (samples) {
  const shown = rankedMetrics.filter(metric => metrics[metric].table && samples.some(sample => metric in sample.metrics))
  const phases = shown.filter(metric => metrics[metric].isPhase)
  return phases.length > 0 ? phases : shown
}
