/** Precision of the ratios of a run. `--until 3%` measures until all ratios are precise to 3 %. */
import { tableId } from '../model/cell.js'
import { groupBy } from '../model/group-by.js'
import { metrics, metricsIn, rankedMetrics } from '../model/metrics.js'
import { controlsOf } from '../plan/plan.js'
import { ratioOf, reachOf } from './ratio.js'

/**
 *
 * @import { Cell } from '../model/cell.js'
 * @import { Plan } from '../plan/plan.js'
 * @import { Sample } from '../store/results.js'
 */

/**
 * Heats before a ratio counts as known. From five on, optional stopping costs at most 4 points of the 95 %
 * (docs/trust.md).
 */
export const FEWEST_ROUNDS = 5

/**
 * @typedef {object} Imprecise
 * @property {Cell} cell
 * @property {number} within Distance from its ratio to the further end of the interval, 0.04 for 4 %. Infinity: too few
 *   heats.
 */

/**
 * Denominator of the ratios of each table: the control, or else the first queue.
 *
 * @param {Pick<Plan, 'cells' | 'scenarios' | 'settings'>} plan
 * @returns {Map<string, Cell>} by table
 */
export function standardsOf (plan) {
  const controls = controlsOf(plan)
  return new Map([...groupBy(plan.cells, tableId)].map(([table, [first]]) => [table, controls.get(table) ?? first]))
}

/**
 * @param {Pick<Plan, 'cells' | 'scenarios' | 'settings'>} plan
 * @param {Map<string, Sample[]>} samplesByCell
 * @param {number} until  0.03: within 3 %.
 * @returns {Imprecise[]}
 */
export function findImprecise (plan, samplesByCell, until) {
  const standards = standardsOf(plan)
  return plan.cells.flatMap(cell => {
    const standard = /** @type {Cell} */ (standards.get(tableId(cell)))
    if (cell === standard) return []
    const within = precisionOf(samplesByCell.get(cell.id) ?? [], {
      to: standard.queue,
      samples: samplesByCell.get(standard.id) ?? []
    })
    return within <= until ? [] : [{ cell, within }]
  })
}

/**
 * @param {Sample[]} samples
 * @param {{to: string, samples: Sample[]}} standard
 */
function precisionOf (samples, standard) {
  const precisions = shownIn(samples).map(metric => {
    const ratio = ratioOf(samples, standard, metric)
    return ratio === null || ratio.n < FEWEST_ROUNDS ? Infinity : reachOf(ratio)
  })
  return precisions.length === 0 ? Infinity : Math.max(...precisions)
}

/**
 * Metrics by which reports rank queues. Phases of a cycle replace their sum.
 *
 * @param {Sample[]} samples
 */
function shownIn (samples) {
  const shown = metricsIn(rankedMetrics, samples).filter(metric => metrics[metric].table)
  const phases = shown.filter(metric => metrics[metric].isPhase)
  return phases.length > 0 ? phases : shown
}
