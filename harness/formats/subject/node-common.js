/**
 * The format of Node's own benchmarks: `createBenchmark(main, configs, options)` of `benchmark/common.js`. Each
 * configuration is a task, whose `main` starts and ends a timer once. `n`, the number of operations, is a parameter: it
 * is reduced until a run takes about a millisecond of CPU time, and `main` runs again and again. Files that cannot do
 * that run once a process (node-once.js).
 */
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { isPromise } from '../../model/promise.js'
import { cpuMs } from '../../processes/clock.js'
import { register } from './tasks.js'
/** @import { BenchmarkTask, Timed, Timer } from './tasks.js' */

/** @typedef {Record<string, any>} Config */

/** The file cannot be measured, however it is run. */
export class Unsupported extends Error {}

const FIRST_N = 100
const RUN_MS = 1
/** Configs that are times in Node's files. */
const DURATIONS = ['dur', 'duration']
const SHORT_SECONDS = 1
/** Runs after which a file is known to run again and again. */
const FEWEST_RUNS = 2
/** CPU time after which V8 has optimised the runs, about: first calls cost many times later ones. */
const FIT_MS = 30
/** Idle time of the event loop in CPU time. */
const MOST_WAITING = 15
/** Wall time after which a run that has not ended never will. */
const LONGEST_MS = 3000

/** @type {(main: (config: Config) => unknown, configs: Config, options?: any) => object} */
export function createBenchmark (main, configs, options = {}) {
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
    register({
      format: 'node',
      group,
      name: varied.map(key => `${key}=${config[key]}`).join(' ') || 'main',
      flags: [options.flags ?? []].flat(),
      config,
      mostOperations: typeof config.n === 'number' ? config.n : undefined,
      prepare: (params = {}) => ({ isManaged: true, isFixed: true, fn: timer => run({ ...config, ...params }, timer) })
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

/**
 * The number of operations that takes about a millisecond of CPU time, of the first configuration: the same for all of
 * a file, and for both sides of a gate.
 *
 * @param {BenchmarkTask} task
 * @returns {Promise<number>}
 * @throws {Error} when the file cannot run again and again, or mostly waits
 */
export async function fittingOperations ({ prepare, mostOperations = 1 }) {
  let n = Math.min(FIRST_N, mostOperations)
  let spentMs = 0
  for (let runs = 1; ; runs++) {
    const timed = await prepare({ n })
    const [before, start] = [performance.eventLoopUtilization().idle, cpuMs()]
    const ms = await runMs(timed, n)
    const used = cpuMs() - start
    spentMs += used
    const isLong = n === mostOperations || isNear(ms, RUN_MS)
    if (spentMs > FIT_MS && isLong && runs >= FEWEST_RUNS) {
      // On a busy machine, wall time passes without waiting.
      if (performance.eventLoopUtilization().idle - before <= MOST_WAITING * used) return n
      throw new Unsupported('it waits nearly all of its time, and timerq measures CPU time')
    }
    if (!isLong) n = more(n, ms, RUN_MS, mostOperations)
  }
}

/** @type {(timed: Timed, count: number) => Promise<number>} */
async function runMs ({ fn }, count) {
  let [start, ms] = [0, 0]
  const timer = {
    count,
    start () {
      start = cpuMs()
    },
    end () {
      ms = cpuMs() - start
    }
  }
  const late = new AbortController()
  const tooLate = wait(LONGEST_MS, undefined, { signal: late.signal }).then(() => {
    throw new Error(`it had not ended its timer after ${LONGEST_MS / 1000} s: perhaps it does when its process exits`)
  })
  await Promise.race([fn(timer), tooLate]).finally(() => late.abort())
  return ms
}

/** Growth of n from 2 to 5, the largest step of `rounded`. */
const STEP = 2.5
/** Growth of n after a run, at most. */
const MOST_GROWTH = 10

/**
 * Whether no larger n comes nearer to the time.
 *
 * @type {(ms: number, aimMs: number) => boolean}
 */
export const isNear = (ms, aimMs) => ms * STEP >= aimMs

/** @type {(n: number, ms: number, aimMs: number, most: number) => number}  A larger n. */
export const more = (n, ms, aimMs, most) =>
  Math.min(most, rounded(n * Math.min(MOST_GROWTH, aimMs / Math.max(ms, aimMs / MOST_GROWTH))))

/** @param {number} value  As 1, 2 or 5 times a power of ten. */
function rounded (value) {
  const power = 10 ** Math.floor(Math.log10(value))
  return [5, 2, 1].map(digit => digit * power).find(step => step <= value) ?? 1
}
