/** One micro cell in fresh processes: its part in a heat, and what is counted of it. */
import { loadScenario } from '../modules/load-scenario.js'
import { Child, SampleError } from '../../processes/child.js'
import { together } from '../../processes/processes.js'
import * as shapes from '../../processes/shapes.js'
import { WORK_FLAGS } from '../work-counter.js'

/**
 * @typedef {object} MicroTask
 * @property {string} queueUrl
 * @property {string} scenarioUrl
 * @property {Record<string, number>} params
 * @property {number} seed
 * @property {string | null} [trace]  A file, for scenarios that replay one.
 *
 * @typedef {object} Timing  All in milliseconds of CPU time.
 * @property {number} warmupMs  At least: warm-up lasts until cycles no longer become faster.
 * @property {number} leadMs  Run at the start of every turn, before the clock starts.
 * @property {number} turnMs  Measured in every turn, at least, for each phase of a cycle.
 * @property {number} turns  Of each queue in a heat.
 * @property {number} places  In memory, at most, in which its process takes them: so many of these turns each.
 * @property {number} [waitMs]  What the turns of a heat may last longer, all together, until the core runs at full speed. Nobody looks
 *   whether it does where this is missing.
 * @property {number} limitMs  For getting ready, and for each turn.
 * @property {number} exactLimitMs  For counting; 0: nothing is counted.
 * @property {number} tailMs  For timing the slowest calls; 0: they are not timed.
 *
 * @typedef {{fired: number, checksum: number, pending: number, spuriousWakeups?: number}} Fired  And what was pending then.
 * @typedef {{pending: number, fired: number, left: number}} Drained  Timers when the clock had stopped, how many of them
 *   fired once all time had passed, and how many the queue still counted then.
 * @typedef {{cpuMs: number, operations: number, phases: Record<string, number>}} Timed  `phases`: ns per operation, by metric, where
 *   parts of a cycle are timed apart.
 * @typedef {Timed & {otherMs: number, watched?: Watched}} Turn  `otherMs`: CPU time of the turn besides, such as its lead.
 * @typedef {{loopMs: number, slowMs: number, atFullSpeed: Timed | null}} Watched  See core-watch.js. `loopMs`: what a tenth of the
 *   loops of this turn took at most. `slowMs`: measured while the core was slower; `atFullSpeed`: what was measured while it was not.
 */

const CHILD = new URL('./child.js', import.meta.url)
const EXACT_CHILD = new URL('./exact-child.js', import.meta.url)
const MODEL = new URL('../trust/model-queue.js', import.meta.url)
/** For what is not timed. */
const CHECK_LIMIT_MS = 60_000
/**
 * V8 compiles and collects in other threads, and which code runs when they are done differs from process to process:
 * whole processes come out faster or slower. In one thread they come out alike. A young generation that grows on the way
 * would do the same harm, so it begins as large as a server's becomes; and so would a collection that V8 makes because
 * seconds have passed. Timers are collected when child.js says so, and then they all move; no code goes.
 */
const STEADY_FLAGS = [
  '--single-threaded', '--min-semi-space-size=16', '--max-semi-space-size=16', '--no-memory-reducer', '--expose-gc',
  '--compact-on-every-full-gc', '--no-flush-bytecode'
]
/** The heap is the same to the byte when no code comes or goes in the background. */
const WEIGH_FLAGS = [...WORK_FLAGS, '--expose-gc', '--single-threaded', '--no-flush-bytecode']

/** Nobody looks how fast the core is. */
const NO_WAIT = { waitMs: 0, paceMs: 0, givesUp: false }

/** A queue in a heat: its process, filled and warm. */
export class MicroRunner {
  #child
  #task
  #outcome
  #signal
  #turns = 0
  warnings
  /** What the loop of core-watch.js took when the queue was warm. */
  loopMs

  /**
   * @param {MicroTask & {timing: Timing}} task
   * @param {object} options
   * @param {Fired | null} options.expected  What the model fires in the verified cycles; null where the queue may differ.
   * @param {import('../../processes/child.js').Runtime} options.runtime
   * @param {string[]} options.flags  Node flags that all queues of the heat share.
   * @param {string[]} options.pin
   * @param {AbortSignal} [options.signal]
   * @throws {SampleError} when the process dies, takes too long, or fires something else than the model
   */
  static async start (task, { expected, runtime, flags, pin, signal }) {
    const child = new Child(CHILD, { runtime, flags: [...STEADY_FLAGS, ...flags], pin })
    try {
      const { timing: { warmupMs, limitMs }, ...workload } = task
      const prepared = shapes.assertShape(await child.ask({ type: 'prepare', ...workload, warmupMs }, limitMs, signal), shapes.prepared)
      assertRight(findDeviation(prepared.outcome, expected))
      return new MicroRunner(child, task, prepared, signal)
    } catch (error) {
      await child.end()
      throw error
    }
  }

  /**
   * @param {Child} child
   * @param {MicroTask & {timing: Timing}} task
   * @param {{outcome: Fired, isWarm: boolean, loopMs: number}} prepared
   * @param {AbortSignal} [signal]
   */
  constructor (child, task, { outcome, isWarm, loopMs }, signal) {
    this.#child = child
    this.#task = task
    this.#outcome = outcome
    this.loopMs = loopMs
    this.#signal = signal
    this.warnings = isWarm ? [] : ['not steady: cycles still became faster when the longest warm-up ended']
  }

  /**
   * @param {Pick<Timing, 'leadMs' | 'turnMs'>} [lengths]  Of this turn.
   * @param {{waitMs: number, paceMs: number, givesUp: boolean}} [wait]  See child.js.
   * @returns {Promise<Turn>}
   */
  async turn ({ leadMs, turnMs } = this.#task.timing, wait = NO_WAIT) {
    const { limitMs, places, turns } = this.#task.timing
    const place = Math.floor(this.#turns++ * places / turns)
    return shapes.assertShape(await this.#child.ask({ type: 'turn', place, leadMs, turnMs, ...wait }, limitMs, this.#signal), shapes.turn)
  }

  get spuriousWakeups () {
    return this.#outcome.spuriousWakeups
  }

  /** @throws {SampleError} when the queue loses timers or fires early */
  async drain () {
    assertRight(findLoss(shapes.assertShape(await this.#child.ask({ type: 'drain' }, CHECK_LIMIT_MS, this.#signal), shapes.drained)))
  }

  end () {
    return this.#child.end()
  }
}

/** @param {string | null} fault */
function assertRight (fault) {
  if (fault) throw new SampleError('wrong', `${fault}: run \`timerq check\``)
}

/**
 * @param {Fired} outcome
 * @param {Fired | null} expected
 * @returns {string | null}
 */
function findDeviation ({ fired, checksum, pending }, expected) {
  if (expected === null) return null
  if (fired !== expected.fired || checksum !== expected.checksum) {
    return `fired ${fired} timers with checksum ${checksum}, the model ${expected.fired} with ${expected.checksum}`
  }
  return pending === expected.pending ? null : `had ${pending} timers pending, the model ${expected.pending}`
}

/**
 * @param {Drained} drained
 * @returns {string | null}
 */
function findLoss ({ pending, fired, left }) {
  if (fired === pending && left === 0) return null
  return `of ${pending} pending timers ${fired} fired when all time had passed, and ${left} stayed`
}

/**
 * What an exact queue must fire in the verified cycles of a scenario, by the reference model.
 *
 * @param {Omit<MicroTask, 'queueUrl'>} task
 * @param {import('../../processes/child.js').Runtime} runtime
 * @param {AbortSignal} [signal]
 * @returns {Promise<Fired>}
 */
export async function expectedOutcome (task, runtime, signal) {
  const child = new Child(CHILD, { runtime })
  try {
    return shapes.assertShape(await child.ask({ type: 'verify', ...task, queueUrl: MODEL.href }, CHECK_LIMIT_MS, signal), shapes.fired)
  } catch (error) {
    if (!(error instanceof SampleError)) throw error
    // It was killed, for example: no fault of the queues that are compared with it.
    throw new SampleError(error.kind === 'crash' ? 'load' : error.kind, `the reference model: ${error.message}`)
  } finally {
    await child.end()
  }
}

/**
 * Work per operation and bytes per timer, each in a process of its own. So are lateness, of workloads that say when a timer
 * should expire, and the work of the longest advance, of those that ask for it.
 *
 * @param {MicroTask} task
 * @param {import('../../processes/child.js').Runtime} runtime
 * @param {number} limitMs
 * @param {AbortSignal} [signal]
 * @throws {SampleError} when a process dies or takes too long
 */
export async function measureExact (task, runtime, limitMs, signal) {
  const scenario = await loadScenario(task.scenarioUrl)
  const answers = await together([
    end => askFresh('count', WORK_FLAGS, shapes.counted, end),
    end => askFresh('weigh', WEIGH_FLAGS, shapes.weighed, end),
    ...('countsLongestAdvance' in scenario && scenario.countsLongestAdvance ? [(/** @type {AbortSignal} */ end) => askFresh('countLongestAdvance', WORK_FLAGS, shapes.longestAdvance, end)] : []),
    ...('recordsLateness' in scenario && scenario.recordsLateness ? [(/** @type {AbortSignal} */ end) => askFresh('recordLateness', [], shapes.late, end)] : [])
  ], signal)
  return { metrics: Object.assign({}, ...answers), warnings: [] }

  /**
   * @param {string} type
   * @param {string[]} flags
   * @param {shapes.Shape} shape
   * @param {AbortSignal} end
   */
  async function askFresh (type, flags, shape, end) {
    const child = new Child(EXACT_CHILD, { runtime, flags })
    try {
      return shapes.assertShape(await child.ask({ type, ...task }, limitMs, end), shape)
    } finally {
      await child.end()
    }
  }
}
