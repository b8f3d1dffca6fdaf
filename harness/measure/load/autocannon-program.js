/**
 * Runs autocannon in its own process. Every argument is JSON: first a Load, then each of its requests. The result is
 * printed as JSON, too.
 */
import autocannon from 'autocannon'
/** @import { Load } from './wrk.js' */

const [load, ...requests] = process.argv.slice(2).map(argument => JSON.parse(argument))
const { url, connections, seconds, pauseMs = 0 } = /** @type {Load} */ (load)

/**
 * Milliseconds of each answer, by method.
 *
 * @type {Record<string, number[]>}
 */
const latencies = {}
let clients = 0

/**
 * Makes a connection repeat the cycle of requests; each connection begins at a different request.
 *
 * @param {any} client
 */
function setupClient (client) {
  const first = Math.floor((clients++ * requests.length) / connections)
  client.setRequests([...requests.slice(first), ...requests.slice(0, first)])
  client.on('response', (/** @type {number[]} */ ...[status, , milliseconds]) => {
    if (status === 200) (latencies[client.requestIterator.currentRequest.method] ??= []).push(milliseconds)
  })
}

/** @param {number[]} values  Milliseconds. */
function percentilesOf (values) {
  const sorted = Float64Array.from(values).sort()
  const [p50, p90, p99, p999, max] = [50, 90, 99, 99.9, 100].map(p => sorted[Math.ceil((sorted.length * p) / 100) - 1])
  return { requests: sorted.length, latencyMs: { p50, p90, p99, p999, max } }
}

const result = await autocannon({
  url,
  connections,
  duration: seconds,
  // autocannon can limit a connection's rate but not pause between its requests.
  ...(pauseMs > 0 ? { connectionRate: Math.max(1, Math.round(1000 / pauseMs)) } : {}),
  ...(requests.length > 0 ? { setupClient } : {})
})
const operations = Object.fromEntries(
  Object.entries(latencies).map(([method, values]) => [method, percentilesOf(values)])
)
process.stdout.write(JSON.stringify({ result, operations }))
