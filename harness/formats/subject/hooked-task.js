/** A task with hooks, as tinybench and vitest run it. */
import { statistics } from './results.js'
/** @import { Timed } from './tasks.js' */

/**
 * @typedef {object} Hooks  Each function is called with the task as `this`.
 * @property {(mode: string) => unknown} [beforeAll]
 * @property {(mode: string) => unknown} [beforeEach]
 * @property {(mode: string) => unknown} [afterEach]
 * @property {(mode: string) => unknown} [afterAll]
 * @property {AbortSignal} [signal]  Once it is aborted, the task does not run.
 *
 * @typedef {(task: HookedTask, mode: string) => unknown} TaskHook
 *
 * @typedef {{setup?: TaskHook, teardown?: TaskHook}} Around
 */

const MODE = 'run'

export class HookedTask extends EventTarget {
  runs = 1
  #figures = statistics()

  /**
   * @param {string} name
   * @param {() => unknown} fn
   * @param {Hooks} [hooks]
   */
  constructor (name, fn, hooks = {}) {
    super()
    this.name = name
    this.fn = fn
    this.opts = hooks
  }

  /** @returns {any} */
  get result () {
    const latency = this.#figures
    const times = { period: latency.mean, totalTime: latency.mean, hz: latency.mean, ...latency }
    return {
      ...times,
      latency,
      throughput: latency,
      state: 'completed',
      runtime: 'node',
      runtimeVersion: process.version,
      timestampProviderName: 'performanceNow'
    }
  }
}

/** @type {(task: HookedTask, around: Around) => Promise<Timed>} */
export async function prepareTask (task, around) {
  await around.setup?.(task, MODE)
  // Up to tinybench 2, a setup can give the task its hooks.
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
