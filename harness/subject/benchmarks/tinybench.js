/** The format of tinybench: `new Bench().add(name, fn, hooks)`. vitest runs tasks in the same way. */
import { statistics } from './results.js'
import { register, unregister } from './tasks.js'
/** @import { Group, Timed } from './tasks.js' */

/**
 * @typedef {object} Hooks  Each is called with the task as `this`.
 * @property {(mode: string) => unknown} [beforeAll]
 * @property {(mode: string) => unknown} [beforeEach]
 * @property {(mode: string) => unknown} [afterEach]
 * @property {(mode: string) => unknown} [afterAll]
 *
 * @typedef {(task: Task, mode: string) => unknown} TaskHook
 *
 * @typedef {{setup?: TaskHook, teardown?: TaskHook}} Around
 */

const MODE = 'run'

/** @type {(task: Task, around: Around) => Promise<Timed>} */
export async function prepareTask (task, around) {
  await around.setup?.(task, MODE)
  // Up to tinybench 3, a setup can give the task its hooks.
  const { fn, opts: hooks } = task
  await hooks.beforeAll?.call(task, MODE)
  return {
    fn: fn.bind(task),
    before: hooks.beforeEach?.bind(task, MODE),
    after: hooks.afterEach?.bind(task, MODE),
    end: async () => {
      await hooks.afterAll?.call(task, MODE)
      await around.teardown?.(task, MODE)
    }
  }
}

export class Task extends EventTarget {
  runs = 1

  /**
   * @param {unknown} bench
   * @param {string} name
   * @param {() => unknown} fn
   * @param {Hooks} [hooks]
   */
  constructor (bench, name, fn, hooks = {}) {
    super()
    this.bench = bench
    this.name = name
    this.fn = fn
    this.opts = hooks
  }

  /** @returns {any} */
  get result () {
    const figures = statistics()
    const times = { latency: figures, throughput: statistics(), period: 1, totalTime: 1, hz: 1, ...figures }
    return { ...times, state: 'completed', runtime: 'node', runtimeVersion: process.version }
  }

  run = async () => this
  runSync = () => this
  warmup = async () => {}
  reset () {}
}

export class Bench extends EventTarget {
  /** @type {Map<string, Task>} */
  #tasks = new Map()
  /** @type {Group} */
  #group

  /** @param {Record<string, any>} [options] */
  constructor (options = {}) {
    super()
    Object.assign(this, { now, setup () {}, teardown () {}, ...options })
    this.#group = { name: options.name ?? '' }
  }

  /** @type {(name: string, fn: () => unknown, hooks?: Hooks) => this} */
  add (name, fn, hooks) {
    if (typeof fn !== 'function') throw new TypeError(`task "${name}" must be a function`)
    this.remove(name)
    const task = new Task(this, name, fn, hooks)
    this.#tasks.set(name, task)
    // Options may be set after the task is added.
    const prepare = () => prepareTask(task, /** @type {any} */ (this))
    register({ format: 'tinybench', group: this.#group, name, prepare })
    return this
  }

  /** @param {string} name */
  remove (name) {
    if (this.#tasks.delete(name)) unregister(this.#group, name)
    return this
  }

  get tasks () {
    return [...this.#tasks.values()]
  }

  get results () {
    return this.tasks.map(({ result }) => result)
  }

  /** @param {string} name */
  getTask = name => this.#tasks.get(name)
  run = async () => this.tasks
  runConcurrently = this.run
  runSync = () => this.tasks
  warmup = async () => {}
  reset () {}
  todo = () => this

  /** @param {(task: Task) => object} [convert] */
  table (convert) {
    return this.tasks.map(task => convert?.(task) ?? { 'Task name': task.name })
  }
}

export const now = () => performance.now()
export const hrtimeNow = now
/** @param {number} n */
export const nToMs = n => n / 1e6
/** @param {number} ms */
export const mToNs = ms => ms * 1e6
/** @param {number} value */
export const formatNumber = value => String(value)
export const performanceNowTimestampProvider = { name: 'performanceNow', fn: now, fromMs: mToNs, toMs: nToMs }
export const hrtimeNowTimestampProvider = performanceNowTimestampProvider
export const calibrateTimerOverhead = () => 0
