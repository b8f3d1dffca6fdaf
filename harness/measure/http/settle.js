/** A window of load on a server, and what both kinds of servers ask before its figures are valid. */
import { sum } from 'simple-statistics'
import { SampleError } from '../../model/errors.js'
import { metricsOf } from './metrics.js'
/** @import { Warning } from '../../model/warnings.js' */
/** @import { Needs } from '../../subject/http/needs.js' */
/** @import { LoadResult } from '../load/wrk.js' */
/** @import { RunningServer } from './running-server.js' */

/** Share of failed requests beyond which the figures describe something else. */
export const MOST_FAILED = 0.01
/** wrk opens equally many connections on each thread, so sometimes fewer than it is asked for. */
const LEAST_CONNECTED = 0.9

/**
 * @typedef {object} Served  Figures of a load, from its two ends.
 * @property {LoadResult} client
 * @property {any} window
 */

/**
 * Measures from the first request of a load to the last.
 *
 * @param {RunningServer} server
 */
export async function measureWindow (server) {
  const { ask, load, job } = server
  await ask({ type: 'open' })
  const client = await load(job.params.seconds)
  const window = await ask({ type: 'close' })
  return settle(server, { client, window })
}

/**
 * @param {RunningServer} server
 * @param {Served} served
 * @throws {SampleError} when no figure of this server is valid
 */
export async function settle (server, served) {
  const warnings = await server.kind.settle(server, served)
  return { metrics: metricsOf(served.window, served.client), warnings, details: served }
}

/** @param {{requests: number}} window */
export function assertRequests (window) {
  if (window.requests === 0) throw new SampleError('load', 'no request reached the server')
}

/**
 * A window may end before thousands of connections are open: then no answer was timed.
 *
 * @param {LoadResult} client
 */
export function assertAnswers ({ requests, errors }) {
  if (requests === 0 && sum(Object.values(errors)) === 0) {
    throw new SampleError(
      'load',
      'no request was answered while the load generator measured: it needs more seconds, or fewer connections'
    )
  }
}

/**
 * Timeouts do not count: a client that waits long is not wrong.
 *
 * @type {(client: LoadResult) => Warning[]}
 */
export function describeFailures ({ requests, errors: { timeout: _, ...errors } }) {
  const failed = sum(Object.values(errors))
  if (failed === 0) return []
  const kinds = Object.entries(errors).filter(([, count]) => count > 0)
  const text =
    `${failed} of ${requests + failed} requests failed: ` +
    kinds.map(([kind, count]) => `${kind} ${count}`).join(', ')
  if (failed > MOST_FAILED * (requests + failed)) {
    throw new SampleError(errors.connect === failed ? 'load' : 'wrong', text)
  }
  return [{ kind: 'failed-requests', text }]
}

/**
 * Thousands of connections take seconds to open: a short window may be over by then.
 *
 * @type {(needs: Partial<Needs>, params: Record<string, number>, window: {connectedPeak: number}) => Warning[]}
 */
export function describeMissing ({ idleConnections = 0 }, params, { connectedPeak }) {
  const connections = params.connections + idleConnections
  if (connectedPeak >= LEAST_CONNECTED * connections) return []
  const text = `only ${connectedPeak} of ${connections} were ever open; measure for more seconds`
  return [{ kind: 'few-connections', text }]
}
