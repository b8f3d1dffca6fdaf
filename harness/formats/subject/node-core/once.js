/**
 * Finds out how a file of Node's benchmarks runs, and runs some once a process, as Node does: files that only end with
 * their process, that start workers of themselves, or whose server has a load generator.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { LOOPBACK } from '../../../model/machine.js'
import { placeOf } from '../../../processes/answer.js'
import { fittingOperations, isNear, more, Unsupported } from './fit.js'
/** @import { Fit } from '../tasks.js' */
/** @import { TaskWorkload } from '../workload.js' */
/** @import { NodeTask } from './fit.js' */

/** Module that is loaded before the file, in its process. */
const PRELOAD = new URL('once-main.js', import.meta.url).href
/** Workers and load generators need the file as the main program of its process, which some files end themselves. */
const NEEDS_PROCESS = /require\(['"](node:)?(cluster|worker_threads)['"]\)|\bprocess\.exit\(/
const STARTS_LOAD = /\bbench\.http\(/

/** Processes of a heat for each entrant, after the first two, where every run is a process. */
const ONCE_TURNS = 4
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

/**
 * How a file runs: again and again, or once a process.
 *
 * @type {(task: NodeTask, url: string) => Promise<Fit>}
 */
export async function fitFile (task, url) {
  if (!needsProcess(url)) {
    try {
      const n = await fittingOperations(task)
      return describe(task.mostOperations ? n : undefined)
    } catch (error) {
      if (error instanceof Unsupported) throw error
    }
  }
  const { n, runMs } = await fittingOnce(task, url)
  return {
    ...describe(n),
    // A turn is a run, or several short ones.
    timing: { turns: ONCE_TURNS, leadMs: 0, turnMs: runMs / 2 },
    // One run in a cold process gives other figures than repeated runs.
    mode: { name: 'once a process', title: 'one run a process' },
    of: { isOnce: true }
  }
}

/** @type {(n: number | undefined) => Fit} */
const describe = n => ({
  depth: 2,
  ...(n && { parameters: { n: { title: 'operations of a run', minimum: 1 } }, values: { n: [n] } })
})

/** @param {string} url */
function needsProcess (url) {
  const source = sourceOf(url)
  return NEEDS_PROCESS.test(source) || STARTS_LOAD.test(source)
}

/** @param {string} url */
const sourceOf = url => readFileSync(fileURLToPath(url), 'utf8')

/**
 * The workload of a task whose every run is a process, as cold as the first.
 *
 * @type {(url: string, config: Record<string, any>) => TaskWorkload}
 */
export function onceAProcess (url, config) {
  const run = () => runOnce(url, config)
  return {
    phases: [{ metric: 'nsPerOp', operations: 1, run }],
    turns: {
      warmUp: async () => true,
      async turn ({ turnMs }) {
        const turn = { cpuMs: 0, operations: 0, phases: {}, betweenMs: 0 }
        while (turn.cpuMs < turnMs) {
          const { operations, ms } = await run()
          turn.cpuMs += ms
          turn.operations += operations
        }
        return turn
      }
    }
  }
}

/**
 * The number of operations that takes about a tenth of a second of CPU time.
 *
 * @param {NodeTask} task
 * @param {string} url
 * @returns {Promise<{n?: number, runMs: number}>} no n where it is no number of operations
 * @throws {Error} when the process fails, or does not end its timer
 */
async function fittingOnce ({ config, mostOperations }, url) {
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
