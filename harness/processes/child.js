/**
 * A fresh Node process for one measurement. It gets its tasks and answers each (see answer.js); nothing of it survives the
 * sample.
 */
import { fileURLToPath } from 'node:url'
import { Answers } from './answers.js'
import { MEMORY } from './memory.js'
import { residentMbOf } from './proc-stat.js'
import { endGroup, SampleError, start, supervise, withinCpuTime } from './processes.js'

export { SampleError }

/**
 * @typedef {object} Runtime  A Node binary and its flags.
 * @property {string} name
 * @property {string} path
 * @property {string[]} flags
 * @property {Record<string, string>} [env]  Added to the environment.
 * @property {string} [cwd]  The folder that it starts in.
 * @property {number} [memoryMb]  Most memory that a process may use, inside the heap of V8 and outside.
 */

/** As much as V8 allows a heap on a large machine, but never so much that one process drives out all others. */
const MEMORY_MB = Math.min(4096, Math.floor(MEMORY / 2 / 2 ** 20))

/** V8 ends a process whose heap is full; what a process has outside of the heap must be looked up, which takes 20 microseconds. */
const MEMORY_POLL_MS = 250

/** Node would read them at every start, for 50 milliseconds, though no measured process speaks TLS. */
const NO_CERTIFICATES = { NODE_EXTRA_CA_CERTS: undefined }

export class Child {
  #process
  #answers
  #minWallMs
  /** @type {Promise<never>} */
  #died

  /**
   * @param {URL} entry  The module that the child runs.
   * @param {object} options
   * @param {Runtime} options.runtime
   * @param {string[]} [options.flags]  Node flags; the runtime's own win over them.
   * @param {string[]} [options.pin]  Command prefix that pins the process to cores (see pinning.js).
   * @param {number} [options.minWallMs]  Wall time that every answer may take, however low its limit is.
   */
  constructor (entry, { runtime, flags = [], pin = [], minWallMs }) {
    const { memoryMb = MEMORY_MB } = runtime
    const command = [...pin, runtime.path, `--max-old-space-size=${memoryMb}`, ...flags, ...runtime.flags, fileURLToPath(entry)]
    const env = { ...process.env, ...NO_CERTIFICATES, ...runtime.env }
    this.#process = start(command, { stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'], serialization: 'advanced', env, cwd: runtime.cwd })
    this.#answers = new Answers(this.#process)
    this.#minWallMs = minWallMs
    this.#died = this.#watch(memoryMb)
    this.#died.catch(() => {})
  }

  get pid () {
    return this.#process.pid
  }

  /**
   * @param {{type: string, [option: string]: unknown}} message
   * @param {number} limitMs  CPU time of the child's own until it answers. The wall time may be many times as long.
   * @param {AbortSignal} [signal]
   * @returns {Promise<any>} the child's answer, an object
   * @throws {SampleError} when the child dies, reports an error, does not answer in time, or gives an answer that is none
   */
  async ask (message, limitMs, signal) {
    return withinCpuTime({ pid: this.pid, limitMs, minWallMs: this.#minWallMs }, async over => {
      // A process that could not be started, for want of files, cannot be sent anything.
      const answer = this.#answers.next(id => this.#process.send?.({ ...message, id }, () => {}), signal ? AbortSignal.any([over, signal]) : over)
      answer.catch(() => {})
      return Promise.race([answer, this.#died])
    })
  }

  /**
   * Waits for something that makes sense only while the child lives.
   *
   * @template T
   * @param {Promise<T>} work
   * @returns {Promise<T>}
   * @throws {SampleError} when the child dies
   */
  async during (work) {
    return Promise.race([work, this.#died])
  }

  /** Ends the process, and what it has started; returns when it is gone. */
  async end () {
    endGroup(this.pid)
    await this.#died.catch(() => {})
  }

  /**
   * @param {number} memoryMb
   * @returns {Promise<never>}
   */
  async #watch (memoryMb) {
    let isTooLarge = false
    const poll = setInterval(() => {
      if ((residentMbOf(this.pid) ?? 0) <= memoryMb) return
      isTooLarge = true
      endGroup(this.pid)
    }, MEMORY_POLL_MS).unref()
    const { ending } = await supervise(this.#process).ended
    clearInterval(poll)
    throw new SampleError('crash', isTooLarge ? `used more than ${memoryMb} MB of memory` : `the process ${ending}`)
  }
}
