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

const POLL_MS = 30
/** Time for another server to appear when none of those that are there will do. */
const PATIENCE_MS = 1000
const ANSWER_LIMIT_MS = 2000
/** Time for a server with a number to appear. */
const ANY_PORT_MS = 500
/** Refusal of a server that the user has not named. */
const OTHER_PORT = 'another port'
/** Refusal of a server that will be asked again, and the status of its answer. */
const STARTING = 'not ready'
const UNAVAILABLE = 503

/**
 * @param {AnnouncedServer[]} announced  Servers so far; the list grows.
 * @param {Pick<HttpJob, 'program' | 'loadCommand'>} job
 * @param {object} options
 * @param {() => string | null} options.findAbsence  Why no process of the program announces anything, if it cannot.
 * @param {AbortSignal} options.signal
 * @returns {Promise<AnnouncedServer>}
 * @throws {SampleError} when the program cannot be measured
 */
export async function chooseServer (announced, { program, loadCommand }, { findAbsence, signal }) {
  const { command, port, path, startSeconds } = /** @type {ProgramSettings} */ (program)
  const start = performance.now()
  /**
   * Servers that take no load, and why.
   *
   * @type {Map<AnnouncedServer, string>}
   */
  const refused = new Map()
  let refusedAt = Infinity
  for (;;) {
    for (const server of inOrder(announced, port).filter(server => !refused.has(server))) {
      const isOther = port !== undefined && server.asked !== port
      const misfit = isOther ? OTHER_PORT : findMisfit(server)
      const reason = misfit ?? (loadCommand ? null : await findRefusal(server, path))
      if (reason === null) return server
      if (reason === STARTING) continue
      refused.set(server, reason)
      refusedAt = Math.min(refusedAt, performance.now())
    }
    if (refused.size === announced.length && performance.now() - refusedAt > PATIENCE_MS) {
      const reasons = new Set([...refused.values()].filter(reason => reason !== OTHER_PORT))
      const ports = enumerate(announced.map(({ asked }) => String(asked)))
      throw new SampleError(
        'load',
        [...reasons].join('; ') || `the program asks for port ${ports}, not for --port ${port}`
      )
    }
    if (performance.now() - start > 1000 * startSeconds) {
      const absence = announced.length === 0 ? findAbsence() : null
      throw new SampleError(
        'load',
        absence ??
          `${command.join(' ')} answered on no port within ${startSeconds} s: ` +
            'raise --time-limit if it needs longer to start'
      )
    }
    await sleep(POLL_MS, undefined, { signal })
  }
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
 * Sends one request.
 *
 * @param {AnnouncedServer} server
 * @param {string} path
 * @returns {Promise<string | null>}
 */
async function findRefusal ({ asked, port, isTls, isHttp2 }, path) {
  const answer = await statusOf({ port, path, isTls })
  if (answer === UNAVAILABLE) return STARTING
  const where = asked === 0 ? 'the program' : `port ${asked} of the program`
  // Node answers older clients with 403.
  if (isHttp2 && (typeof answer !== 'number' || answer === 403)) {
    return (
      `${where} speaks HTTP/2 only, which neither wrk nor autocannon does: ` +
      'load it with --load-command, for example of h2load'
    )
  }
  if (typeof answer !== 'number') {
    return `${where} does not answer HTTP requests (${answer}): load it with its own client, by --load-command`
  }
  if (answer < 400) return null
  const more = answer === 401 || answer === 403 ? ', or send what it asks for by --load-command' : ''
  return `${where} answers GET ${path} with ${answer} ${STATUS_CODES[answer] ?? ''}: choose another with --path${more}`
}

/**
 * @param {{port: number, path: string, isTls: boolean}} server
 * @returns {Promise<number | string>} the status, or what went wrong
 */
function statusOf ({ port, path, isTls }) {
  return new Promise(resolve => {
    const options = { host: LOOPBACK, port, path, agent: false, timeout: ANSWER_LIMIT_MS }
    const request = isTls ? requestHttps({ ...options, rejectUnauthorized: false }) : requestHttp(options)
    request.on('timeout', () => request.destroy(new Error(`nothing within ${ANSWER_LIMIT_MS / 1000} s`)))
    request.on('error', ({ message }) => resolve(message))
    request.on('response', response => {
      response.on('error', () => {}).resume()
      resolve(Number(response.statusCode))
    })
    request.end()
  })
}
