/** The time of each phase in the batches of a turn. */
/** @import { Phase } from '../../../scenarios/contract.js' */
/** @import { Turn } from './queue-process.js' */

/**
 * @typedef {object} Batch
 * @property {number} ms  CPU time.
 * @property {number[]} phaseMs  Wall time of each phase; all 0 where there is only one.
 */

/** Wall time of a batch's phases per CPU time, at most, where nothing else had the core. */
const UNDISTURBED = 1.01

/**
 * The CPU clock says how long the batches took, the wall clock only how their time divides into phases. The wall clock goes on while
 * something else has the core, so only undisturbed batches divide the time, if there are any.
 *
 * @param {Batch[]} batches
 * @param {{phases: Pick<Phase, 'metric' | 'operations'>[], cyclesPerBatch: number}} workload
 * @returns {Turn}
 */
export function sumOf (batches, { phases, cyclesPerBatch }) {
  const cycles = batches.length * cyclesPerBatch
  const cpuMs = sum(batches.map(({ ms }) => ms))
  const undisturbed = batches.filter(({ ms, phaseMs }) => sum(phaseMs) <= UNDISTURBED * ms)
  const divided = undisturbed.length > 0 ? undisturbed : batches
  const wallMs = phases.map((_, i) => sum(divided.map(({ phaseMs }) => phaseMs[i])))
  const nsOf = (/** @type {{operations: number}} */ { operations }, /** @type {number} */ i) =>
    1e6 * cpuMs * wallMs[i] / sum(wallMs) / (cycles * operations)
  return {
    cpuMs,
    operations: cycles * phases[0].operations,
    phases: phases.length === 1 ? {} : Object.fromEntries(phases.map((phase, i) => [phase.metric, nsOf(phase, i)]))
  }
}

/** @param {number[]} values */
const sum = values => values.reduce((total, value) => total + value, 0)
