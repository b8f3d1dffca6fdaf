/**
 * A queue in a micro heat, or a workload without a queue: its process, filled and warm, that takes turns when asked.
 */
import { median } from 'simple-statistics'
import { SampleError } from '../../model/errors.js'
import { formatNumber } from '../../model/numbers.js'
import { Child } from '../../processes/child.js'
import { PROCESS } from '../../processes/entries.js'
import * as shapes from '../../processes/shapes.js'
import { warnOfLoading } from './loading.js'
/** @import { Warning } from '../../model/warnings.js' */
/** @import { Runtime } from '../../processes/child.js' */
/** @import { TaskName } from '../../formats/choose-tasks.js' */

/**
 * @typedef {object} MicroJob
 * @property {string} queueUrl  Module of the queue; of an alternative, or the scenario itself, if there is no queue.
 * @property {boolean} [isCode]  Whether the workload has no queue.
 * @property {TaskName} [of]  Task of a benchmark file, which the scenario is.
 * @property {string} scenarioUrl
 * @property {Record<string, number>} params
 * @property {number} seed  Seed of the workload's draws.
 * @property {string | null} [trace]  File that the scenario replays.
 * @property {string} [kept]  Folder of transformed modules.
 *
 * @typedef {object} TurnTimes  Milliseconds of CPU time.
 * @property {number} warmupMs  Shortest warm-up: it lasts until cycles no longer become faster.
 * @property {number} leadMs  Unmeasured start of every turn.
 * @property {number} turnMs  Measured time of every turn, at least, for each phase of a cycle.
 * @property {number} turns  Turns of each queue in a heat.
 * @property {number} limitMs  Limit for getting ready, and for each turn.
 * @property {number} exactLimitMs  Limit for counting; 0: nothing is counted.
 * @property {number} tailMs  Time for the slowest calls; 0: they are not timed.
 *
 * @typedef {object} Fired  Outcome of the verified cycles.
 * @property {number} fired
 * @property {number} checksum  Sum of a hash of each fired timer and its time.
 * @property {number} pending
 * @property {number} [spuriousWakeups]
 *
 * @typedef {{outcome: Fired, isWarm: boolean}} ReadyQueue
 *
 * @typedef {object} Turn
 * @property {number} cpuMs
 * @property {number} operations
 * @property {Record<string, number>} phases  ns per operation, by metric, where the phases of a cycle are timed apart.
 * @property {number} betweenMs  CPU time since the turn before; 0 in the first.
 * @property {number} [interrupted]  Share of the batches, or of their time, that other programs spoilt, where the wall
 *   clock times them.
 *
 * @typedef {object} Drained
 * @property {number} pending  Timers that were pending after the last turn.
 * @property {number} fired  Timers that fired after all deadlines had passed.
 * @property {number} left  Timers that the queue still counted then.
 */

/** Limit of requests that are not timed. */
export const CHECK_LIMIT_MS = 60_000
/**
 * V8 compiles and collects in other threads, and the code that runs when they are done differs from process to process:
 * whole processes come out faster or slower. In one thread they come out alike. The young generation begins as large as
 * a server's becomes, and no collection comes because seconds have passed. No code is thrown away.
 */
const STEADY_FLAGS = [
  '--single-threaded',
  '--min-semi-space-size=16',
  '--max-semi-space-size=16',
  '--no-memory-reducer',
  '--expose-gc',
  '--no-flush-bytecode'
]

/** Operations this many times as long as an empty loop, or shorter, are likely to be nothing else. */
const LIKE_NOTHING = 1.3
const REMEDY = 'let a task return its result; let run() put the sum of all results into outcome.checksum'

export class QueueProcess {
  #child
  #limitMs
  outcome
  /** @type {Warning[]} */
  warnings
  /** Checksum of the last cycle of code. */
  lastChecksum = NaN

  /**
   * @param {MicroJob & {timing: TurnTimes}} job
   * @param {object} options
   * @param {Fired | null} options.expected  The model's outcome; null where the queue may differ.
   * @param {Runtime} options.runtime
   * @param {string[]} options.flags  Node flags that all queues of the heat share.
   * @param {string[]} options.pin  Command prefix (see pinning.js).
   * @param {AbortSignal} [options.signal]
   * @throws {SampleError} when the process dies, takes too long, or fires other timers than the model
   */
  static async start ({ timing: { warmupMs, limitMs }, isCode, ...job }, { expected, flags, ...options }) {
    const child = new Child(PROCESS, { flags: [...STEADY_FLAGS, ...flags], ...options })
    try {
      const type = isCode ? 'prepareCode' : 'prepare'
      // Code may prepare for as long as it likes: nothing of that is timed.
      const readyMs = isCode ? Math.max(limitMs, CHECK_LIMIT_MS) : limitMs
      const prepared = await child.ask({ type, ...job, warmupMs }, readyMs, shapes.prepared)
      assertRight(expected && findDeviation(prepared.outcome, expected))
      return new QueueProcess(child, prepared, limitMs)
    } catch (error) {
      await child.end()
      throw error
    }
  }

  /**
   * @param {Child} child
   * @param {ReadyQueue} prepared
   * @param {number} limitMs
   */
  constructor (child, { outcome, isWarm }, limitMs) {
    this.#child = child
    this.#limitMs = limitMs
    this.outcome = outcome
    this.warnings = isWarm
      ? []
      : [{ kind: 'not-steady', text: 'cycles still became faster when the longest warm-up ended' }]
  }

  /**
   * @param {Pick<TurnTimes, 'leadMs' | 'turnMs'>} lengths
   * @returns {Promise<Turn>}
   */
  turn ({ leadMs, turnMs }) {
    return this.#child.ask({ type: 'turn', leadMs, turnMs }, this.#limitMs, shapes.turn)
  }

  /**
   * Ends code, keeps its last checksum, and warns of code that takes no longer than an empty loop, or long to load.
   *
   * @param {Turn[]} turns
   * @param {Pick<TurnTimes, 'leadMs' | 'turnMs'>} lengths
   */
  async finish (turns, { leadMs, turnMs }) {
    const asked = this.#child.ask({ type: 'finish', leadMs, turnMs }, this.#limitMs, shapes.finished)
    const { nothing, checksum, loadMs, usedMs, late } = await asked
    this.lastChecksum = checksum
    if (nothing) this.warnings.push(...warnOfNothing(turns, nothing))
    this.warnings.push(...warnOfLoading(loadMs, usedMs, late))
  }

  /** @throws {SampleError} when the queue has lost timers, or fires early */
  async drain () {
    assertRight(findLoss(await this.#child.ask({ type: 'drain' }, CHECK_LIMIT_MS, shapes.drained)))
  }

  end () {
    return this.#child.end()
  }
}

/**
 * V8 removes operations whose results are not used. The loop around them remains.
 *
 * @param {Turn[]} turns
 * @param {Turn} nothing  A turn of empty loops.
 * @returns {Warning[]}
 */
function warnOfNothing (turns, nothing) {
  const empty = Object.entries(timesIn(nothing))
  const alike = empty.filter(([metric, ns]) => median(turns.map(turn => timesIn(turn)[metric])) < LIKE_NOTHING * ns)
  if (alike.length === 0) return []
  const times = alike.map(([metric, ns]) => `${metric} of ${formatNumber(ns)} ns`)
  return [
    {
      kind: alike.length === empty.length ? 'empty-loop' : 'empty-phase',
      text: `${times.join(', ')}: V8 may have removed operations whose results are not used; ${REMEDY}`
    }
  ]
}

/**
 * Nanoseconds per operation by metric; of several phases, those of each.
 *
 * @param {Turn} turn
 * @returns {Record<string, number>}
 */
function timesIn ({ cpuMs, operations, phases }) {
  return Object.keys(phases).length > 0 ? phases : { nsPerOp: (1e6 * cpuMs) / operations }
}

/** @param {string | null} fault */
function assertRight (fault) {
  if (fault) throw new SampleError('wrong', `${fault}: run \`timerq check\``)
}

/**
 * @param {Fired} outcome
 * @param {Fired} expected
 * @returns {string | null}
 */
function findDeviation ({ fired, checksum, pending }, expected) {
  if (fired !== expected.fired) return `fired ${fired} timers instead of ${expected.fired}`
  if (checksum !== expected.checksum) return `fired ${fired} timers, but not the right ones at the right times`
  return pending === expected.pending ? null : `had ${pending} timers pending instead of ${expected.pending}`
}

/**
 * @param {Drained} drained
 * @returns {string | null}
 */
function findLoss ({ pending, fired, left }) {
  if (fired === pending && left === 0) return null
  return `fired ${fired} of its ${pending} pending timers after all deadlines had passed, and still counted ${left}`
}
