/** A fresh Node process for one measurement. The process answers requests (see answer.js) and ends with the sample. */
import os from 'node:os'
import { fileURLToPath } from 'node:url'
import { SampleError } from '../model/errors.js'
import { PIPE } from './answer.js'
import { Channel } from './channel.js'
import { PROCESS } from './entries.js'
import { withinCpuTime } from './limits.js'
import { connectLines, STRUCTURED } from './lines.js'
import { residentMbOf } from './proc-stat.js'
import { endProcess, startProcess, supervise } from './processes.js'
import { assertShape } from './shapes.js'
/** @import { Socket } from 'node:net' */
/** @import { Request } from './channel.js' */
/** @import { Shape } from './shapes.js' */

/**
 * @typedef {object} Runtime  A Node binary and its flags.
 * @property {string} name
 * @property {string} path
 * @property {string[]} flags
 * @property {Record<string, string>} [env]  Additions to the environment.
 * @property {string} [cwd]
 * @property {number} [memoryMb]  Limit of V8's heap, and of the whole process, too.
 *
 * @typedef {object} ChildOptions
 * @property {string} [name]  Name of the process in messages about its end.
 * @property {Runtime} [runtime]  This process's own Node by default.
 * @property {string[]} [flags]  Flags of Node; the runtime's own win over them.
 * @property {string[]} [pin]  Command prefix (see pinning.js).
 * @property {AbortSignal} [signal]  Ends every wait for a reply.
 */

/** @type {Runtime} */
const OWN_NODE = { name: 'own', path: process.execPath, flags: [] }

/** Memory of the machine, or of this process's container. */
const AVAILABLE_MB = Math.floor(Math.min(os.totalmem(), process.constrainedMemory() || Infinity) / 2 ** 20)
/** Half of it, and no more than V8's own limit: one process must not drive out all others. */
const MEMORY_MB = Math.min(4096, Math.floor(AVAILABLE_MB / 2))

/** Memory of a process that loads modules of a user, perhaps with a tool that transforms them. */
const LOADING_MB = 512

/** @type {(cores: number, memoryMb: number) => number} */
export const loadingAtOnce = (cores, memoryMb) => Math.max(1, Math.min(cores, Math.floor(memoryMb / LOADING_MB)))

/** Processes that may load modules of a user at the same time. */
export const LOADING_AT_ONCE = loadingAtOnce(os.availableParallelism(), AVAILABLE_MB)

/** Limit that a user has set for V8's heap, in megabytes. */
const USERS_LIMIT = /--max[-_]old[-_]space[-_]size[= ]["']?(\d+)/

/** V8 ends a process whose heap is full; memory outside the heap must be looked up, which takes 20 microseconds. */
const MEMORY_POLL_MS = 250

/** A likely cause where nothing of timerq's has killed a process. */
const TOO_LITTLE =
  `; if that was for lack of memory (${AVAILABLE_MB} MB here), measure fewer queues or tasks at once, ` +
  'or set --memory-limit'

export class Child {
  #process
  #channel
  #signal
  #isEnded = false
  /** @type {Promise<never>} */
  #died

  /**
   * @param {URL} entry  Module that the child runs.
   * @param {ChildOptions} [options]
   */
  constructor (entry, { name = 'the process', runtime = OWN_NODE, flags = [], pin = [], signal } = {}) {
    const env = { ...process.env, ...runtime.env }
    const [, usersMb] = USERS_LIMIT.exec([env.NODE_OPTIONS, ...runtime.flags].join(' ')) ?? []
    const heapMb = runtime.memoryMb ?? Number(usersMb ?? MEMORY_MB)
    // Memory outside the heap has the same limit as without the user's.
    const memoryMb = runtime.memoryMb ?? (usersMb ? heapMb + MEMORY_MB : MEMORY_MB)
    const node = [runtime.path, `--max-old-space-size=${heapMb}`, ...flags, ...runtime.flags]
    this.#process = startProcess([...pin, ...node, fileURLToPath(entry)], {
      // A pipe for both directions is 'overlapped' on Windows.
      stdio: ['ignore', 'ignore', 'pipe', 'overlapped'],
      env,
      cwd: runtime.cwd
    })
    // A process that could not be started may have no pipes.
    const pipe = /** @type {Socket | undefined} */ (this.#process.stdio?.[PIPE])
    const receive = (/** @type {unknown} */ reply) => channel.receive(reply)
    const send = pipe ? connectLines(pipe, receive, receive, STRUCTURED) : () => {}
    const channel = (this.#channel = new Channel(send))
    this.#signal = signal
    this.#died = this.#watch(name, memoryMb)
    this.#died.catch(() => {})
  }

  get pid () {
    return this.#process.pid
  }

  /**
   * @param {Request} request
   * @param {number} limitMs  CPU time of the child until it replies. The wall time may be many times as long.
   * @param {Shape} [shape]  Shape of the reply.
   * @returns {Promise<any>} an object
   * @throws {SampleError} when the child dies, reports an error, does not reply in time, or sends an invalid reply
   */
  async ask (request, limitMs, shape) {
    const reply = await withinCpuTime({ pid: this.pid, limitMs, signal: this.#signal }, () =>
      this.during(this.#channel.ask(request))
    )
    return shape ? assertShape(reply, shape) : reply
  }

  /**
   * Waits for work, or for the child's death, which is thrown.
   *
   * @template T
   * @param {Promise<T>} work
   */
  during (work) {
    return Promise.race([work, this.#died])
  }

  /** Ends the process and all that it has started; returns when the process is gone. */
  async end () {
    this.#isEnded = true
    await endProcess(this.#process)
    await this.#died.catch(() => {})
  }

  /**
   * @param {string} name
   * @param {number} memoryMb
   * @returns {Promise<never>}
   */
  async #watch (name, memoryMb) {
    let isTooLarge = false
    const poll = setInterval(() => {
      if ((residentMbOf(this.pid) ?? 0) <= memoryMb) return
      isTooLarge = true
      // A process that stays is reported by `end`.
      endProcess(this.#process).catch(() => {})
    }, MEMORY_POLL_MS).unref()
    const { ending, signal } = await supervise(this.#process).ended
    clearInterval(poll)
    const reason = isTooLarge
      ? `used more than ${memoryMb} MB of memory`
      : `${name} ${ending}${signal === 'SIGKILL' && !this.#isEnded ? TOO_LITTLE : ''}`
    throw new SampleError('crash', reason, 'died')
  }
}

/**
 * Asks a fresh process once.
 *
 * @param {URL} entry
 * @param {Request} request
 * @param {ChildOptions & {limitMs: number, shape?: Shape}} options
 * @returns {Promise<any>} an object
 * @throws {SampleError} as `Child.ask` does
 */
export async function askOnce (entry, request, { limitMs, shape, ...options }) {
  const child = new Child(entry, options)
  try {
    return await child.ask(request, limitMs, shape)
  } finally {
    await child.end()
  }
}

/**
 * Calls a function of a module of subject/ in a fresh process.
 *
 * @param {URL} module
 * @param {string} name  Name of the function.
 * @param {object} argument
 * @param {ChildOptions & {limitMs: number, shape?: Shape}} options
 * @returns {Promise<any>} what the function returns, an object
 * @throws {SampleError} as `Child.ask` does
 */
export const callOnce = (module, name, argument, options) =>
  askOnce(PROCESS, { type: 'call', moduleUrl: module.href, name, ...argument }, options)
