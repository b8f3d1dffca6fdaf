/** A user's program as a server: how it starts, warms up and settles. */
import { sum } from 'simple-statistics'
import { SampleError } from '../../model/errors.js'
import { enumerate, formatShare } from '../../model/numbers.js'
import { cpuMsOf } from '../../processes/proc-stat.js'
import { programListening } from '../../processes/shapes.js'
import { assertAnswers, assertRequests, describeFailures, describeMissing, MOST_FAILED } from '../http/settle.js'
import { nameStatus, remedyFor } from './choose-server.js'
import { Program } from './program.js'
/** @import { RunningServer, ServerKind } from '../http/running-server.js' */

const FIRST_FAILURE = 400
/** Share of the requests of the trial that a load must send: a copy that shares its core with others gets fewer. */
const LEAST_RATE = 0.1
/** Share of a core, of which copies have equal parts, that cannot grow any more. */
const SATURATED = 0.85
const WARM_UP_POLL_MS = 50

/** @type {ServerKind} */
export const programServer = {
  create: (job, { runtime, signal }) => new Program(job, { runtime, signal }),
  listening: programListening,
  whenWarm,
  // Programs with frameworks need longer.
  settlingMs: 300,
  settle
}

/**
 * Signal that aborts when a program has used this much CPU time: only a running program becomes warm. Frameworks are
 * large, and a copy that is still cold costs a multiple.
 *
 * @param {RunningServer} server
 * @param {number} milliseconds
 * @param {number} longestMs  Wall time.
 */
function whenWarm ({ pid }, milliseconds, longestMs) {
  const startMs = cpuMsOf(pid)
  const end = performance.now() + longestMs
  const warm = new AbortController()
  const poll = setInterval(() => {
    // If CPU time cannot be read, the warm-up takes its longest time.
    const usedMs = startMs === null ? 0 : (cpuMsOf(pid) ?? Infinity) - startMs
    if (usedMs < milliseconds && performance.now() < end) return
    clearInterval(poll)
    warm.abort()
  }, WARM_UP_POLL_MS).unref()
  return warm.signal
}

/** @type {ServerKind['settle']} */
function settle ({ needs, listening, copies, job: { params, load, program } }, { client, window }) {
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
