/** Load by autocannon, an npm package, where wrk is missing. Latencies are whole milliseconds, except those by method. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readLoad, runGenerator } from './run-generator.js'

const PROGRAM = fileURLToPath(new URL('./autocannon-program.js', import.meta.url))
const MANIFEST = new URL('./package.json', import.meta.resolve('autocannon'))

/**
 * Uses one thread, whatever `threads` says: several would compete for the core that they are pinned to.
 *
 * @param {import('./wrk.js').Load} load
 * @returns {Promise<import('./wrk.js').LoadResult>}
 * @throws {SampleError} when autocannon fails or prints no result
 */
export async function loadWithAutocannon ({ pin, signal, ...load }) {
  return parseAutocannonOutput(await runGenerator('autocannon', [...pin, process.execPath, PROGRAM, JSON.stringify(load)], signal))
}

/**
 * @param {string} stdout
 * @returns {import('./wrk.js').LoadResult}
 * @throws {SampleError} when it holds no result
 */
export function parseAutocannonOutput (stdout) {
  return readLoad('autocannon', () => {
    const { result, operations } = JSON.parse(stdout)
    const { latency } = result
    return {
      requests: result.requests.total,
      seconds: result.duration,
      errors: { connect: result.errors - result.timeouts, timeout: result.timeouts, status: result.non2xx },
      latencyMs: { p50: latency.p50, p90: latency.p90, p99: latency.p99, p999: latency.p99_9, max: latency.max },
      operations
    }
  })
}

/** @returns {string} */
export function autocannonVersion () {
  return JSON.parse(readFileSync(MANIFEST, 'utf8')).version
}
