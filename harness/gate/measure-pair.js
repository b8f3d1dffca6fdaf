/** Measures the samples of one pair, one fresh process after the other. */
import { createMeasure, lookUp, takeSample } from '../execute.js'
import { createCell } from '../model/cell.js'
import { armName } from './plan.js'
import { moduleUrl } from './sides.js'

/**
 * @typedef {import('./plan.js').GatePlan} GatePlan
 * @typedef {import('./plan.js').PlannedPair} PlannedPair
 * @typedef {import('./plan.js').Arm} Arm
 * @typedef {import('../results.js').Sample} Sample
 */

/**
 * @param {GatePlan} plan
 * @param {AbortSignal} [signal]
 */
export function createPairMeasure (plan, signal) {
  const measure = createMeasure(plan.settings, signal)

  return {
    /**
     * @param {PlannedPair} pair
     * @param {{base: string, head: string}} folders
     * @returns {Promise<Sample[]>} up to the first that failed
     */
    async pair ({ cell, round, order, padding }, folders) {
      const samples = []
      for (const arm of order) {
        const { runtime, ...found } = lookUpIn(arm === 'head' ? folders.head : folders.base, cell)
        const padded = { ...found, runtime: { ...runtime, env: paddingOf(padding) } }
        const sample = await takeSample({ cell: cellOf(cell, arm), round, channel: 'time' }, () => measure(padded, 'time'))
        samples.push(sample)
        if (sample.failure) break
      }
      return samples
    },

    /**
     * @param {import('../verdict.js').RowCell} cell
     * @param {Arm} arm
     * @param {string} folder
     */
    counts (cell, arm, folder) {
      return takeSample({ cell: cellOf(cell, arm), round: 0, channel: 'exact' }, () => measure(lookUpIn(folder, cell), 'exact'))
    }
  }

  /**
   * @param {string} folder  Of a side.
   * @param {import('../verdict.js').RowCell} cell
   */
  function lookUpIn (folder, cell) {
    return lookUp({ ...plan, queues: plan.gate.queues.map(queue => ({ ...queue, url: moduleUrl(folder, queue.file) })) }, cell)
  }
}

/**
 * The cell of the plan in which a sample is kept.
 *
 * @param {import('../verdict.js').RowCell} cell
 * @param {Arm} arm
 */
export function cellOf ({ scenario, params, queue, runtime }, arm) {
  return createCell({ scenario, params, queue: armName(queue, arm), runtime })
}

/** @param {number} bytes */
export function paddingOf (bytes) {
  return { TIMERQ_PADDING: 'x'.repeat(bytes) }
}
