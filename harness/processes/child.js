/** A fresh Node process for one measurement. The process answers requests (see answer.js) and ends with the sample. */
import os from 'node:os'
import { fileURLToPath } from 'node:url'
import { SampleError } from '../model/errors.js'
import { Channel } from './channel.js'
import { withinCpuTime } from './limits.js'
import { residentMbOf } from './proc-stat.js'
import { endGroup, start, supervise } from './processes.js'

/**
 * @typedef {{name: string, path: string, flags: string[], env?: Record<string, string>, cwd?: string, memoryMb?: number}}
 *   Runtime A Node binary and its flags. `env` is added to the environment; `memoryMb` limits V8's heap, and the whole
 *   process, too.
 */

/**
 * Half of the machine or of this process's container, and no more than V8's own limit: one process must not drive out
 * all others.
 */
const MEMORY_MB = Math.min(
  4096,
  Math.floor(Math.min(os.totalmem(), process.constrainedMemory() || Infinity) / 2 / 2 ** 20)
)

/** V8 ends a process whose heap is full; memory outside the heap must be looked up, which takes 20 microseconds. */
const MEMORY_POLL_MS = 250

/** Node would read certificates at every start, for 50 milliseconds, though no measured process speaks TLS. */
const NO_CERTIFICATES = { NODE_EXTRA_CA_CERTS: undefined }

export class Child {
  #process
  #channel
  #minWallMs
  /** @type {Promise<never>} */
  #died

  /**
   * @param {URL} entry  The module that the child runs.
   * @param {{runtime: Runtime, flags?: string[], pin?: string[], minWallMs?: number}} options `flags`: of Node; the
   *   runtime's own win over them. `pin`: a command prefix (see pinning.js). `minWallMs`: wall time that every reply
   *   may take.
   */
  constructor (entry, { runtime, flags = [], pin = [], minWallMs }) {
    const { memoryMb = MEMORY_MB } = runtime
    const command = [
      ...pin,
      runtime.path,
      `--max-old-space-size=${memoryMb}`,
      ...flags,
      ...runtime.flags,
      fileURLToPath(entry)
    ]
    const env = { ...process.env, ...NO_CERTIFICATES, ...runtime.env }
    this.#process = start(command, {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
      env,
      cwd: runtime.cwd
    })
    this.#channel = new Channel(this.#process)
    this.#minWallMs = minWallMs
    this.#died = this.#watch(memoryMb)
    this.#died.catch(() => {})
  }

  get pid () {
    return this.#process.pid
  }

  /**
   * @param {{type: string, [option: string]: unknown}} request
   * @param {number} limitMs  CPU time of the child until it replies. The wall time may be many times as long.
   * @param {AbortSignal} [signal]
   * @returns {Promise<any>} an object
   * @throws {SampleError} when the child dies, reports an error, does not reply in time, or sends an invalid reply
   */
  async ask (request, limitMs, signal) {
    return withinCpuTime({ pid: this.pid, limitMs, minWallMs: this.#minWallMs }, over =>
      this.during(this.#channel.ask(request, signal ? AbortSignal.any([over, signal]) : over))
    )
  }

  /**
   * Waits for work, or for the child's death, which is thrown.
   *
   * @template T
   * @param {Promise<T>} work
   */
  async during (work) {
    return Promise.race([work, this.#died])
  }

  /** Ends the process and all that it has started; returns when the process is gone. */
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
