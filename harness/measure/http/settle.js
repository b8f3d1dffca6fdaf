/** A window of load on a server, and whether its figures are valid, which is decided after the load. */
import { sum } from 'simple-statistics'
import { SampleError } from '../../model/errors.js'
import { enumerate, formatCount, formatShare } from '../../model/numbers.js'
import { nameStatus, remedyFor } from '../program/choose-server.js'
import { metricsOf } from './metrics.js'
/** @import { Warning } from '../../model/warnings.js' */
/** @import { Needs } from '../../subject/http/needs.js' */
/** @import { LoadResult } from '../load/wrk.js' */
/** @import { HttpJob, RunningServer } from './running-server.js' */

/** A server's own count may exceed the load generator's by this share, and by an unanswered request a connection. */
const MOST_UNKNOWN = 0.05
/** Share of failed requests beyond which the figures describe something else. */
const MOST_FAILED = 0.01
const FIRST_FAILURE = 400
/** wrk opens equally many connections on each thread, so sometimes fewer than it is asked for. */
const LEAST_CONNECTED = 0.9
/** Share of the requests of the trial that a load must send: a copy that shares its core with others gets fewer. */
const LEAST_RATE = 0.1
/** Share of a core, of which copies have equal parts, that cannot grow any more. */
const SATURATED = 0.85

/**
 * @typedef {object} Served  Figures of a load, from its two ends.
 * @property {LoadResult} client
 * @property {any} window
 * @property {number} [copies]  Servers that share the core.
 */

/**
 * Measures from the first request of a load to the last.
 *
 * @param {RunningServer} server
 * @param {HttpJob} job
 */
export async function measureWindow (server, job) {
  const { ask, load } = server
  await ask({ type: 'open' })
  const client = await load(job.params.seconds)
  const window = await ask({ type: 'close' })
  return settle(server, job, { client, window })
}

/**
 * @param {RunningServer} server
 * @param {HttpJob} job
 * @param {Served} served
 * @throws {SampleError} when no figure of this server is valid
 */
export async function settle (server, job, { client, window, copies = 1 }) {
  const warnings = job.program
    ? settleProgram(server, job, { client, window, copies })
    : await settleScenario(server, job.params, { client, window })
  return { metrics: metricsOf(window, client), warnings, details: { client, window } }
}

/** @type {(server: RunningServer, params: Record<string, number>, served: Served) => Promise<Warning[]>} */
async function settleScenario ({ needs, ask }, params, { client, window }) {
  const { pending, fault } = await ask({ type: 'settle' })
  /** @type {Warning[]} */
  const warnings =
    pending > 0 ? [{ kind: 'timers-left', text: `closed sockets left ${formatCount(pending, 'timer')} pending` }] : []
  assertRequests(window)
  if (!needs.breaksConnections) {
    assertAnswers(client)
    assertCount(window, client, params)
    warnings.unshift(...describeFailures(client), ...describeMissing(needs, params, window))
  }
  if (fault !== null) throw new SampleError('wrong', fault)
  return warnings
}

/** @type {(server: RunningServer, job: HttpJob, served: Required<Served>) => Warning[]} */
function settleProgram ({ needs, listening }, { params, load, program }, { client, window, copies }) {
  const { version, asked, servers = 1 } = listening
  const { statuses, requests } = window
  const others = Object.keys(statuses).map(Number)
  const failed = others.filter(status => status >= FIRST_FAILURE)
  const text = enumerate(
    others.map(status => `${nameStatus(status)} to ${formatShare(statuses[status] / requests)} of the requests`)
  )
  if (sum(failed.map(status => statuses[status])) > MOST_FAILED * requests) {
    throw new SampleError('load', `the program answered ${text}: ${remedyFor(failed[0])}`)
  }
  // A client of another protocol makes no requests, but connections.
  if (!load.command || window.connectedPeak === 0) assertRequests(window)
  if (load.command) assertAsTried(window, (program?.requestsPerSecond ?? 0) / copies)
  else assertAnswers(client)
  if (window.requests === 0) assertUnsaturated(window, copies)
  const warnings = describeFailures(client)
  if (text) warnings.push({ kind: 'other-answers', text: `${text} (--path chooses another page)` })
  if (!load.command) warnings.push(...describeMissing(needs, params, window))
  if (servers > 1) {
    const text = `port ${asked} took the load, one of ${servers} on which the program listens: --port chooses another`
    warnings.push({ kind: 'other-port', text })
  }
  if (version !== process.version) {
    warnings.push({ kind: 'other-node', text: `the program runs on ${version}, timerq on ${process.version}` })
  }
  return warnings
}

/**
 * Copies that use up their core do less work in a second, not the same work in less time.
 *
 * @param {{windowMs: number, userMicros: number, systemMicros: number}} window
 * @param {number} copies  Servers that share the core.
 */
function assertUnsaturated ({ windowMs, userMicros, systemMicros }, copies) {
  const share = (userMicros + systemMicros) / 1000 / windowMs
  if (share < SATURATED / copies) return
  throw new SampleError(
    'load',
    `the program used up its share of the core (${Math.round(100 * share)} %), and counts no requests: ` +
      'let --load-command send at a fixed, lower rate'
  )
}

/**
 * @param {{requests: number, windowMs: number}} window
 * @param {number} tried  Requests per second when the program was tried out, as its part of the core.
 */
function assertAsTried ({ requests, windowMs }, tried) {
  const rate = (1000 * requests) / windowMs
  if (rate >= LEAST_RATE * tried) return
  throw new SampleError(
    'load',
    `--load-command sent ${rate.toFixed(1)} requests a second, and about ${tried.toFixed(1)} when the program was ` +
      'tried out: it must send as many each time that it runs, for all of {seconds}'
  )
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
function assertAnswers ({ requests, errors }) {
  if (requests === 0 && sum(Object.values(errors)) === 0) {
    throw new SampleError(
      'load',
      'no request was answered while the load generator measured: it needs more seconds, or fewer connections'
    )
  }
}

/**
 * CPU time is divided by the server's requests, so a queue that makes requests up would look fast. A server of slow
 * requests counts a few too many when it is held up at the end of its window: then the sample alone is lost.
 *
 * @type {(window: {requests: number}, client: LoadResult, params: Record<string, number>) => void}
 */
export function assertCount (window, client, { connections }) {
  const sent = client.requests + sum(Object.values(client.errors))
  const unknown = MOST_UNKNOWN * sent + connections
  if (window.requests <= sent + unknown) return
  throw new SampleError(
    window.requests > sent + 2 * unknown ? 'wrong' : 'load',
    `its server counted ${window.requests} requests, and the load generator ${sent}: its figures cannot be trusted`
  )
}

/**
 * Timeouts do not count: a client that waits long is not wrong.
 *
 * @type {(client: LoadResult) => Warning[]}
 */
function describeFailures ({ requests, errors: { timeout: _, ...errors } }) {
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
function describeMissing ({ idleConnections = 0 }, params, { connectedPeak }) {
  const connections = params.connections + idleConnections
  if (connectedPeak >= LEAST_CONNECTED * connections) return []
  const text = `only ${connectedPeak} of ${connections} were ever open; measure for more seconds`
  return [{ kind: 'few-connections', text }]
}
