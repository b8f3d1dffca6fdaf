/** A server under load, in fresh processes: its start, its loads and its end. */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { SampleError } from '../../model/errors.js'
import { Child } from '../../processes/child.js'
import { SERVER } from '../../processes/entries.js'
import { pinProcess } from '../../processes/pinning.js'
import { cpuMsOf } from '../../processes/proc-stat.js'
import { listening, programListening, settled, slice, window } from '../../processes/shapes.js'
import { openIdleConnections } from '../load/idle-connections.js'
import { generatorOf, urlOf } from '../load/load-generator.js'
import { loadUntil } from '../load/run-generator.js'
import { nameScenario } from '../modules/user-modules.js'
import { Program } from '../program/program.js'
/** @import { Request } from '../../processes/channel.js' */
/** @import { Runtime } from '../../processes/child.js' */
/** @import { Pins } from '../../processes/pinning.js' */
/** @import { Shape } from '../../processes/shapes.js' */
/** @import { Needs } from '../../subject/http/needs.js' */
/** @import { LoadSettings } from '../load/load-generator.js' */
/** @import { Load, LoadResult } from '../load/wrk.js' */
/** @import { ProgramSettings } from '../program/program.js' */

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
const WARM_UP_POLL_MS = 50
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
  #job
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
    const { runtime, flags, signal } = options
    this.#job = job
    this.#options = options
    this.#generate = generatorOf(job)
    this.#stop = signal ? AbortSignal.any([this.#over.signal, signal]) : this.#over.signal
    this.#child = job.program ? new Program(job, { runtime, signal }) : new Child(SERVER, { runtime, flags, signal })
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
    const { params, warmupMs, listen: host, program, scenarioUrl } = this.#job
    const { directory, pins, signal } = this.#options
    const job = { ...this.#job, directory, cores: pins.cores, expectedConnections: connectionsOf(params) }
    const shape = program ? programListening : listening
    this.listening = await this.ask({ type: 'listen', ...job }, shape).catch(nameScenario(scenarioUrl))
    const { needs } = this
    const { port, isTls } = this.listening
    this.#aim = { ...loadOf(needs, params), url: urlOf(this.#job, port, isTls), pin: pins.load }
    const { idleConnections: connections = 0 } = needs
    if (connections > 0) {
      this.#idle = await this.#child.during(openIdleConnections({ host, port, connections, pin: pins.load, signal }))
    }
    if (!needs.coldStart) await this.#underLoad(this.#warmUp(warmupMs))
    // The server is pinned only now: the servers of a heat start and warm up on all cores.
    await pinProcess(this.#child.pid, this.#job.hasAllCores ? [] : pins.subject)
  }

  /** @type {(request: Request, shape?: Shape) => Promise<any>} */
  ask = (request, shape = SHAPES[request.type]) =>
    this.#child.ask(request, this.#job.limitMs ?? REPLY_LIMIT_MS, shape)

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
    if (this.#job.load.command && took < LEAST_DURATION * seconds) {
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
    const over = this.#job.program ? this.#whenWarm(warmupMs) : AbortSignal.timeout(warmupMs)
    // The signal ends the load. Should this process die, the load ends by itself.
    const seconds = Math.ceil((WARM_UP_FACTOR * warmupMs) / 1000) + 1
    await loadUntil(over, this.#stop, signal => this.#generate({ ...this.#aim, seconds, signal }))
  }

  /**
   * Signal that aborts when a program has used this much CPU time: only a running program becomes warm. Frameworks are
   * large, and a copy that is still cold costs a multiple.
   *
   * @param {number} milliseconds
   */
  #whenWarm (milliseconds) {
    const { pid } = this.#child
    const startMs = cpuMsOf(pid)
    const end = performance.now() + WARM_UP_FACTOR * milliseconds
    const warm = new AbortController()
    const poll = setInterval(() => {
      // If CPU time cannot be read, the warm-up takes its longest time.
      const usedMs = startMs === null ? 0 : (cpuMsOf(pid) ?? Infinity) - startMs
      if (usedMs < milliseconds && performance.now() < end) return
      clearInterval(poll)
      warm.abort()
    }, WARM_UP_POLL_MS).unref()
    return warm.signal
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
