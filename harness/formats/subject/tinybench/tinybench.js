/** The format of tinybench: `new Bench().add(name, fn, hooks)`. */
import { HookedTask, prepareTask } from '../hooked-task.js'
import { majorOf } from '../project.js'
import { register, run, runSync } from '../tasks.js'
/** @import { Hooks } from '../hooked-task.js' */
/** @import { BenchmarkTask, Group } from '../tasks.js' */

/** Major version from which on a name is refused that a task has already. */
const REFUSES_TWINS = 3

class BenchEvent extends Event {
  /**
   * @param {string} type
   * @param {Task} [task]
   */
  constructor (type, task) {
    super(type)
    this.task = task
  }
}

export class Task extends HookedTask {
  /**
   * @param {any} bench
   * @param {string} name
   * @param {() => unknown} fn
   * @param {Hooks} [hooks]
   */
  constructor (bench, name, fn, hooks) {
    super(name, fn, hooks)
    this.bench = bench
  }

  async run () {
    for (const task of runOf(this)) await run(task)
    return this
  }

  runSync () {
    for (const task of runOf(this)) runSync(task)
    return this
  }

  detectedResolution = 0
  warmup = async () => {}
  warmupSync () {}
  reset () {}
}

export class Bench extends EventTarget {
  /** @type {Map<string, Task>} */
  #tasks = new Map()

  /** @param {Record<string, any>} [options] */
  constructor (options = {}) {
    super()
    Object.assign(this, { name: '', now, setup () {}, teardown () {}, ...options })
    const group = groupOf(this)
    register(() => this.tasks.map(task => entryOf(task, group)))
  }

  /** @type {(name: string, fn: () => unknown, hooks?: Hooks) => this} */
  add (name, fn, hooks) {
    if (typeof fn !== 'function') throw new TypeError(`task "${name}" must be a function`)
    if (this.#tasks.has(name) && majorOf('tinybench') >= REFUSES_TWINS) throw new Error(`Task "${name}" already exists`)
    const task = new Task(this, name, fn, hooks)
    this.#tasks.set(name, task)
    this.dispatchEvent(new BenchEvent('add', task))
    return this
  }

  /** @param {string} name */
  remove (name) {
    const task = this.#tasks.get(name)
    if (task) this.dispatchEvent(new BenchEvent('remove', task))
    this.#tasks.delete(name)
    return this
  }

  get tasks () {
    return [...this.#tasks.values()]
  }

  get results () {
    return this.tasks.map(({ result }) => result)
  }

  async run () {
    for (const task of runsOf(this)) await run(task)
    return this.tasks
  }

  runSync () {
    for (const task of runsOf(this)) runSync(task)
    return this.tasks
  }

  /** @param {string} name */
  getTask = name => this.#tasks.get(name)
  runConcurrently () {
    throw new Error('runConcurrently of tinybench is not supported')
  }

  runTask = (/** @type {Task} */ task) => task.run()
  warmup = async () => {}
  warmupConcurrently = this.warmup
  reset () {}
  todos = /** @type {Task[]} */ ([])
  todo = () => this

  /** @param {(task: Task) => object} [convert] */
  table (convert) {
    return this.tasks.map(task => convert?.(task) ?? { 'Task name': task.name, ...COLUMNS })
  }
}

const COLUMNS = Object.fromEntries(
  ['Latency avg (ns)', 'Latency med (ns)', 'Throughput avg (ops/s)', 'Throughput med (ops/s)', 'Samples', 'ops/sec',
    'Average Time (ns)', 'Margin'].map(column => [column, '1'])
)

/** @type {(bench: any) => Group} */
const groupOf = bench => ({ name: String(bench?.name ?? '') })

/**
 * Options may be set after the task is added.
 *
 * @type {(task: Task, group: Group) => BenchmarkTask}
 */
const entryOf = (task, group) => ({
  format: 'tinybench',
  group,
  name: String(task.name),
  prepare: () => prepareTask(task, task.bench ?? {})
})

/**
 * The events of a run, and its tasks where the library measures them.
 *
 * @param {Bench} bench
 */
function * runsOf (bench) {
  if (/** @type {any} */ (bench).concurrency) throw new Error('the option concurrency of tinybench is not supported')
  const group = groupOf(bench)
  bench.dispatchEvent(new BenchEvent('start'))
  for (const task of bench.tasks) yield * runOf(task, group)
  bench.dispatchEvent(new BenchEvent('complete'))
}

/** @type {(task: Task, group?: Group) => Generator<BenchmarkTask>} */
function * runOf (task, group = groupOf(task.bench)) {
  if ([task.bench, task.opts].some(options => options?.signal?.aborted)) return
  task.dispatchEvent(new BenchEvent('start', task))
  yield entryOf(task, group)
  for (const target of [task, task.bench]) target?.dispatchEvent(new BenchEvent('cycle', task))
  task.dispatchEvent(new BenchEvent('complete', task))
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
const none = () => 0
export {
  none as calibrateTimerOverhead,
  none as classifyTimerSaturation,
  none as detectTimerSaturation,
  none as estimateResolution,
  none as medianAbsoluteDeviation
}
