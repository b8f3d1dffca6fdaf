/** A server under load, in fresh processes: its start, its loads and its end. */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { SampleError } from '../../model/errors.js'
import { pinProcess } from '../../processes/pinning.js'
import { settled, slice, window } from '../../processes/shapes.js'
import { openIdleConnections } from '../load/idle-connections.js'
import { generatorOf, urlOf } from '../load/load-generator.js'
import { loadUntil } from '../load/run-generator.js'
import { nameScenario } from '../modules/user-modules.js'
import { programServer } from '../program/program-server.js'
import { scenarioServer } from './scenario-server.js'
/** @import { Request } from '../../processes/channel.js' */
/** @import { Warning } from '../../model/warnings.js' */
/** @import { Child, Runtime } from '../../processes/child.js' */
/** @import { Pins } from '../../processes/pinning.js' */
/** @import { Shape } from '../../processes/shapes.js' */
/** @import { Needs } from '../../subject/http/needs.js' */
/** @import { LoadSettings } from '../load/load-generator.js' */
/** @import { Load, LoadResult } from '../load/wrk.js' */
/** @import { Program, ProgramSettings } from '../program/program.js' */
/** @import { Served } from './settle.js' */

/**
 * @typedef {object} HttpJob
 * @property {string | null} queueUrl  null: Node's own timers.
 * @property {string} scenarioUrl
 * @property {Record<string, number>} params  connections, threads and seconds among them.
 * @property {LoadSettings} load
 * @property {number} port  0: any free port.
 * @property {string} [listen]  Address that the server listens on.
 * @property {boolean} [hasAllCores]  The server is not pinned to a core.
 * @property {number} warmupMs
 * @property {number} [limitMs]  CPU time for each reply of the server.
 * @property {ProgramSettings} [program]  A user's program in place of the scenario's server.
 * @property {boolean} [countsIdleTimers]  Whether the program's idle timers are counted, which costs time.
 *
 * @typedef {object} ServerOptions
 * @property {Runtime} runtime
 * @property {string[]} [flags]  Flags of Node; the runtime's own win over them.
 * @property {Pins} pins
 * @property {AbortSignal} [signal]
 * @property {number} [copies]  Servers that share the core (default 1).
 *
 * @typedef {object} ServerKind  What differs between a scenario's server and a user's program.
 * @property {(job: HttpJob, options: ServerOptions) => Child | Program} create
 * @property {Shape} listening  Shape of the reply once it listens.
 * @property {(server: RunningServer, milliseconds: number, longestMs: number) => AbortSignal} whenWarm  Aborts when the
 *   warm-up is over.
 * @property {number} settlingMs  Time until requests under load no longer cost more than later ones.
 * @property {(server: RunningServer, served: Served) => Warning[] | Promise<Warning[]>} settle  Throws where no figure
 *   is valid.
 *
 * @typedef {object} Listening  A scenario's server, with its needs, or a user's program.
 * @property {number} port
 * @property {Needs} [needs]
 * @property {boolean} [isTls]
 * @property {number} [asked]
 * @property {string} [version]
 * @property {number} [servers]
 *
 * @typedef {(isOver: () => boolean) => Promise<unknown>} DuringLoad  `isOver`: whether the load has ended.
 */

/** Limit of all requests but `rest`. */
const REPLY_LIMIT_MS = 20_000
/** A program warms up for a time of CPU, and for this multiple of wall time at most. */
const WARM_UP_FACTOR = 4
/** The server gives up before this. */
const REST_LIMIT_MS = 70_000
/** Share of its seconds for which a load must last. */
const LEAST_DURATION = 0.5
/**
 * Shapes of replies, by request.
 *
 * @type {Record<string, Shape>}
 */
const SHAPES = { slice, close: window, settle: settled }

/**
 * Makes a temporary folder for files of a measured process, and removes the folder after use.
 *
 * @type {<T>(use: (directory: string) => Promise<T>) => Promise<T>}
 */
export async function withFolder (use) {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'timerq-files-'))
  try {
    return await use(directory)
  } finally {
    // Retries because a killed server may still have been writing.
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 })
  }
}

/**
 * Starts a server in a separate process, or a cluster, with all that the scenario declares; warms it up, and ends it
 * after use.
 *
 * @type {<T>(job: HttpJob, options: ServerOptions, use: (server: RunningServer) => Promise<T>) => Promise<T>}
 * @throws {SampleError} when the server dies or the load generator fails
 */
export async function withServer (job, options, use) {
  return withFolder(async directory => {
    const server = new RunningServer(job, { ...options, directory })
    try {
      await server.start()
      return await use(server)
    } finally {
      await server.end()
    }
  })
}

export class RunningServer {
  listening = /** @type {Listening} */ ({})
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
   * @param {HttpJob} job
   * @param {ServerOptions & {directory: string}} options  `directory`: folder for the scenario's files.
   */
  constructor (job, options) {
    const { signal, copies = 1 } = options
    this.job = job
    this.copies = copies
    this.kind = job.program ? programServer : scenarioServer
    this.#options = options
    this.#generate = generatorOf(job)
    this.#stop = signal ? AbortSignal.any([this.#over.signal, signal]) : this.#over.signal
    this.#child = this.kind.create(job, options)
  }

  get pid () {
    return this.#child.pid
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
    const { params, warmupMs, listen: host, scenarioUrl } = this.job
    const { directory, pins, signal } = this.#options
    const job = { ...this.job, directory, cores: pins.cores, expectedConnections: connectionsOf(params) }
    this.listening = await this.ask({ type: 'listen', ...job }, this.kind.listening).catch(nameScenario(scenarioUrl))
    const { needs } = this
    const { port, isTls } = this.listening
    this.#aim = { ...loadOf(needs, params), url: urlOf(this.job, port, isTls), pin: pins.load }
    const { idleConnections: connections = 0 } = needs
    if (connections > 0) {
      this.#idle = await this.#child.during(openIdleConnections({ host, port, connections, pin: pins.load, signal }))
    }
    if (!needs.coldStart) await this.#underLoad(this.#warmUp(warmupMs))
    // The server is pinned only now: the servers of a heat start and warm up on all cores.
    await pinProcess(this.pid, this.job.hasAllCores ? [] : pins.subject)
  }

  /** @type {(request: Request, shape?: Shape) => Promise<any>} */
  ask = (request, shape = SHAPES[request.type]) =>
    this.#child.ask(request, this.job.limitMs ?? REPLY_LIMIT_MS, shape)

  /**
   * Runs a load until all its connections are closed. Only `duringLoad` may ask the server during the load.
   *
   * @type {(seconds: number, duringLoad?: DuringLoad) => Promise<LoadResult>}
   */
  load = async (seconds, duringLoad) => {
    const client = await this.#underLoad(this.#loadFor(seconds), duringLoad)
    await this.#idle?.assertOpen()
    return client
  }

  /**
   * A user's command may end at any time: what is measured after that is an idle server.
   *
   * @param {number} seconds
   */
  async #loadFor (seconds) {
    const start = performance.now()
    const client = await this.#generate({ ...this.#aim, seconds, signal: this.#stop })
    const took = (performance.now() - start) / 1000
    if (this.job.load.command && took < LEAST_DURATION * seconds) {
      throw new SampleError(
        'load',
        `--load-command ended after ${took.toFixed(1)} s of ${seconds} s: it must send requests for {seconds}`
      )
    }
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
    await this.#child.ask({ type: 'rest', connections: this.needs.idleConnections ?? 0 }, REST_LIMIT_MS)
    return client
  }

  /** @param {number} warmupMs */
  async #warmUp (warmupMs) {
    const longestMs = WARM_UP_FACTOR * warmupMs
    // The signal ends the load. Should this process die, the load ends by itself.
    const seconds = Math.ceil((longestMs * this.copies) / 1000) + 1
    const warm = this.kind.whenWarm(this, warmupMs, longestMs)
    await loadUntil(warm, this.#stop, signal => this.#generate({ ...this.#aim, seconds, signal }))
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
