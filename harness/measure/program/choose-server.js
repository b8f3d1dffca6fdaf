/**
 * Finds the server of a user's program that takes the load: the first that answers, of those that the program has
 * announced. A server that asks for any port is likely to be the program's own, so one with a number comes first.
 */
import { request as requestHttp, STATUS_CODES } from 'node:http'
import { request as requestHttps } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { SampleError } from '../../model/errors.js'
import { enumerate } from '../../model/numbers.js'
import { LOOPBACK } from '../../model/machine.js'
/** @import { HttpJob } from '../http/running-server.js' */
/** @import { AnnouncedServer, ProgramSettings } from './program.js' */

/**
 * @typedef {object} Probe
 * @property {number} since
 * @property {number | string} [answer]  Status, or what went wrong; missing: nothing yet.
 * @property {string | null} [refusal]  Why the server takes no load; null: it does; missing: it is not ready.
 */

const POLL_MS = 30
/** Time for another server to appear when none of those that are there will do. */
const PATIENCE_MS = 1000
/** Time in which a server's first answer comes before that of a server that listened later. */
const PRECEDENCE_MS = 2000
/** Time for a server with a number to appear. */
const ANY_PORT_MS = 500
/** Refusal of a server that the user has not named. */
const OTHER_PORT = 'another port'
/** Status of a server that will be asked again. */
const UNAVAILABLE = 503

/**
 * @param {AnnouncedServer[]} announced  Servers so far; the list grows.
 * @param {Pick<HttpJob, 'program' | 'load'>} job
 * @param {object} options
 * @param {() => string | null} options.findAbsence  Why no process of the program announces anything, if it cannot.
 * @param {() => number[]} options.portsAsked  Ports that the program has connected to.
 * @param {AbortSignal} options.signal
 * @returns {Promise<AnnouncedServer>}
 * @throws {SampleError} when the program cannot be measured
 */
export async function chooseServer (announced, { program, load }, { findAbsence, portsAsked, signal: end }) {
  const { command, port, path, startSeconds } = /** @type {ProgramSettings} */ (program)
  const over = new AbortController()
  const signal = AbortSignal.any([end, over.signal])
  const start = performance.now()
  /** @type {Map<AnnouncedServer, Probe>} */
  const probes = new Map()
  let refusedAt = Infinity
  try {
    for (;;) {
      const now = performance.now()
      for (const server of inOrder(announced, port)) {
        const probe = probes.get(server) ?? begin(server)
        if (probe.refusal === null) return server
        if (probe.refusal !== undefined) refusedAt = Math.min(refusedAt, now)
        else if (probe.answer === undefined && now - probe.since < PRECEDENCE_MS) break
      }
      const refusals = announced.map(server => probes.get(server)?.refusal)
      if (refusals.every(refusal => refusal !== undefined) && now - refusedAt > PATIENCE_MS) {
        const reasons = new Set(refusals.filter(refusal => refusal !== OTHER_PORT))
        const ports = enumerate(announced.map(({ asked }) => String(asked)))
        throw new SampleError(
          'load',
          [...reasons].join('; ') || `the program asks for port ${ports}, not for --port ${port}`
        )
      }
      if (now - start > 1000 * startSeconds) {
        const absence = announced.length === 0 ? findAbsence() : null
        const last = announced.map(server => describe(server, probes.get(server)?.answer)).join('; ')
        throw new SampleError(
          'load',
          absence ??
            `${command.join(' ')} answered on no port within ${startSeconds} s${last && ` (${last})`}: ` +
              'raise --time-limit if it needs longer to start'
        )
      }
      await sleep(POLL_MS, undefined, { signal })
    }
  } finally {
    over.abort()
  }

  /** @param {AnnouncedServer} server */
  function begin (server) {
    const isOther = port !== undefined && server.asked !== port
    /** @type {Probe} */
    const probe = { since: performance.now(), refusal: isOther ? OTHER_PORT : findMisfit(server) ?? undefined }
    probes.set(server, probe)
    if (probe.refusal === undefined && load.command) probe.refusal = null
    if (probe.refusal === undefined) ask(server, probe).catch(() => {})
    return probe
  }

  /**
   * Sends one request after another, until an answer says more than that the server is not ready.
   *
   * @param {AnnouncedServer} server
   * @param {Probe} probe
   */
  async function ask (server, probe) {
    while (probe.refusal === undefined) {
      probe.answer = await answerOf(server, path, signal)
      if (probe.answer === UNAVAILABLE) await sleep(POLL_MS, undefined, { signal })
      else probe.refusal = findRefusal(server, probe.answer)
    }
  }

  /**
   * @param {AnnouncedServer} server
   * @param {number | string} answer
   */
  function findRefusal (server, answer) {
    // Node answers older clients with 403.
    if (server.isHttp2 && (typeof answer !== 'number' || answer === 403)) {
      return (
        `${nameOf(server)} speaks HTTP/2 only, which neither wrk nor autocannon does: ` +
        'load it with --load-command, for example of h2load'
      )
    }
    if (typeof answer === 'number' && answer < 400) return null
    if (typeof answer !== 'number') return `${describe(server, answer)}: load it with its own client, by --load-command`
    const own = portsAsked().find(port => announced.some(({ asked }) => asked === port))
    return `${describe(server, answer)}: ${own === undefined ? remedyFor(answer) : remedyForOwn(own)}`
  }

  /** @type {(server: AnnouncedServer, answer?: number | string) => string} */
  function describe (server, answer) {
    if (typeof answer === 'number') return `${nameOf(server)} answers GET ${path} with ${nameStatus(answer)}`
    return answer === undefined
      ? `${nameOf(server)} gave no answer to GET ${path}; if it speaks another protocol, use --load-command`
      : `${nameOf(server)} does not answer HTTP requests (${answer})`
  }
}

/** @param {AnnouncedServer} server */
const nameOf = ({ asked }) => (asked === 0 ? 'the program' : `port ${asked} of the program`)

/** @param {number} status */
export const nameStatus = status => `${status} ${STATUS_CODES[status] ?? ''}`.trim()

/** @param {number} port */
const remedyForOwn = port =>
  `the program connects to port ${port}, and timerq gives its server there another port: ` +
  'start that server by itself, or choose another --path'

/** @param {number} status */
export function remedyFor (status) {
  if (status >= 500) return 'it fails there, perhaps with a line in its log; or choose another with --path'
  if (status === 429) return 'lift the limit that refuses requests'
  const more = status === 401 || status === 403 ? ', or send what it asks for by --load-command' : ''
  return `choose another with --path${more}`
}

/**
 * Servers that may be asked by now.
 *
 * @param {AnnouncedServer[]} announced
 * @param {number} [port]  Port that the user has named.
 */
function inOrder (announced, port) {
  const [others, withNumber] = [true, false].map(isAny => announced.filter(({ asked }) => (asked === 0) === isAny))
  return [...withNumber, ...others.filter(({ since }) => port !== undefined || performance.now() - since > ANY_PORT_MS)]
}

/**
 * @param {AnnouncedServer} server
 * @returns {string | null}
 */
function findMisfit ({ role, asked }) {
  if (role === 'cluster') {
    return (
      'the program is a cluster: timerq measures one process, so start it without its workers ' +
      '(most programs have an option or a variable for their number)'
    )
  }
  if (role === 'thread') return 'a worker thread listens: timerq measures the main thread of a process'
  if (typeof asked === 'string') {
    return `the program listens on a Unix socket (${asked}), which no load reaches: let it listen on a port`
  }
  return null
}

/**
 * @param {{port: number, isTls: boolean}} server
 * @param {string} path
 * @param {AbortSignal} signal
 * @returns {Promise<number | string>} the status, or what went wrong
 */
function answerOf ({ port, isTls }, path, signal) {
  return new Promise(resolve => {
    const options = { host: LOOPBACK, port, path, agent: false, signal }
    const request = isTls ? requestHttps({ ...options, rejectUnauthorized: false }) : requestHttp(options)
    request.on('error', ({ message }) => resolve(message))
    request.on('response', response => {
      response.on('error', () => {}).resume()
      resolve(Number(response.statusCode))
    })
    request.end()
  })
}
