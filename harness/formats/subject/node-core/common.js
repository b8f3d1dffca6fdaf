/**
 * The format of Node's own benchmarks: `createBenchmark(main, configs, options)` of `benchmark/common.js`. Each
 * configuration is a task, whose `main` starts and ends a timer once. `n`, the number of operations, is a parameter: it
 * is reduced until a run takes about a millisecond of CPU time, and `main` runs again and again. Files that cannot do
 * that run once a process (once.js).
 */
import { isPromise } from '../../../model/promise.js'
import { register } from '../tasks.js'
import { answerCommon } from './answer.js'
import { Unsupported } from './fit.js'
/** @import { BenchmarkTask, Timer } from '../tasks.js' */

/** @typedef {Record<string, any>} Config */

/** Configs that are times in Node's files. */
const DURATIONS = ['dur', 'duration']
const SHORT_SECONDS = 1
/** @type {(request: string, loaded: any) => any} */
export const answerRequired = (request, loaded) => answerCommon(request, loaded, createBenchmark)

/** @type {(main: (config: Config) => unknown, configs: Config, options?: any) => object} */
function createBenchmark (main, configs, options = {}) {
  const queue = queueOf(configs, options)
  /** The run that is under way. */
  const current = {
    /** @type {Timer | undefined} */
    timer: undefined,
    /** @type {(value?: unknown) => void} */
    resolve: () => {},
    /** @type {(error: Error) => void} */
    reject: () => {},
    isEnded: false
  }
  const bench = {
    config: queue[0],
    start: () => current.timer?.start(),
    end (/** @type {number} */ operations) {
      current.timer?.end(operations)
      current.isEnded = true
      current.resolve()
    },
    http: () => current.reject(new Error('its load generator needs a process')),
    report: () => current.reject(new Unsupported('it reports its own rate, and no time'))
  }
  const run = (/** @type {Config} */ config, /** @type {Timer} */ timer) => {
    Object.assign(current, { timer, isEnded: false })
    bench.config = config
    const result = main(config)
    if (current.isEnded) return undefined
    const ended = new Promise((resolve, reject) => {
      Object.assign(current, { resolve, reject })
    })
    return isPromise(result) ? Promise.all([ended, result]) : ended
  }
  const group = { name: '' }
  const varied = Object.keys(queue[0] ?? {}).filter(key => key !== 'n')
  for (const config of queue) {
    const mostOperations = typeof config.n === 'number' ? config.n : undefined
    /** @type {BenchmarkTask['prepare']} */
    const prepare = (params = {}) => ({
      isManaged: true,
      isFixed: true,
      fn: timer => run({ ...config, ...params }, timer)
    })
    register({
      format: 'node',
      group,
      name: varied.map(key => `${key}=${config[key]}`).join(' ') || 'main',
      isRunByTool: true,
      flags: [options.flags ?? []].flat(),
      prepare,
      async fit (url) {
        return (await import('./once.js')).fitFile({ prepare, config, mostOperations }, url)
      },
      async workload ({ url, params, of }) {
        return of.isOnce ? (await import('./once.js')).onceAProcess(url, { ...config, ...params }) : undefined
      }
    })
  }
  return bench
}

/**
 * Configs with short durations: runs are many.
 *
 * @param {Config} configs
 */
function shortened (configs) {
  const shorter = DURATIONS.filter(key => Object.hasOwn(configs, key)).map(key => {
    const [seconds] = [configs[key]].flat()
    return [key, [Math.min(seconds, SHORT_SECONDS)]]
  })
  return { ...configs, ...Object.fromEntries(shorter) }
}

/**
 * Configurations that differ in more than n.
 *
 * @param {Config} configs
 * @param {{byGroups?: boolean, combinationFilter?: (config: Config) => boolean}} options
 * @returns {Config[]}
 */
function queueOf (configs, { byGroups, combinationFilter = () => true }) {
  const all = byGroups
    ? Object.entries(configs).flatMap(([name, own]) => combinationsOf({ ...shortened([own].flat()[0]), group: name }))
    : combinationsOf(shortened(configs))
  const seen = new Set()
  return all
    .filter(config => combinationFilter({ ...config }))
    .filter(({ n, ...config }) => {
      const key = JSON.stringify(config)
      return !seen.has(key) && seen.add(key)
    })
}

/** @param {Config} configs */
const combinationsOf = configs =>
  Object.entries(configs).reduce(
    (partial, [key, values]) =>
      partial.flatMap(config => [values].flat().map((/** @type {unknown} */ value) => ({ ...config, [key]: value }))),
    /** @type {Config[]} */ ([{}])
  )
