/** What the batches of a turn took together, and their phases. */

/**
 * @typedef {object} Batch
 * @property {number} ms  CPU time.
 * @property {number[]} phaseMs  Wall time, by phase; all 0 where there is only one.
 */

/** Phases of which nothing else had the core take no more wall time than their batch takes CPU time, as exactly as clocks go. */
const UNDISTURBED = 1.01

/**
 * The CPU clock says what the batches took, the wall clock only what part of it was whose phase. It goes on while something else has
 * the core, so batches in which it had say nothing of the parts, unless there are no others.
 *
 * @param {Batch[]} batches
 * @param {{phases: Pick<import('../../../scenarios/contract.js').Phase, 'metric' | 'operations'>[], cyclesPerBatch: number}} workload
 * @returns {import('./measure.js').Timed}
 */
export function sumOf (batches, { phases, cyclesPerBatch }) {
  const cycles = batches.length * cyclesPerBatch
  const cpuMs = sum(batches.map(({ ms }) => ms))
  const undisturbed = batches.filter(({ ms, phaseMs }) => sum(phaseMs) <= UNDISTURBED * ms)
  const parted = undisturbed.length > 0 ? undisturbed : batches
  const ofPhases = phases.map((_, i) => sum(parted.map(({ phaseMs }) => phaseMs[i])))
  const nsOf = (/** @type {{operations: number}} */ { operations }, /** @type {number} */ i) =>
    1e6 * cpuMs * ofPhases[i] / sum(ofPhases) / (cycles * operations)
  return {
    cpuMs,
    operations: cycles * phases[0].operations,
    phases: phases.length === 1 ? {} : Object.fromEntries(phases.map((phase, i) => [phase.metric, nsOf(phase, i)]))
  }
}

/**
 * What was measured at several times, as one.
 *
 * @param {import('./measure.js').Timed[]} parts
 * @returns {import('./measure.js').Timed}
 */
export function pooled (parts) {
  const operations = sum(parts.map(part => part.operations))
  const nsOf = (/** @type {string} */ metric) => sum(parts.map(part => part.operations * part.phases[metric])) / operations
  return {
    cpuMs: sum(parts.map(({ cpuMs }) => cpuMs)),
    operations,
    phases: Object.fromEntries(Object.keys(parts[0].phases).map(metric => [metric, nsOf(metric)]))
  }
}

/** @param {number[]} values */
const sum = values => values.reduce((total, value) => total + value, 0)
