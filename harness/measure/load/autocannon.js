/**
 * Load by autocannon, an npm package, where wrk is missing. Latencies are whole milliseconds, except those by method.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readLoad, runGenerator } from './run-generator.js'
/** @import { Load, LoadResult } from './wrk.js' */

const PROGRAM = fileURLToPath(new URL('./autocannon-program.js', import.meta.url))
const MANIFEST = new URL('./package.json', import.meta.resolve('autocannon'))

/**
 * Ignores `threads`: several threads would compete for the core that they are pinned to.
 *
 * @type {(load: Load) => Promise<LoadResult>}
 */
export async function loadWithAutocannon ({ pin, signal, requests = [], ...load }) {
  // The system limits the length of one argument more than that of all together.
  const loadArguments = [load, ...requests].map(argument => JSON.stringify(argument))
  return parseAutocannonOutput(
    await runGenerator('autocannon', [...pin, process.execPath, PROGRAM, ...loadArguments], signal)
  )
}

/** @type {(stdout: string) => LoadResult} */
export function parseAutocannonOutput (stdout) {
  return readLoad('autocannon', () => {
    const { result, operations } = JSON.parse(stdout)
    const { latency, errors, timeouts, non2xx } = result
    return {
      requests: result.requests.total,
      seconds: result.duration,
      errors: { connect: errors - timeouts, timeout: timeouts, status: non2xx },
      latencyMs: { p50: latency.p50, p90: latency.p90, p99: latency.p99, p999: latency.p99_9, max: latency.max },
      operations
    }
  })
}

/** @returns {string} */
export const autocannonVersion = () => JSON.parse(readFileSync(MANIFEST, 'utf8')).version
