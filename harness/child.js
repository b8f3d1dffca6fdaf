/**
 * A fresh Node process for one measurement, told what to do and answering over IPC. Nothing of it survives the sample.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** How much of a child's stderr is kept for its obituary. */
const STDERR_LIMIT = 4096

/** What went wrong with one sample; the run goes on without it. */
export class SampleError extends Error {
  /**
   * @param {'crash' | 'time-limit' | 'wrong' | 'load'} kind
   * @param {string} message
   */
  constructor (kind, message) {
    super(message)
    this.kind = kind
  }
}

/**
 * @typedef {{name: string, path: string, flags: string[], env?: Record<string, string>}} Runtime  A Node binary and its
 *   flags; `env` is added to the environment.
 */

export class Child {
  #process
  #stderr = ''
  /** @type {Promise<never>} */
  #died

  /**
   * @param {URL} entry  The module that the child runs.
   * @param {object} options
   * @param {Runtime} options.runtime
   * @param {string[]} [options.flags]  Node flags; the runtime's own win over them.
   * @param {string[]} [options.pin]  Command prefix that pins the process to cores (see pinning.js).
   */
  constructor (entry, { runtime, flags = [], pin = [] }) {
    const [command, ...args] = [...pin, runtime.path, ...flags, ...runtime.flags, fileURLToPath(entry)]
    const env = { ...process.env, ...runtime.env }
    this.#process = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], serialization: 'advanced', env })
    this.#process.stderr?.setEncoding('utf8').on('data', text => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_LIMIT)
    })
    this.#died = new Promise((_resolve, reject) => {
      this.#process.once('error', error => reject(new SampleError('crash', error.message)))
      // 'close' comes after the last of stderr.
      this.#process.once('close', (code, signal) => reject(new SampleError('crash', this.#obituary(code, signal))))
    })
    this.#died.catch(() => {})
  }

  get pid () {
    return this.#process.pid
  }

  /**
   * @param {object} message
   * @param {number} timeLimitMs
   * @param {AbortSignal} [signal]
   * @returns {Promise<any>} the child's next message
   * @throws {SampleError} when the child dies, reports an error, or does not answer in time
   */
  async ask (message, timeLimitMs, signal) {
    const timeout = AbortSignal.timeout(timeLimitMs)
    const answer = once(this.#process, 'message', { signal: signal ? AbortSignal.any([timeout, signal]) : timeout })
    this.#process.send(message, () => {})
    try {
      const [reply] = await Promise.race([answer, this.#died])
      if (reply.error) throw new SampleError('crash', reply.error)
      return reply
    } catch (error) {
      if (timeout.aborted && !signal?.aborted) {
        throw new SampleError('time-limit', `no answer within ${timeLimitMs / 1000} s`)
      }
      throw error
    } finally {
      answer.catch(() => {})
    }
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

  /**
   * @param {number | null} code
   * @param {NodeJS.Signals | null} signal
   */
  #obituary (code, signal) {
    const lastWords = this.#stderr.split('\n').find(line => /error|fatal/i.test(line)) ?? this.#stderr.trim().split('\n').at(-1)
    return `the process ended with ${signal ?? `exit code ${code}`}${lastWords ? `: ${lastWords.trim()}` : ''}`
  }
}
