/** Measures the samples of one pair, one fresh process after the other. */
import { SampleError } from '../child.js'
import { measureHttp } from '../http/measure.js'
import { expectedOutcome, measureExact, measureMicro } from '../micro/measure.js'
import { choosePins } from '../pinning.js'
import { createCell } from '../plan.js'
import { armName } from './plan.js'
import { moduleUrl } from './sides.js'

/**
 * @typedef {import('./plan.js').GatePlan} GatePlan
 * @typedef {import('./plan.js').PlannedPair} PlannedPair
 * @typedef {import('./plan.js').Arm} Arm
 * @typedef {import('../results.js').Sample} Sample
 *
 * @typedef {{metrics: Record<string, number>, warnings: string[], failure?: Sample['failure']}} Measured
 * @typedef {{folder: string, padding: number}} Place
 */

/**
 * @param {GatePlan} plan
 * @param {AbortSignal} [signal]
 */
export function createMeasure (plan, signal) {
  const { settings, gate, scenarios, runtimes } = plan
  const pins = choosePins()
  const queueOf = new Map(gate.queues.map(queue => [queue.name, queue]))
  const scenarioOf = new Map(scenarios.map(scenario => [scenario.name, scenario]))
  const runtimeOf = new Map(runtimes.map(runtime => [runtime.name, runtime]))
  /** @type {Map<string, Promise<import('../micro/measure.js').Fired>>} */
  const expectedOf = new Map()

  return {
    /**
     * @param {PlannedPair} pair
     * @param {{base: string, head: string}} folders
     * @returns {Promise<Sample[]>} up to the first that failed
     */
    async pair ({ cell, round, order, padding }, folders) {
      const samples = []
      for (const arm of order) {
        const folder = arm === 'head' ? folders.head : folders.base
        const sample = await take(cell, arm, round, 'time', () => measureTime(cell, { folder, padding }))
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
      const { task, runtime } = lookUp(cell, folder)
      return take(cell, arm, 0, 'exact', () => measureExact(task, runtime, settings.micro.exactLimitMs, signal))
    }
  }

  /**
   * @param {import('../verdict.js').RowCell} cell
   * @param {Place} place
   * @returns {Promise<Measured>}
   */
  async function measureTime (cell, { folder, padding }) {
    const { task, queue, scenario, ...found } = lookUp(cell, folder)
    const runtime = { ...found.runtime, env: paddingOf(padding) }
    if (scenario.kind === 'micro') {
      const expected = queue.meta.accuracy === 'exact' ? await expect(cell, task) : null
      return measureMicro({ ...task, timing: settings.micro }, expected, runtime, pins.subject, signal)
    }
    const { load, port, httpWarmupMs } = settings
    return measureHttp({ ...task, coldStart: scenario.coldStart, port, load, warmupMs: httpWarmupMs }, runtime, pins, signal)
  }

  /**
   * @param {import('../verdict.js').RowCell} cell
   * @param {string} folder
   */
  function lookUp (cell, folder) {
    const queue = /** @type {import('./plan.js').GatedQueue} */ (queueOf.get(cell.queue))
    const scenario = /** @type {import('../plan.js').PlannedScenario} */ (scenarioOf.get(cell.scenario))
    const runtime = /** @type {import('../child.js').Runtime} */ (runtimeOf.get(cell.runtime))
    const task = { queueUrl: moduleUrl(folder, queue.file), scenarioUrl: scenario.url, params: cell.params, seed: settings.seed }
    return { queue, scenario, runtime, task }
  }

  /**
   * What fires in the verified cycles is the same for every exact queue: asked of the model once.
   *
   * @param {import('../verdict.js').RowCell} cell
   * @param {import('../micro/measure.js').MicroTask} task
   */
  function expect ({ scenario, params }, task) {
    const key = JSON.stringify([scenario, params])
    const expected = expectedOf.get(key) ?? expectedOutcome(task, { name: 'model', path: process.execPath, flags: [] }, signal)
    expectedOf.set(key, expected)
    return expected
  }
}

/**
 * @param {import('../verdict.js').RowCell} cell
 * @param {Arm} arm
 * @param {number} round
 * @param {Sample['channel']} channel
 * @param {() => Promise<Measured>} measure
 * @returns {Promise<Sample>}
 */
async function take (cell, arm, round, channel, measure) {
  const started = new Date()
  const { metrics, warnings, failure } = await measure().catch(failed)
  const seconds = (Date.now() - started.getTime()) / 1000
  const { id, ...identity } = cellOf(cell, arm)
  return { cell: id, round, channel, ...identity, started: started.toISOString(), seconds, metrics, ...(failure && { failure }), warnings }
}

/**
 * The cell of the plan in which a sample is kept.
 *
 * @param {import('../verdict.js').RowCell} cell
 * @param {Arm} arm
 */
export function cellOf ({ scenario, params, queue, runtime }, arm) {
  return createCell(scenario, params, armName(queue, arm), runtime)
}

/** @param {number} bytes */
export function paddingOf (bytes) {
  return { TIMERQ_PADDING: 'x'.repeat(bytes) }
}

/**
 * @param {unknown} error
 * @returns {Measured}
 */
function failed (error) {
  if (!(error instanceof SampleError)) throw error
  return { metrics: {}, failure: { kind: error.kind, message: error.message }, warnings: [] }
}
