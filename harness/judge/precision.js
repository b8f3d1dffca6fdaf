/** Precision of the ratios of a run. `--until 3%` measures until all ratios are precise to 3 %. */
import { tableId } from '../model/cell.js'
import { groupBy } from '../model/group-by.js'
import { KNOWN_HEATS } from '../model/heats.js'
import { metrics, metricsIn, rankedMetrics } from '../model/metrics.js'
import { controlsOf } from '../plan/plan.js'
import { ratioOf } from './pairs.js'

/**
 * @import { Cell } from '../model/cell.js'
 * @import { Plan } from '../plan/plan.js'
 * @import { Sample } from '../store/results.js'
 * @import { Ratio } from './records.js'
 *
 * @typedef {object} Imprecise
 * @property {Cell} cell
 * @property {number} within Distance from its ratio to the further end of the interval, 0.04 for 4 %. Infinity: too few
 *   heats.
 */

/**
 * The cell that others of its table are compared with, by table: the control, or else the first queue.
 *
 * @param {Pick<Plan, 'cells' | 'scenarios' | 'settings'>} plan
 * @returns {Map<string, Cell>}
 */
export function controlsOrFirst (plan) {
  const controls = controlsOf(plan)
  return new Map([...groupBy(plan.cells, tableId)].map(([table, [first]]) => [table, controls.get(table) ?? first]))
}

/**
 * @param {Pick<Plan, 'cells' | 'scenarios' | 'settings'>} plan
 * @param {(cell: Cell) => Sample[]} samplesIn
 * @param {number} until  0.03: within 3 %.
 * @returns {Imprecise[]}
 */
export function findImprecise (plan, samplesIn, until) {
  const controls = controlsOrFirst(plan)
  return plan.cells.flatMap(cell => {
    const control = /** @type {Cell} */ (controls.get(tableId(cell)))
    if (cell === control) return []
    const within = precisionOf(samplesIn(cell), { to: control.queue, samples: samplesIn(control) })
    return within <= until ? [] : [{ cell, within }]
  })
}

/**
 * @param {Sample[]} samples
 * @param {{to: string, samples: Sample[]}} control
 */
function precisionOf (samples, control) {
  const precisions = shownIn(samples).map(metric => {
    const ratio = ratioOf(samples, control, metric)
    return ratio === null || ratio.n < KNOWN_HEATS ? Infinity : reachOf(ratio)
  })
  return precisions.length === 0 ? Infinity : Math.max(...precisions)
}

/**
 * Metrics by which reports rank queues. Phases of a cycle replace their sum.
 *
 * @param {Sample[]} samples
 */
function shownIn (samples) {
  const shown = metricsIn(rankedMetrics, samples)
  const phases = shown.filter(metric => metrics[metric].isPhase)
  return phases.length > 0 ? phases : shown
}

/**
 * Distance from a ratio to the further end of its interval, 0.04 for 4 %.
 *
 * @param {{median: number, low: number, high: number}} ratio
 */
export const reachOf = ({ median, low, high }) => Math.max(high / median, median / low) - 1
