/**
 * A fresh Node process for one measurement. It gets its tasks and answers over IPC; nothing of it survives the sample.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { SampleError, supervise, withinCpuTime } from './processes.js'

export { SampleError }

/**
 * @typedef {{name: string, path: string, flags: string[], env?: Record<string, string>, cwd?: string}} Runtime  A Node binary
 *   and its flags; `env` is added to the environment, `cwd` is the folder that it starts in.
 */

export class Child {
  #process
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
    const [command, ...args] = [...pin, runtime.path, ...flags, ...runtime.flags, fileURLToPath(entry)]
    const env = { ...process.env, ...runtime.env }
    this.#process = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], serialization: 'advanced', env, cwd: runtime.cwd })
    this.#minWallMs = minWallMs
    this.#died = supervise(this.#process).ended.then(({ ending }) => { throw new SampleError('crash', `the process ${ending}`) })
    this.#died.catch(() => {})
  }

  get pid () {
    return this.#process.pid
  }

  /**
   * @param {object} message
   * @param {number} limitMs  CPU time of the child's own until it answers. The wall time may be many times as long.
   * @param {AbortSignal} [signal]
   * @returns {Promise<any>} the child's next message
   * @throws {SampleError} when the child dies, reports an error, or does not answer in time
   */
  async ask (message, limitMs, signal) {
    const reply = await withinCpuTime({ pid: this.pid, limitMs, minWallMs: this.#minWallMs }, async over => {
      const answer = once(this.#process, 'message', { signal: signal ? AbortSignal.any([over, signal]) : over })
      answer.catch(() => {})
      this.#process.send(message, () => {})
      const [reply] = await Promise.race([answer, this.#died])
      return reply
    })
    if (reply.error) throw new SampleError('crash', reply.error)
    return reply
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

  /** Ends the process; returns when it is gone. */
  async end () {
    this.#process.kill('SIGKILL')
    await this.#died.catch(() => {})
  }
}
