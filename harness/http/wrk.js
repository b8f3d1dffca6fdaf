/** Load by wrk, an external program. Its figures come from its Lua hook, not from scraping its text. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { SampleError } from '../child.js'

const SUMMARY_SCRIPT = fileURLToPath(new URL('./wrk-summary.lua', import.meta.url))

/**
 * @typedef {object} Load  What a load generator is asked for.
 * @property {string} url
 * @property {number} connections
 * @property {number} threads
 * @property {number} seconds
 * @property {string[]} pin  Command prefix.
 * @property {AbortSignal} [signal]
 *
 * @typedef {object} LoadResult
 * @property {number} requests  Answered.
 * @property {number} seconds
 * @property {Record<string, number>} errors  By kind.
 * @property {{p50: number, p90: number, p99: number, p999: number, max: number}} latencyMs
 */

/**
 * @param {Load} load
 * @returns {Promise<LoadResult>}
 * @throws {SampleError} when wrk cannot be started, fails, or says nothing
 */
export async function loadWithWrk (load) {
  const { url, connections, threads, seconds, pin, signal } = load
  // wrk wants a connection for every thread.
  const options = [`-t${Math.min(threads, connections)}`, `-c${connections}`, `-d${seconds}s`, '-s', SUMMARY_SCRIPT, url]
  const [command, ...args] = [...pin, 'wrk', ...options]
  const stdout = await new Promise((resolve, reject) => {
    execFile(command, args, { signal }, (error, stdout, stderr) => {
      if (!error) resolve(stdout)
      else reject(error.name === 'AbortError' ? error : new SampleError('load', `wrk failed: ${stderr.trim() || error.message}`))
    })
  })
  const line = stdout.split('\n').find((/** @type {string} */ line) => line.startsWith('{'))
  if (!line) throw new SampleError('load', `wrk printed no summary: ${stdout.trim().slice(0, 200)}`)
  const { requests, micros, errors, latencyMicros } = JSON.parse(line)
  return {
    requests,
    seconds: micros / 1e6,
    errors,
    latencyMs: /** @type {LoadResult['latencyMs']} */ (
      Object.fromEntries(Object.entries(latencyMicros).map(([name, micros]) => [name, /** @type {number} */ (micros) / 1000])))
  }
}

/** @returns {Promise<string | null>} wrk's version, null where it is not on PATH */
export function wrkVersion () {
  return new Promise(resolve => {
    // wrk -v prints its version and ends with an error, as no URL is given.
    execFile('wrk', ['-v'], (error, stdout, stderr) => {
      if (/** @type {NodeJS.ErrnoException | null} */ (error)?.code === 'ENOENT') resolve(null)
      else resolve(/wrk\s+(?:debian\/)?(\S+)/.exec(stdout + stderr)?.[1] ?? 'unknown')
    })
  })
}
