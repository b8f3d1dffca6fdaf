/** A server under load, in fresh processes: its start, its loads and its end. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Child } from '../../processes/child.js'
import { pinProcess } from '../../processes/pinning.js'
import { cpuMsOf } from '../../processes/proc-stat.js'
import { assertShape, listening, settled, slice, window } from '../../processes/shapes.js'
import { loadScenario } from '../modules/load.js'
import { Program } from '../program/program.js'
import { withFiles } from './files.js'
import { openIdleConnections } from './idle-connections.js'
import { generatorOf, urlOf } from './load-generator.js'
/** @import { HttpScenario } from '../../../scenarios/contract.js' */
/** @import { Runtime } from '../../processes/child.js' */
/** @import { Pins } from '../../processes/pinning.js' */
/** @import { Shape } from '../../processes/shapes.js' */
/** @import { ProgramSettings } from '../program/program.js' */
/** @import { LoadSettings } from './load-generator.js' */
/** @import { Load, LoadResult } from './wrk.js' */

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
 * @typedef {{runtime: Runtime, flags?: string[], pins: Pins, signal?: AbortSignal}} ServerOptions  `flags`: of Node, on top of the runtime's.
 * @typedef {(isOver: () => boolean) => Promise<unknown>} DuringLoad  `isOver`: whether the load has ended.
 */

const SERVER = new URL('./server.js', import.meta.url)
const CLUSTER = new URL('./cluster.js', import.meta.url)
/** For all requests but `rest`. */
const REPLY_LIMIT_MS = 20_000
/** A program warms up for a time of CPU, and for this multiple of wall time at most. */
const WARM_UP_FACTOR = 4
const WARM_UP_POLL_MS = 50
/** The server gives up before this. */
const REST_LIMIT_MS = 70_000
/** Shapes of replies, by request. @type {Record<string, Shape>} */
const SHAPES = { listen: listening, slice, close: window, settle: settled }

/**
 * Starts a server in a process of its own, or a cluster, with all that the scenario declares; warms it up, and ends it
 * after use.
 *
 * @type {<T>(task: HttpTask, options: ServerOptions, use: (server: RunningServer) => Promise<T>) => Promise<T>}
 * @throws {SampleError} when the server dies or the load generator fails
 */
export async function withServer (task, options, use) {
  const scenario = /** @type {HttpScenario} */ (task.program ? {} : await loadScenario(task.scenarioUrl))
  return withFiles(scenario.files?.(task.params), async directory => {
    const server = new RunningServer(scenario, task, { ...options, directory })
    try {
      await server.start()
      return await use(server)
    } finally {
      await server.end()
    }
  })
}

export class RunningServer {
  scenario
  /** What a user's program says of its server. */
  listening = /** @type {{port: number, isTls?: boolean, asked?: number, version?: string, servers?: number}} */ ({})
  #task
  #options
  #child
  #generate
  /** Aborts loads when the server ends. */
  #over = new AbortController()
  #stop
  #aim = /** @type {Omit<Load, 'seconds'>} */ ({})
  #idleConnections
  /** @type {Awaited<ReturnType<typeof openIdleConnections>> | undefined} */
  #idle
  /** @type {Promise<unknown>} */
  #generating = Promise.resolve()

  /**
   * @param {HttpScenario} scenario @param {HttpTask} task
   * @param {ServerOptions & {directory: string | null}} options  `directory`: with the scenario's files.
   */
  constructor (scenario, task, options) {
    const { runtime, flags, signal } = options
    this.scenario = scenario
    this.#task = task
    this.#options = options
    this.#generate = generatorOf(task)
    this.#idleConnections = scenario.idleConnections?.(task.params) ?? 0
    this.#stop = signal ? AbortSignal.any([this.#over.signal, signal]) : this.#over.signal
    this.#child = task.program ? new Program(task, runtime) : new Child(scenario.workers ? CLUSTER : SERVER, { runtime, flags })
  }

  async start () {
    const { params, warmupMs, listen: host } = this.#task
    const { directory, pins, signal } = this.#options
    const workers = this.scenario.workers?.(params)
    const listening = this.listening = await this.ask({
      ...this.#task,
      type: 'listen',
      directory,
      workers,
      cores: pins.cores,
      // How a cluster's workers share connections is not known beforehand.
      expectedConnections: workers === undefined ? connectionsOf(params) : 0,
      countsOperations: 'requests' in this.scenario
    })
    const { port, isTls } = listening
    this.#aim = { ...describeLoad(this.scenario, params), url: urlOf(this.#task, port, isTls), pin: pins.load }
    const connections = this.#idleConnections
    if (connections > 0) this.#idle = await this.#child.during(openIdleConnections({ host, port, connections, pin: pins.load, signal }))
    if (!this.scenario.coldStart) await this.#underLoad(this.#warmUp(warmupMs))
    // Not earlier: the servers of a heat start and warm up on all cores.
    await pinProcess(this.#child.pid, this.scenario.usesAllCores ? [] : pins.subject)
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

  /** @type {(name: string) => string}  The present content of one of the scenario's files. */
  read = name => readFileSync(path.join(this.#options.directory ?? '', name), 'utf8')

  /**
   * A window holds all connections of its own load, from opening to closing, and no connection of another load.
   *
   * @template T
   * @param {Promise<T>} result @param {DuringLoad} [duringLoad]
   */
  async #underLoad (result, duringLoad = async () => {}) {
    let isOver = false
    this.#generating = result.catch(() => {}).finally(() => { isOver = true })
    const [client] = await Promise.all([this.#child.during(result), duringLoad(() => isOver)])
    await this.#child.ask({ type: 'rest', connections: this.#idleConnections }, REST_LIMIT_MS, this.#options.signal)
    return client
  }

  /** @param {number} warmupMs */
  async #warmUp (warmupMs) {
    const longestMs = this.#task.program ? WARM_UP_FACTOR * warmupMs : warmupMs
    const over = AbortSignal.timeout(longestMs)
    const warm = new AbortController()
    if (this.#task.program) this.#usedCpu(warmupMs, over).then(() => warm.abort(), () => {})
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
   * Resolves when the process has used this much CPU time: only a running program becomes warm. Frameworks are large, and a copy that is still
   * cold costs a multiple.
   *
   * @param {number} milliseconds @param {AbortSignal} signal
   */
  async #usedCpu (milliseconds, signal) {
    const start = cpuMsOf(this.#child.pid)
    // Where CPU time cannot be read, the warm-up takes its longest time.
    if (start === null) return sleep(WARM_UP_FACTOR * milliseconds, undefined, { signal })
    while ((cpuMsOf(this.#child.pid) ?? Infinity) - start < milliseconds) await sleep(WARM_UP_POLL_MS, undefined, { signal })
  }

  async end () {
    this.#over.abort()
    await this.#generating
    await this.#idle?.end()
    await this.#child.end()
  }
}

/** @type {(scenario: HttpScenario, params: Record<string, number>) => Pick<Load, 'connections' | 'threads' | 'requests' | 'pauseMs'>} */
export function describeLoad (scenario, params) {
  const { connections, threads = 1 } = params
  return { connections, threads, requests: scenario.requests?.(params), pauseMs: scenario.pauseMs?.(params) }
}

/** @type {(params: Record<string, number>) => number}  Each thread of wrk opens equally many connections. */
const connectionsOf = ({ connections, threads = 1 }) => threads * Math.floor(connections / threads)
