#!/usr/bin/env node
/**
 * Timer APIs on runtimes that timerq's heats cannot run, such as Bun and Deno: a fresh process for every figure, in
 * turns, timed by the CPU time of the whole process. Coarser than `timerq run --scenario ./lab/timer-apis/touch.js`.
 *
 *     node lab/timer-apis/other-runtimes.js node bun 'deno run -A'
 *
 * Prints ns per operation, the median of three, and its ratio to the runtime's own.
 */
import { execFileSync } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { markdownTable } from 'markdown-table'
import { median } from 'simple-statistics'

/** @typedef {{name: string, params: Record<string, number>}} Operation */

const ROUNDS = 3
const WARMUP_MS = 300
const MEASURED_MS = 300
/** Timers that fire are waited for. */
const LONGEST_MS = 1500
const APIS = ['node', 'idle-timeouts', 'retimer', 'timestamp']
/** @type {Operation[]} */
const OPERATIONS = [
  { name: 'touch', params: { pending: 10_000 } },
  { name: 'restart', params: { pending: 10_000, durations: 1 } },
  { name: 'restart', params: { pending: 10_000, durations: 10_000 } },
  { name: 'fire', params: { pending: 10_000 } }
]

const [first, ...others] = process.argv.slice(2)
if (first === '--one') await measure(JSON.parse(others[0]))
else for (const runtime of [first, ...others]) process.stdout.write(`${runtime}\n${table(runtime)}\n\n`)

/** @param {string} runtime  A command. */
function table (runtime) {
  const rows = OPERATIONS.map(operation => {
    /** @type {Record<string, number[]>} */
    const figures = Object.fromEntries(APIS.map(api => [api, []]))
    for (let round = 0; round < ROUNDS; round++) {
      for (const api of APIS) figures[api].push(inProcess(runtime, { ...operation, api }))
    }
    const own = median(figures.node)
    return [
      JSON.stringify(operation),
      ...APIS.map(api => `${median(figures[api]).toFixed(1)} (${(median(figures[api]) / own).toFixed(2)})`)
    ]
  })
  return markdownTable([['operation', ...APIS], ...rows])
}

/**
 * @param {string} runtime
 * @param {object} what
 * @returns {number} ns per operation
 */
function inProcess (runtime, what) {
  const [command, ...args] = runtime.split(' ')
  return Number(
    execFileSync(command, [...args, fileURLToPath(import.meta.url), '--one', JSON.stringify(what)], {
      encoding: 'utf8'
    })
  )
}

/** @param {Operation & {api: string}} what */
async function measure ({ name, params, api }) {
  const { scenario } = await import(`./${name}.js`)
  const {
    phases: [{ operations, run }]
  } = scenario.createWorkload(await import(`./apis/${api}.js`), params, (/** @type {number} */ limit) =>
    Math.floor(Math.random() * limit)
  )
  await cyclesFor(WARMUP_MS, run)
  const { ms, cycles } = await cyclesFor(MEASURED_MS, run)
  process.stdout.write(String((1e6 * ms) / (cycles * operations)))
  process.exit()
}

/**
 * @param {number} limitMs
 * @param {() => unknown} run  May return a promise.
 */
async function cyclesFor (limitMs, run) {
  const [begun, start] = [performance.now(), cpuMs()]
  for (let cycles = 1; ; cycles++) {
    const promise = run()
    if (promise) await promise
    const ms = cpuMs() - start
    if (ms > limitMs || performance.now() - begun > LONGEST_MS) return { ms, cycles }
  }
}

function cpuMs () {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
