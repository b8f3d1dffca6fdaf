/** Load by wrk, an external program. Its figures come from its Lua hooks, not from its text output. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { SampleError } from '../../model/errors.js'
import { readLoad, runGenerator } from './run-generator.js'
/** @import { PlannedRequest } from '../../../scenarios/contract.js' */

export const SUMMARY_SCRIPT = fileURLToPath(new URL('./wrk-summary.lua', import.meta.url))
const TRAFFIC_SCRIPT = fileURLToPath(new URL('./wrk-traffic.lua', import.meta.url))

/**
 * @typedef {object} Load  Input of every load generator.
 * @property {string} url
 * @property {number} connections
 * @property {number} threads
 * @property {number} seconds
 * @property {PlannedRequest[]} [requests]  Cycle that every connection repeats; without it, all requests are GETs of
 *   the url.
 * @property {number} [pauseMs]  Pause of a connection before each request.
 * @property {string[]} pin  Command prefix.
 * @property {AbortSignal} [signal]
 *
 * @typedef {{p50: number, p90: number, p99: number, p999: number, max: number}} Latencies
 *
 * @typedef {object} LoadResult
 * @property {number} requests  Answered requests.
 * @property {number} seconds
 * @property {Record<string, number>} errors  Failed requests by kind.
 * @property {Partial<Latencies>} latencyMs  Not every load generator prints all.
 * @property {Record<string, {requests: number, latencyMs: Latencies}>} operations  Requests answered with status 200,
 *   by method; empty unless the load was given requests.
 */

/**
 * @type {(load: Load) => Promise<LoadResult>}
 * @throws {SampleError} when wrk cannot be started, fails, or prints no result
 */
export async function loadWithWrk (load) {
  return parseWrkOutput(await runGenerator('wrk', [...load.pin, 'wrk', ...wrkArguments(load)], load.signal))
}

/**
 * @type {(stdout: string) => LoadResult}
 * @throws {SampleError} when it holds no result
 */
export function parseWrkOutput (stdout) {
  const lines = stdout.split('\n').filter(line => line.startsWith('{'))
  if (lines.length === 0) throw new SampleError('load', `wrk printed no summary: ${stdout.trim().slice(0, 200)}`)
  return readLoad('wrk', () => {
    const summary = Object.assign({}, ...lines.map(line => JSON.parse(line)))
    const operations = Object.entries(summary.operations ?? {}).map(([method, { requests, latencyMicros }]) => [
      method,
      { requests, latencyMs: toMilliseconds(latencyMicros) }
    ])
    return {
      requests: summary.requests,
      seconds: summary.micros / 1e6,
      errors: summary.errors,
      latencyMs: toMilliseconds(summary.latencyMicros),
      operations: Object.fromEntries(operations)
    }
  })
}

/** @param {Load} load */
function wrkArguments ({ url, connections, threads, seconds, requests = [], pauseMs = 0 }) {
  // A thread that repeats a cycle of requests must have one connection; and wrk needs a connection for every thread.
  const threadCount = requests.length > 0 ? connections : Math.min(threads, connections)
  const options = [`-t${threadCount}`, `-c${connections}`, `-d${seconds}s`]
  if (requests.length === 0 && pauseMs === 0) return [...options, '-s', SUMMARY_SCRIPT, url]
  const cycle = requests.map(({ method, path, body = '' }) => `${method} ${path} ${body}`)
  return [...options, '-s', TRAFFIC_SCRIPT, url, '--', String(pauseMs), String(connections), ...cycle]
}

/** @param {Latencies} micros */
const toMilliseconds = micros => Object.fromEntries(Object.entries(micros).map(([name, us]) => [name, us / 1000]))

/** @returns {Promise<string | null>} wrk's version, null where it is not on PATH */
export function wrkVersion () {
  return new Promise(resolve => {
    // wrk -v prints its version, then fails because no URL is given.
    execFile('wrk', ['-v'], (error, stdout, stderr) => {
      if (/** @type {NodeJS.ErrnoException | null} */ (error)?.code === 'ENOENT') resolve(null)
      else resolve(/wrk\s+(?:debian\/)?(\S+)/.exec(stdout + stderr)?.[1] ?? 'unknown')
    })
  })
}
