/**
 * A user's program as a process that is measured: started with the hook, asked over a socket of its own, and ended.
 * Takes the place of a Child.
 */
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SampleError } from '../../model/errors.js'
import { withinCpuTime } from '../../processes/limits.js'
import { endGroup, lastWordsOf, start, supervise } from '../../processes/processes.js'
import { hookedEnvironment } from '../../processes/run-program.js'
import { chooseServer } from './choose-server.js'
/** @import { ChildProcess } from 'node:child_process' */
/** @import { Socket } from 'node:net' */
/** @import { Runtime } from '../../processes/child.js' */
/** @import { HttpTask } from '../http/running-server.js' */
/** @import { Announced } from '../../subject/program/hook.js' */

/**
 * @typedef {object} ProgramSettings
 * @property {string[]} command
 * @property {string} cwd
 * @property {string} path  Of requests; the probe asks for it, too.
 * @property {number} [port]  The one that the program asks for, of several.
 * @property {number} startSeconds  Wall time until it must answer.
 * @property {boolean} [usesTimers]  Its sockets started idle timers when it was tried out.
 *
 * @typedef {Announced & {since: number, ask: (type: string, options?: object) => Promise<any>}} AnnouncedServer
 *   `since`: by the wall clock.
 */

const HOOK = new URL('../../subject/program/hook.js', import.meta.url)
/** For a program to end by itself. */
const FAREWELL_MS = 500
/** Characters at the end of its output, which tell why it died. */
const LAST_WORDS = 4096

export class Program {
  #task
  #runtime
  #folder = mkdtempSync(path.join(os.tmpdir(), 'timerq-program-'))
  #control = net.createServer(socket => this.#hear(socket))
  /** @type {ChildProcess | undefined} */
  #process
  #died = /** @type {Promise<never>} */ (new Promise(() => {}))
  /** @type {AnnouncedServer[]} */
  #announced = []
  /** @type {AnnouncedServer | undefined} */
  #chosen

  /**
   * @param {HttpTask} task  With a program.
   * @param {Runtime} runtime  Its folder and environment are those of the program.
   */
  constructor (task, runtime) {
    this.#task = task
    this.#runtime = runtime
  }

  /** The process that listens, which a shell or npm may have started. */
  get pid () {
    return this.#chosen?.pid ?? this.#process?.pid
  }

  /**
   * @param {{type: string, [option: string]: unknown}} request
   * @param {number} limitMs  CPU time. Not for `listen`: a program has its own time to start.
   * @param {AbortSignal} [signal]
   * @returns {Promise<any>}
   * @throws {SampleError} when the program dies or cannot be measured
   */
  async ask ({ type }, limitMs, signal) {
    if (type === 'listen') return this.#start(signal)
    return withinCpuTime({ pid: this.pid, limitMs }, over =>
      this.during(
        unlessAborted(/** @type {AnnouncedServer} */ (this.#chosen).ask(type), signal ? [over, signal] : [over])
      )
    )
  }

  /**
   * Waits for work, or for the program's death, which is thrown.
   *
   * @template T
   * @param {Promise<T>} work
   */
  during (work) {
    return Promise.race([work, this.#died])
  }

  /** Asks the program to end, so that it may tidy up, and ends it with all that it has started. */
  async end () {
    const pid = this.#process?.pid
    if (pid !== undefined && this.#process?.exitCode === null) {
      this.#process.kill('SIGTERM')
      await Promise.race([this.#died.catch(() => {}), sleep(FAREWELL_MS, undefined, { ref: false })])
      endGroup(pid)
      await this.#died.catch(() => {})
    }
    this.#control.close()
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 })
  }

  /** @param {AbortSignal} [signal] */
  async #start (signal) {
    const {
      program,
      queueUrl,
      countsIdleTimers,
      params: { connections }
    } = this.#task
    const { command, cwd } = /** @type {ProgramSettings} */ (program)
    const socket = path.join(this.#folder, 'control')
    await new Promise((resolve, reject) => this.#control.once('error', reject).listen(socket, () => resolve(undefined)))
    // A file keeps its output, as for a program in production: a pipe would make it wait for its reader.
    const output = path.join(this.#folder, 'output')
    const file = openSync(output, 'a')
    const env = {
      ...hookedEnvironment(HOOK, {
        TIMERQ_PROGRAM: JSON.stringify({ socket, queueUrl, connections, countsIdleTimers })
      }),
      ...this.#runtime.env
    }
    this.#process = start(command, { cwd: this.#runtime.cwd ?? cwd, stdio: ['ignore', file, file], env })
    closeSync(file)
    this.#died = supervise(this.#process).ended.then(({ ok, ending }) => {
      const reason = ok
        ? ': only a program that goes on can be measured'
        : lastWordsOf(readFileSync(output, 'utf8').slice(-LAST_WORDS))
      throw new SampleError('crash', `${command.join(' ')} ${ending}${reason}`)
    })
    this.#died.catch(() => {})
    this.#chosen = await this.#choose(signal)
    await this.#chosen.ask('choose', { number: this.#chosen.number })
    const { port, isTls, asked, version } = this.#chosen
    return { port, isTls, asked, version, servers: this.#announced.length }
  }

  /**
   * Gives up when the program dies.
   *
   * @param {AbortSignal} [signal]
   */
  async #choose (signal) {
    const over = new AbortController()
    try {
      return await this.during(
        chooseServer(this.#announced, this.#task, signal ? AbortSignal.any([over.signal, signal]) : over.signal)
      )
    } finally {
      over.abort()
    }
  }

  /**
   * Of one process.
   *
   * @param {Socket} socket
   */
  #hear (socket) {
    let requests = 0
    let text = ''
    /** @type {Map<number, {resolve: (value: any) => void, reject: (error: Error) => void}>} */
    const waiting = new Map()
    const ask = (/** @type {string} */ type, options = {}) =>
      new Promise((resolve, reject) => {
        const id = ++requests
        waiting.set(id, { resolve, reject })
        socket.write(JSON.stringify({ id, type, ...options }) + '\n')
      })
    // A process that ends takes its socket along: its death is reported elsewhere.
    socket
      .setEncoding('utf8')
      .on('error', () => {})
      .on('data', chunk => {
        const lines = (text + chunk).split('\n')
        text = lines.pop() ?? ''
        for (const line of lines) {
          const { announced, id, value, error } = JSON.parse(line)
          if (announced) this.#announced.push({ ...announced, since: performance.now(), ask })
          else if (error !== undefined) waiting.get(id)?.reject(new SampleError('crash', error))
          else waiting.get(id)?.resolve(value)
          waiting.delete(id)
        }
      })
  }
}

/**
 * @template T
 * @param {Promise<T>} work
 * @param {AbortSignal[]} signals
 * @returns {Promise<T>}
 */
function unlessAborted (work, signals) {
  const signal = AbortSignal.any(signals)
  return Promise.race([
    work,
    new Promise((_resolve, reject) => {
      if (signal.aborted) reject(signal.reason)
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
  ])
}
