/** Entrants of these tests, and their Node: queues and scenarios of this project, by the names in their files. */
import { measureWithAll } from '../../../harness/measure/instruments.js'
import { needs } from '../../needs.js'

export const runtime = { name: process.version, path: process.execPath, flags: [] }
export const pins = { subject: [], load: [], cores: [[]], note: 'not pinned' }
export const LOAD = /** @type {'autocannon' | 'wrk'} */ (needs('wrk') ? 'autocannon' : 'wrk')

/** @param {string} path  Path in this project. */
export const urlOf = path => new URL(`../../../${path}`, import.meta.url).href

/**
 * Turns are so long that no hiccup of a loaded machine makes a queue sit a slice out: it would have to take seven times
 * as long.
 */
export const TIMING = {
  warmupMs: 1,
  leadMs: 0.5,
  turnMs: 5,
  turns: 6,
  limitMs: 20_000,
  exactLimitMs: 20_000,
  tailMs: 0
}

/**
 * @param {string} queue  Path, or URL.
 * @param {{scenario?: string, size?: number} & Partial<typeof TIMING>} [options]
 */
export const microJob = (queue, { scenario = 'refresh-one-duration', size = 50, ...timing } = {}) => ({
  queueUrl: URL.canParse(queue) ? queue : urlOf(queue),
  scenarioUrl: urlOf(`scenarios/${scenario}.js`),
  params: { size },
  seed: 1,
  timing: { ...TIMING, ...timing }
})

/**
 * @param {string | null} queue  null: Node's own timers.
 * @param {string} scenario
 * @param {Record<string, number>} [params]
 */
export const serverJob = (queue, scenario, params) => ({
  queueUrl: queue && urlOf(queue),
  scenarioUrl: urlOf(scenario),
  params: { connections: 5, threads: 1, seconds: 1, ...params },
  port: 0,
  load: { generator: LOAD, port: 0 },
  warmupMs: 100
})

/**
 * What the instruments of a step say about a cell.
 *
 * @param {'alone' | 'count'} step
 * @param {any} job
 * @param {{runtime?: object, limitMs?: number, scenario?: object, pins?: object}} [options]
 * @returns {Promise<any>}
 */
export function take (step, job, { runtime: node = runtime, limitMs = 60_000, scenario, ...options } = {}) {
  const kind = 'port' in job ? 'http' : job.isCode ? 'code' : 'micro'
  const cell = { scenario: { kind, ...scenario }, httpJob: job, microJob: job, runtime: node }
  return measureWithAll(step, /** @type {any} */ (cell), /** @type {any} */ ({ pin: [], pins, limitMs, ...options }))
}
