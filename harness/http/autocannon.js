/** Load by autocannon, a package: where wrk is not there. Latencies come in whole milliseconds. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { SampleError } from '../child.js'

const COMMAND = fileURLToPath(import.meta.resolve('autocannon'))
const MANIFEST = new URL('./package.json', import.meta.resolve('autocannon'))

/**
 * One thread whatever `threads` says: its worker threads would fight over the core that they are pinned to.
 *
 * @param {import('./wrk.js').Load} load
 * @returns {Promise<import('./wrk.js').LoadResult>}
 * @throws {SampleError} when autocannon fails or says nothing
 */
export async function loadWithAutocannon ({ url, connections, seconds, pin, signal }) {
  const [command, ...args] = [...pin, process.execPath, COMMAND, '--json', '--no-progress', '-c', String(connections),
    '-d', String(seconds), url]
  const stdout = await new Promise((resolve, reject) => {
    execFile(command, args, { signal }, (error, stdout, stderr) => {
      if (!error) resolve(stdout)
      else reject(error.name === 'AbortError' ? error : new SampleError('load', `autocannon failed: ${stderr.trim() || error.message}`))
    })
  })
  const result = parseResult(stdout)
  const { latency } = result
  return {
    requests: result.requests.total,
    seconds: result.duration,
    errors: { connect: result.errors - result.timeouts, timeout: result.timeouts, status: result.non2xx },
    latencyMs: { p50: latency.p50, p90: latency.p90, p99: latency.p99, p999: latency.p99_9, max: latency.max }
  }
}

/** @returns {string} */
export function autocannonVersion () {
  return JSON.parse(readFileSync(MANIFEST, 'utf8')).version
}

/** @param {string} stdout */
function parseResult (stdout) {
  try {
    return JSON.parse(stdout)
  } catch {
    throw new SampleError('load', `autocannon printed no result: ${stdout.trim().slice(0, 200)}`)
  }
}
