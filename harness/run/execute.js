/**
 * Executes a plan: an async generator of samples. Every measurement takes place in fresh processes.
 *
 *     for await (const samples of execute(plan, stopRule)) {
 *       store.append(samples)
 *       stopRule.see(samples)
 *     }
 *
 * Micro heats run on all cores, one heat a core. Counts run on all cores, and nothing is timed beside them. A server
 * has the machine to itself: its load generator needs the other core.
 */
import os from 'node:os'
import { lookUp } from '../measure/look-up.js'
import { Measure } from '../measure/measure.js'
import { takeSamples } from '../measure/sample.js'
import { stagesOf, stepIdOf } from '../plan/steps.js'
import { choosePins } from '../processes/pinning.js'
/** @import { CellTask } from '../measure/look-up.js' */
/** @import { Measured } from '../measure/measure.js' */
/** @import { Cell } from '../model/cell.js' */
/** @import { Plan } from '../plan/plan.js' */
/** @import { Step } from '../plan/steps.js' */
/** @import { Pins } from '../processes/pinning.js' */
/** @import { Sample } from '../store/results.js' */

/**
 * @typedef {object} StopRule  Decides after each samples whether a plan goes on.
 * @property {(samples: Sample[]) => void} see
 * @property {(cell: Cell, step: Step) => boolean} wants Whether the step should measure the cell. Asked just before the
 *   step begins.
 * @property {AbortSignal} [signal]  Ends the measurement that is under way; its samples are dropped.
 *
 * @typedef {object} ExecuteOptions
 * @property {Iterable<Sample>} [finished]  Samples of the plan that exist already: their steps are left out.
 * @property {Step[][]} [stages]  Default: those of the plan.
 * @property {(cell: Cell, step: Step) => CellTask} [taskOf]  Default: what the plan says of the cell.
 * @property {(task: CellTask, cell: Cell, signal: AbortSignal) => Promise<object | undefined>} [beforeCount] Checks a
 *   cell; the answer goes into the sample's details.
 * @property {(step: Step, signal: AbortSignal) => Promise<Measured>} [profile] Records a profile, in plans with such
 *   steps.
 * @property {(step: Step) => void} [onStep]  Called when a step begins.
 * @property {AbortSignal} [signal]  Ends the plan with an error.
 */

/**
 * @param {Plan} plan
 * @param {StopRule} stopRule
 * @param {ExecuteOptions} [options]
 * @returns {AsyncGenerator<Sample[]>} all samples of a step at once
 */
export async function * execute (plan, stopRule, options = {}) {
  const {
    finished = [],
    stages = stagesOf(plan),
    taskOf = cell => lookUp(plan, cell),
    beforeCount,
    profile,
    onStep = () => {},
    signal
  } = options
  const finishedIds = new Set([...finished].map(stepIdOf))
  const closing = new AbortController()
  const end = AbortSignal.any([closing.signal, ...[signal, stopRule.signal].flatMap(end => end ?? [])])
  const pins = choosePins()
  const measure = new Measure(plan.settings, pins, end)
  try {
    for (const stage of stages) {
      const steps = stage.filter(({ id }) => !finishedIds.has(id))
      yield * sideBySide(steps, lanesOf(stage[0], pins), { begin, end: () => closing.abort() })
    }
  } finally {
    closing.abort()
    await measure.end()
  }

  /**
   * @param {Step} planned
   * @param {string[]} pin
   * @returns {Promise<Sample[]> | undefined} undefined where the stop rule wants none of its cells
   */
  function begin (planned, pin) {
    signal?.throwIfAborted()
    if (stopRule.signal?.aborted) return undefined
    const cells = planned.cells.filter(cell => stopRule.wants(cell, planned))
    if (cells.length === 0) return undefined
    const step = { ...planned, cells }
    onStep(step)
    return takeSamples(step, () => measureStep(step, pin)).then(
      // A measurement that was interrupted may have failed because of that.
      samples => (stopRule.signal?.aborted ? [] : samples),
      error => {
        if (stopRule.signal?.aborted && !signal?.aborted) return []
        throw error
      }
    )
  }

  /**
   * @param {Step} step
   * @param {string[]} pin
   */
  async function measureStep (step, pin) {
    const {
      kind,
      cells: [cell],
      id
    } = step
    if (kind === 'profile') return [await /** @type {NonNullable<typeof profile>} */ (profile)(step, end)]
    const tasks = step.cells.map(cell => taskOf(cell, step))
    if (kind === 'heat') return measure.heat(tasks, { seed: seedOf(plan.settings.seed, id), pin })
    if (kind === 'alone') return [await measure.alone(tasks[0], pin)]
    const details = await beforeCount?.(tasks[0], cell, end)
    const counted = tasks[0].scenario.isCounted ? await measure.count(tasks[0]) : { metrics: {}, warnings: [] }
    return [{ ...counted, ...(details && { details }) }]
  }
}

/**
 * @param {Step} step  Of a stage.
 * @param {Pins} pins
 * @returns {string[][]} a command prefix for each step that may run at the same time
 */
function lanesOf ({ kind, isExclusive }, pins) {
  if (isExclusive) return [pins.subject]
  return kind === 'count' ? Array.from({ length: os.availableParallelism() }, () => []) : pins.cores
}

/**
 * Runs steps side by side and yields their samples. The next step begins after the consumer has seen the samples of
 * earlier ones.
 *
 * @param {Step[]} steps
 * @param {string[][]} lanes
 * @param {object} control
 * @param {(step: Step, lane: string[]) => Promise<Sample[]> | undefined} control.begin undefined: the step is left out.
 * @param {() => void} control.end  Ends all steps that are under way.
 */
async function * sideBySide (steps, lanes, { begin, end }) {
  const next = steps.values()
  /** @type {Map<string[], Promise<{lane: string[], samples: Sample[]}>>} */
  const running = new Map()
  const fill = (/** @type {string[]} */ lane) => {
    for (const step of next) {
      const taking = begin(step, lane)
      if (!taking) continue
      running.set(
        lane,
        taking.then(samples => ({ lane, samples }))
      )
      return
    }
  }
  try {
    lanes.forEach(fill)
    while (running.size > 0) {
      const { lane, samples } = await Promise.race(running.values())
      running.delete(lane)
      if (samples.length > 0) yield samples
      fill(lane)
    }
  } finally {
    // After an error, or when the consumer has left its loop.
    if (running.size > 0) end()
    await Promise.allSettled(running.values())
  }
}

/**
 * Every heat draws a workload, a layout and hashes of its own. The run's seed decides the sequence of draws.
 *
 * @param {number} seed
 * @param {string} id  Of the heat.
 */
function seedOf (seed, id) {
  let hash = seed
  for (const character of id) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193)
  return hash >>> 0
}
