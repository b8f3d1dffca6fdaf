/**
 * Measures cells: several at the same time in a heat, one alone, or one whose work is counted. Runs without servers
 * load no code for them.
 */
import { runMicroHeat } from './heat/micro.js'
import { countMicro, timeSlowestCalls } from './micro/alone.js'
import { Reference } from './micro/reference.js'
import { controlIn } from '../model/cell.js'
/** @import { SampleError } from '../model/errors.js' */
/** @import { Settings } from '../plan/plan.js' */
/** @import { Pins } from '../processes/pinning.js' */
/** @import { CellTask } from './look-up.js' */
/** @import { Fired } from './micro/queue-process.js' */

/** Thousands of requests, interpreted. */
const SERVER_COUNT_LIMIT_MS = 60_000

/**
 * @typedef {object} Measured
 * @property {Record<string, number>} metrics
 * @property {Record<string, (number | null)[]>} [slices]
 * @property {boolean} [isSlow]  The queue had no turn in most slices of a heat.
 * @property {string[]} warnings
 * @property {object} [details]
 */

export class Measure {
  #settings
  #pins
  #signal
  #reference = new Reference()

  /**
   * @param {Settings} settings
   * @param {Pins} pins
   * @param {AbortSignal} [signal]
   */
  constructor (settings, pins, signal) {
    this.#settings = settings
    this.#pins = pins
    this.#signal = signal
  }

  /**
   * Cells of one scenario at the same time. Everything that varies is drawn from the seed, the same for all of them:
   * the workload, the layout of memory, hashes.
   *
   * @param {CellTask[]} tasks
   * @param {{seed: number, pin: string[]}} options  `pin`: the core of a micro heat.
   * @returns {Promise<(Measured | SampleError)[]>} one a cell
   */
  async heat (tasks, { seed, pin }) {
    const signal = this.#signal
    if (tasks[0].scenario.kind === 'http') {
      const portOf = (/** @type {number} */ port, /** @type {number} */ i) => (port === 0 ? 0 : port + i)
      const entrants = tasks.map(({ httpTask, runtime }, i) => ({
        task: { ...httpTask, seed, port: portOf(httpTask.port, i) },
        runtime
      }))
      const { runHttpHeat } = await import('./heat/http.js')
      return runHttpHeat(entrants, { timing: this.#settings.httpHeat, pins: this.#pins, signal })
    }
    const outcomes = await this.#referenceOutcomes(tasks, seed)
    return runMicroHeat(
      tasks.map(task => ({
        task: { ...task.microTask, seed },
        runtime: task.runtime,
        expected: isExact(task) ? (outcomes.get(paramsKey(task)) ?? null) : null,
        processes: this.#processesFor(task, tasks)
      })),
      { seed, pin, signal }
    )
  }

  /**
   * What exact queues must fire. A heat may hold a queue in several sizes, and each size is a workload of its own.
   *
   * @param {CellTask[]} tasks
   * @param {number} seed
   * @returns {Promise<Map<string, Fired>>} by the workload's parameters
   */
  async #referenceOutcomes (tasks, seed) {
    const outcomes = new Map()
    for (const task of tasks.filter(isExact)) {
      const key = paramsKey(task)
      if (!outcomes.has(key)) {
        outcomes.set(key, await this.#reference.outcomeOf({ ...task.microTask, seed }, this.#signal))
      }
    }
    return outcomes
  }

  /**
   * @param {CellTask} task
   * @param {string[]} pin  The core of a micro cell.
   * @returns {Promise<Measured>}
   */
  async alone ({ scenario, httpTask, microTask, runtime }, pin) {
    if (scenario.kind === 'micro') return timeSlowestCalls(microTask, runtime, pin, this.#signal)
    const { measureHttp } = await import('./http/measure-alone.js')
    return measureHttp(httpTask, runtime, this.#pins, this.#signal)
  }

  /**
   * @param {CellTask} task  Of a scenario that is counted, and no built-in queue.
   * @returns {Promise<Measured>}
   */
  async count ({ scenario, httpTask, microTask, runtime, countSeed: seed }) {
    const { exactLimitMs: limitMs } = this.#settings.micro
    if (scenario.kind !== 'http') {
      return countMicro({ ...microTask, ...countsOf(scenario), seed }, runtime, limitMs, this.#signal)
    }
    const { countServerWork } = await import('./http/exact.js')
    return countServerWork({ ...httpTask, queueUrl: microTask.queueUrl }, runtime, SERVER_COUNT_LIMIT_MS, this.#signal)
  }

  end () {
    return this.#reference.end()
  }

  /**
   * Noise in the control affects every ratio, so several processes measure it: the root of the number of queues that
   * are compared with it (C. W. Dunnett, "A multiple comparison procedure for comparing several treatments with a
   * control", 1955).
   *
   * @param {CellTask} task
   * @param {CellTask[]} tasks
   */
  #processesFor ({ queue, scenario }, tasks) {
    const isOnlyControl =
      queue.name === controlIn(this.#settings, scenario) &&
      tasks.filter(task => task.queue.name === queue.name).length === 1
    return isOnlyControl ? Math.max(1, Math.round(Math.sqrt(tasks.length - 1))) : 1
  }
}

/** @param {CellTask} task */
const isExact = ({ queue }) => queue.meta.accuracy === 'exact'

/** @param {CellTask} task */
const paramsKey = ({ microTask }) => JSON.stringify(microTask.params)

/** @param {CellTask['scenario']} scenario */
const countsOf = ({ countsLongestAdvance, recordsLateness }) => ({ countsLongestAdvance, recordsLateness })
