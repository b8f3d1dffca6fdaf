/** A server under load, in fresh processes: its start, its loads and its end. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Child } from '../../processes/child.js'
import { pinProcess } from '../../processes/pinning.js'
import { cpuMsOf } from '../../processes/proc-stat.js'
import { assertShape, listening, programListening, settled, slice, window } from '../../processes/shapes.js'
import { nameScenario } from '../modules/name-scenario.js'
import { Program } from '../program/program.js'
import { withFolder } from './files.js'
import { openIdleConnections } from '../load/idle-connections.js'
import { generatorOf, urlOf } from '../load/load-generator.js'
/** @import { Runtime } from '../../processes/child.js' */
/** @import { Pins } from '../../processes/pinning.js' */
/** @import { Shape } from '../../processes/shapes.js' */
/** @import { ProgramSettings } from '../program/program.js' */
/** @import { LoadSettings } from '../load/load-generator.js' */
/** @import { Needs } from '../../subject/http/needs.js' */
/** @import { Load, LoadResult } from '../load/wrk.js' */

/**
 * @typedef {object} HttpWork
 * @property {string | null} queueUrl  null: Node's own timers.
 * @property {string} scenarioUrl
 * @property {Record<string, number>} params  connections, threads and seconds among them.
 * @property {number} port  0: any free port.
 * @property {number} warmupMs
 * @property {number} [limitMs]  CPU time for each reply of the server.
 * @property {ProgramSettings} [program]  The user's, in place of the scenario's server.
 * @property {boolean} [countsIdleTimers]  Of that program; costs time.
 *
 * @typedef {HttpWork & LoadSettings} HttpTask
 *
 * @typedef {object} Listening
 * @property {number} port
 * @property {Needs} [needs]  Of a scenario. The other fields are a user's program's.
 * @property {boolean} [isTls]
 * @property {number} [asked]  Port that the program asked for.
 * @property {string} [version]  Of the program's Node.
 * @property {number} [servers]  That the program has.
 *
 * @typedef {{runtime: Runtime, flags?: string[], pins: Pins, signal?: AbortSignal}} ServerOptions `flags`: of Node, on
 *   top of the runtime's.
 *
 * @typedef {(isOver: () => boolean) => Promise<unknown>} DuringLoad  `isOver`: whether the load has ended.
 */

const SERVER = new URL('../../subject/http/server-process.js', import.meta.url)
/** For all requests but `rest`. */
const REPLY_LIMIT_MS = 20_000
/** A program warms up for a time of CPU, and for this multiple of wall time at most. */
const WARM_UP_FACTOR = 4
const WARM_UP_POLL_MS = 50
/** The server gives up before this. */
const REST_LIMIT_MS = 70_000
/**
 * Shapes of replies, by request.
 *
 * @type {Record<string, Shape>}
 */
const SHAPES = { slice, close: window, settle: settled }

/**
 * Starts a server in a process of its own, or a cluster, with all that the scenario declares; warms it up, and ends it
 * after use.
 *
 * @type {<T>(task: HttpTask, options: ServerOptions, use: (server: RunningServer) => Promise<T>) => Promise<T>}
 * @throws {SampleError} when the server dies or the load generator fails
 */
export async function withServer (task, options, use) {
  return withFolder(async directory => {
    const server = new RunningServer(task, { ...options, directory })
    try {
      await server.start()
      return await use(server)
    } finally {
      await server.end()
    }
  })
}

export class RunningServer {
  /** What the server says of itself. */
  listening = /** @type {Listening} */ ({})
  #task
  #options
  #child
  #generate
  /** Aborts loads when the server ends. */
  #over = new AbortController()
  #stop
  #aim = /** @type {Omit<Load, 'seconds'>} */ ({})
  /** @type {Awaited<ReturnType<typeof openIdleConnections>> | undefined} */
  #idle
  /** @type {Promise<unknown>} */
  #generating = Promise.resolve()

  /**
   * @param {HttpTask} task
   * @param {ServerOptions & {directory: string}} options  `directory`: for the scenario's files.
   */
  constructor (task, options) {
    const { runtime, flags, signal } = options
    this.#task = task
    this.#options = options
    this.#generate = generatorOf(task)
    this.#stop = signal ? AbortSignal.any([this.#over.signal, signal]) : this.#over.signal
    this.#child = task.program ? new Program(task, runtime) : new Child(SERVER, { runtime, flags })
  }

  /**
   * Empty for a user's program.
   *
   * @returns {Partial<Needs>}
   */
  get needs () {
    return this.listening.needs ?? {}
  }

  async start () {
    const { params, warmupMs, listen: host, program, scenarioUrl } = this.#task
    const { directory, pins, signal } = this.#options
    const task = { ...this.#task, directory, cores: pins.cores, expectedConnections: connectionsOf(params) }
    const reply = await this.ask({ type: 'listen', ...task }).catch(nameScenario(scenarioUrl))
    this.listening = assertShape(reply, program ? programListening : listening)
    const {
      needs,
      listening: { port, isTls }
    } = this
    this.#aim = { ...loadOf(needs, params), url: urlOf(this.#task, port, isTls), pin: pins.load }
    const { idleConnections: connections = 0 } = needs
    if (connections > 0) {
      this.#idle = await this.#child.during(openIdleConnections({ host, port, connections, pin: pins.load, signal }))
    }
    if (!needs.coldStart) await this.#underLoad(this.#warmUp(warmupMs))
    // Not earlier: the servers of a heat start and warm up on all cores.
    await pinProcess(this.#child.pid, needs.usesAllCores ? [] : pins.subject)
  }

  /** @type {(request: {type: string, [option: string]: unknown}) => Promise<any>} */
  ask = async request => {
    const reply = await this.#child.ask(request, this.#task.limitMs ?? REPLY_LIMIT_MS, this.#options.signal)
    return request.type in SHAPES ? assertShape(reply, SHAPES[request.type]) : reply
  }

  /**
   * Runs a load until all its connections are closed. Only `duringLoad` may ask the server during the load.
   *
   * @type {(seconds: number, duringLoad?: DuringLoad) => Promise<LoadResult>}
   */
  load = async (seconds, duringLoad) => {
    const client = await this.#underLoad(this.#generate({ ...this.#aim, seconds, signal: this.#stop }), duringLoad)
    await this.#idle?.assertOpen()
    return client
  }

  /**
   * A window holds all connections of its own load, from opening to closing, and no connection of another load.
   *
   * @template T
   * @param {Promise<T>} result
   * @param {DuringLoad} [duringLoad]
   */
  async #underLoad (result, duringLoad = async () => {}) {
    let isOver = false
    this.#generating = result
      .catch(() => {})
      .finally(() => {
        isOver = true
      })
    const [client] = await Promise.all([this.#child.during(result), duringLoad(() => isOver)])
    const { idleConnections: connections = 0 } = this.needs
    await this.#child.ask({ type: 'rest', connections }, REST_LIMIT_MS, this.#options.signal)
    return client
  }

  /** @param {number} warmupMs */
  async #warmUp (warmupMs) {
    const longestMs = this.#task.program ? WARM_UP_FACTOR * warmupMs : warmupMs
    const over = AbortSignal.timeout(longestMs)
    const warm = new AbortController()
    if (this.#task.program) {
      this.#usedCpu(warmupMs, over).then(
        () => warm.abort(),
        () => {}
      )
    }
    const end = AbortSignal.any([over, warm.signal])
    // A signal ends the load. Should this process die, the load ends by itself.
    const seconds = Math.ceil(longestMs / 1000) + 1
    try {
      await this.#generate({ ...this.#aim, seconds, signal: AbortSignal.any([end, this.#stop]) })
    } catch (error) {
      if (!end.aborted || this.#stop.aborted) throw error
    }
  }

  /**
   * Resolves when the process has used this much CPU time: only a running program becomes warm. Frameworks are large,
   * and a copy that is still cold costs a multiple.
   *
   * @param {number} milliseconds
   * @param {AbortSignal} signal
   */
  async #usedCpu (milliseconds, signal) {
    const start = cpuMsOf(this.#child.pid)
    // Where CPU time cannot be read, the warm-up takes its longest time.
    if (start === null) return sleep(WARM_UP_FACTOR * milliseconds, undefined, { signal })
    while ((cpuMsOf(this.#child.pid) ?? Infinity) - start < milliseconds) {
      await sleep(WARM_UP_POLL_MS, undefined, { signal })
    }
  }

  async end () {
    this.#over.abort()
    await this.#generating
    await this.#idle?.end()
    await this.#child.end()
  }
}

/**
 * @param {Partial<Needs>} needs
 * @param {Record<string, number>} params
 * @returns {Pick<Load, 'connections' | 'threads' | 'requests' | 'pauseMs'>}
 */
export function loadOf ({ requests, pauseMs }, { connections, threads = 1 }) {
  return { connections, threads, requests, pauseMs }
}

/** @type {(params: Record<string, number>) => number}  Each thread of wrk opens equally many connections. */
const connectionsOf = ({ connections, threads = 1 }) => threads * Math.floor(connections / threads)
