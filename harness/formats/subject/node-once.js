/**
 * Runs a file of Node's benchmarks once a process, as Node does: files that only end with their process, that start
 * workers of themselves, or whose server has a load generator.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { LOOPBACK } from '../../model/machine.js'
import { placeOf } from '../../processes/answer.js'
import { isNear, more } from './node-common.js'
/** @import { BenchmarkTask, Timed } from './tasks.js' */

/** Module that is loaded before the file, in its process. */
const PRELOAD = new URL('node-once-main.js', import.meta.url).href
/** Workers and load generators need the file as the main program of its process, which some files end themselves. */
const NEEDS_PROCESS = /require\(['"](node:)?(cluster|worker_threads)['"]\)|\bprocess\.exit\(/
const STARTS_LOAD = /\bbench\.http\(/

const FIRST_N = 1000
/** CPU time of a run that V8 has optimised for the most part. */
const RUN_MS = 100
/** Wall time after which a process that has not ended its timer never will. */
const LONGEST_MS = 20_000
/** Time for a process to end by itself after its timer. */
const GRACE_MS = 1000
const MOST_STDERR = 4096
/** An error that ends a process. */
const ERROR = /^\[?\w*Error(?: \[\w+\])?: (.+?)\]?(?: \{)?$/m

/**
 * @typedef {object} OnceReply
 * @property {number} operations
 * @property {number} ms  CPU time between the start and the end of the timer.
 */

/** @param {string} url */
export function needsProcess (url) {
  const source = sourceOf(url)
  return NEEDS_PROCESS.test(source) || STARTS_LOAD.test(source)
}

/** @param {string} url */
const sourceOf = url => readFileSync(fileURLToPath(url), 'utf8')

/**
 * Returns the same task, with a new process for each run.
 *
 * @param {BenchmarkTask} task
 * @param {string} url
 * @returns {BenchmarkTask}
 */
export const onceAProcess = (task, url) => ({
  ...task,
  /** @type {(params?: Record<string, number>) => Timed} */
  prepare: params => ({
    isManaged: true,
    isFixed: true,
    isElsewhere: true,
    async fn (timer) {
      const { operations, ms } = await runOnce(url, { ...task.config, ...params })
      timer.end(operations, ms)
    }
  })
})

/**
 * The number of operations that takes about a tenth of a second of CPU time.
 *
 * @param {BenchmarkTask} task
 * @param {string} url
 * @returns {Promise<{n?: number, runMs: number}>} no n where it is no number of operations
 * @throws {Error} when the process fails, or does not end its timer
 */
export async function fittingOnce ({ config, mostOperations }, url) {
  if (!mostOperations || STARTS_LOAD.test(sourceOf(url))) return { runMs: (await runOnce(url, { ...config })).ms }
  for (let n = Math.min(FIRST_N, mostOperations); ;) {
    const { ms } = await runOnce(url, { ...config, n })
    if (n === mostOperations || isNear(ms, RUN_MS)) return { n, runMs: ms }
    n = more(n, ms, RUN_MS, mostOperations)
  }
}

/**
 * @param {string} url
 * @param {Record<string, any>} config
 * @returns {Promise<OnceReply>}
 */
async function runOnce (url, config) {
  const words = Object.entries(config).map(([key, value]) => `${key}=${value}`)
  const env = { NODE_RUN_BENCHMARK_FN: '', PORT: await freePort(), TIMERQ_CONFIG: JSON.stringify(config) }
  const child = spawn(process.execPath, [...process.execArgv, '--import', PRELOAD, fileURLToPath(url), ...words], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env }
  })
  let [reply, stderr] = ['', '']
  const end = () => child.kill('SIGKILL')
  let limit = setTimeout(end, LONGEST_MS)
  child.stdio[3]?.on('data', text => {
    reply += text
    clearTimeout(limit)
    limit = setTimeout(end, GRACE_MS)
  })
  child.stderr?.on('data', text => {
    stderr = (stderr + text).slice(-MOST_STDERR)
  })
  const [code] = await once(child, 'close')
  clearTimeout(limit)
  if (reply !== '') return JSON.parse(reply)
  if (code === null) throw new Error(`it had not ended its timer after ${LONGEST_MS / 1000} s`)
  if (code === 0) throw new Error('its process ended, and had not ended the timer')
  const [, message = `its process ended with code ${code}`] = ERROR.exec(stderr) ?? []
  throw new Error(message + placeOf({ stack: stderr }))
}

/** Files that run at the same time would all listen on the port of Node's common.js. */
async function freePort () {
  const server = createServer().listen(0, LOOPBACK)
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  server.close()
  await once(server, 'close')
  return String(port)
}
