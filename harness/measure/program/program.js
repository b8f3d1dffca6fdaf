/**
 * A user's program as a measured process: started with the hook, asked over the hook's socket, and ended.
 * Takes the place of a Child.
 */
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SampleError } from '../../model/errors.js'
import { Channel } from '../../processes/channel.js'
import { Attendance, describeAbsence } from '../../processes/hooked.js'
import { withinCpuTime } from '../../processes/limits.js'
import { connectLines } from '../../processes/lines.js'
import { endProcess, lastWordsOf, startProcess, supervise } from '../../processes/processes.js'
import { announcement, assertShape } from '../../processes/shapes.js'
import { hasSignals, socketAt } from '../../processes/system.js'
import { chooseServer } from './choose-server.js'
/** @import { ChildProcess } from 'node:child_process' */
/** @import { Socket } from 'node:net' */
/** @import { Request } from '../../processes/channel.js' */
/** @import { Runtime } from '../../processes/child.js' */
/** @import { Shape } from '../../processes/shapes.js' */
/** @import { HttpJob } from '../http/running-server.js' */
/** @import { Announced } from '../../subject/program/hook.js' */

/**
 * @typedef {object} ProgramSettings
 * @property {string[]} command
 * @property {string} cwd
 * @property {string} path  Path of all requests, and of the probe.
 * @property {number} [port]  Port of the server to load, if the program has several.
 * @property {number} [askedPort]  Port of the server that took the load when it was tried out.
 * @property {number} startSeconds  Wall time until it must answer.
 * @property {boolean} [usesTimers]  Whether its sockets started idle timers when it was tried out.
 * @property {number} [requestsPerSecond]  When it was tried out; 0: it counts none.
 *
 * @typedef {Announced & {since: number, channel: Channel}} AnnouncedServer  `since`: time of the announcement.
 */

const HOOK = new URL('../../subject/program/hook.js', import.meta.url)
/** Time in which a program may end by itself. */
const FAREWELL_MS = 500
/** Characters at the end of its output, which tell why it died. */
const LAST_WORDS = 4096

export class Program {
  #job
  #runtime
  #isAsked
  /** Aborts the search for a server, and every wait for a reply: the program is ended, or sent an invalid message. */
  #over = new AbortController()
  #signal
  #folder = mkdtempSync(path.join(os.tmpdir(), 'timerq-program-'))
  #control = net.createServer(socket => this.#hear(socket))
  /** @type {Set<Socket>} */
  #sockets = new Set()
  #attendance = new Attendance(HOOK, path.join(this.#folder, 'present'))
  /** @type {ChildProcess | undefined} */
  #process
  #died = /** @type {Promise<never>} */ (new Promise(() => {}))
  /** @type {AnnouncedServer[]} */
  #announced = []
  /** @type {AnnouncedServer | undefined} */
  #chosen

  /**
   * @param {HttpJob} job  Job that has a program.
   * @param {{runtime: Runtime, signal?: AbortSignal, isAsked?: boolean}} options  The runtime's folder and environment
   *   become the program's. `isAsked`: it is asked to end over its channel, instead of being signalled.
   */
  constructor (job, { runtime, signal, isAsked = !hasSignals }) {
    this.#job = job
    this.#runtime = runtime
    this.#isAsked = isAsked
    this.#signal = signal ? AbortSignal.any([this.#over.signal, signal]) : this.#over.signal
  }

  /** The process that listens, which a shell or npm may have started. */
  get pid () {
    return this.#chosen?.pid ?? this.#process?.pid
  }

  /**
   * @param {Request} request
   * @param {number} limitMs  CPU time, except for `listen`: a program has its own time to start.
   * @param {Shape} [shape]  Shape of the reply.
   * @returns {Promise<any>}
   * @throws {SampleError} when the program dies or cannot be measured
   */
  async ask ({ type }, limitMs, shape) {
    const options = { pid: this.pid, limitMs, signal: this.#signal }
    const reply = await (type === 'listen'
      ? this.#start()
      : withinCpuTime(options, () => this.during(/** @type {AnnouncedServer} */ (this.#chosen).channel.ask({ type }))))
    return shape ? assertShape(reply, shape) : reply
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
    this.#over.abort()
    if (this.#process) {
      if (!this.#isAsked) this.#process.kill('SIGTERM')
      else for (const { channel } of this.#announced) channel.ask({ type: 'end' }).catch(() => {})
      await Promise.race([this.#died.catch(() => {}), sleep(FAREWELL_MS, undefined, { ref: false })])
      await endProcess(this.#process)
      await this.#died.catch(() => {})
      this.#attendance.signalStrays(Number(this.#process.pid), 'SIGKILL')
    }
    for (const socket of this.#sockets) socket.destroy()
    this.#control.close()
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 })
  }

  async #start () {
    const { queueUrl, countsIdleTimers, params } = this.#job
    const { command, cwd } = /** @type {ProgramSettings} */ (this.#job.program)
    const socket = socketAt(path.join(this.#folder, 'control'))
    await new Promise((resolve, reject) => this.#control.once('error', reject).listen(socket, () => resolve(undefined)))
    // A file keeps its output, as for a program in production: a pipe would make it wait for its reader.
    const output = path.join(this.#folder, 'output')
    const file = openSync(output, 'a')
    const settings = { socket, queueUrl, connections: params.connections, countsIdleTimers }
    const attendance = this.#attendance
    this.#process = startProcess(command, {
      cwd: this.#runtime.cwd ?? cwd,
      // Silent and open: some servers end with their input.
      stdio: ['pipe', file, file],
      env: { ...attendance.environment({ TIMERQ_PROGRAM: JSON.stringify(settings) }), ...this.#runtime.env }
    })
    const pid = Number(this.#process.pid)
    const findAbsence = () => {
      attendance.look(pid)
      const attended = attendance.read()
      return attended.hooked.length === 0 && attended.isExpected
        ? null
        : describeAbsence(attended, 'the hook', command)
    }
    closeSync(file)
    this.#died = supervise(this.#process).ended.then(({ ok, ending }) => {
      const reason = ok
        ? `: ${attendance.describeStrays(pid) ?? 'only a program that goes on can be measured'}`
        : lastWordsOf(readFileSync(output, 'utf8').slice(-LAST_WORDS))
      throw new SampleError('crash', `${command.join(' ')} ${ending}${reason}`)
    })
    this.#died.catch(() => {})
    const portsAsked = () => attendance.read().hooked.flatMap(({ portsAsked = [] }) => portsAsked)
    const options = { findAbsence, portsAsked, signal: this.#signal }
    const choice = chooseServer(this.#announced, this.#job, options).catch(error => {
      this.#signal.throwIfAborted()
      throw error
    })
    this.#chosen = await this.during(choice)
    const { channel, number, port, isTls, asked, version } = this.#chosen
    await this.during(channel.ask({ type: 'choose', number }))
    return { port, isTls, asked, version, servers: this.#announced.length }
  }

  /** @param {Socket} socket  Connection of one process of the program. */
  #hear (socket) {
    const receive = (/** @type {any} */ message) => {
      if (Number.isInteger(message?.id)) return channel.receive(message)
      const { announced } = assertShape(message, announcement)
      this.#announced.push({ ...announced, since: performance.now(), channel })
    }
    const send = connectLines(socket, receive, error => {
      const reason = error instanceof SampleError ? error.message : 'its process sent an invalid reply: no JSON'
      this.#over.abort(new SampleError('wrong', reason))
    })
    this.#sockets.add(socket)
    const channel = new Channel(send, 'the program')
  }
}
