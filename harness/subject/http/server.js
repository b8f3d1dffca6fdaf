/**
 * The server of one HTTP sample, or of a worker of its cluster: the scenario's server, with the queue behind every
 * socket of the process.
 */
import fs from 'node:fs'
import { createServer } from 'node:http'
import { plugSocketTimers } from '../../../timers/socket-timers.js'
import { createRandom } from '../../model/random.js'
import { callModule } from '../call-module.js'
import { findBlocks } from '../count/find-blocks.js'
import { loadQueue, loadScenario } from '../modules/load.js'
import { wallMs } from '../../processes/clock.js'
import { assertPunctual } from '../trust/punctuality.js'
import { startWorkCounter } from '../count/work-counter.js'
import { Connections, restsWithin } from './connections.js'
import { LOOPBACK } from '../../model/machine.js'
import { TimerService } from './timer-service.js'
import { countTimers, Window } from './window.js'
/** @import { TimerQueue } from '../../../queues/contract.js' */
/** @import { HttpScenario } from '../../../scenarios/contract.js' */
/** @import { IncomingMessage, Server, ServerResponse } from 'node:http' */
/** @import { AddressInfo } from 'node:net' */

/**
 * @typedef {object} ServerJob
 * @property {string | null} queueUrl  null: Node's own timers, untouched.
 * @property {string} scenarioUrl
 * @property {Record<string, number>} params
 * @property {number} [port]  0, the default: any free port.
 * @property {string} [listen]  Address.
 * @property {string | null} [directory]  The folder of the scenario's files.
 * @property {number} [expectedConnections]  Connections that a load opens before its first request is answered.
 * @property {boolean} [countsWork]  Count the queue's work, in a process with WORK_FLAGS.
 */

/** Ten thousand connections whose timers are in a sorted list took more than ten seconds to close. */
const REST_LIMIT_MS = 60_000
/** Node's own. */
const BACKLOG = 511
const EXERCISE_SEED = 1
/** Clock of a server whose work is counted: the same requests make the same deadlines on every machine. */
const REQUESTS_PER_MS = 10

export class MeasuredServer {
  server = /** @type {Server} */ (/** @type {unknown} */ (null))
  #window = new Window()
  #connections = new Connections(0)
  /** @type {TimerService | null} */
  #service = null
  /** @type {(new () => TimerQueue) | null} */
  #Queue = null
  /** @type {ReturnType<typeof startWorkCounter> | undefined} */
  #counter
  /** Requests since the start, by method. */
  #received = /** @type {Record<string, number>} */ ({})
  /** Requests that were answered with status 200. */
  #answered = /** @type {Record<string, number>} */ ({})

  /** @param {ServerJob} job */
  async listen (job) {
    const { scenarioUrl, queueUrl, params, directory, expectedConnections = 0 } = job
    const scenario = /** @type {HttpScenario} */ (await loadScenario(scenarioUrl))
    if (queueUrl !== null) await this.#plug(queueUrl, job)
    this.#connections = new Connections(expectedConnections)
    this.server = scenario.createServer(
      handler =>
        createServer((request, response) => {
          this.#window.requests++
          // Counting takes time, so it is left out if nothing is checked.
          if (scenario.findFault) this.#countOperation(request, response)
          if (this.#connections.areAssembled) handler(request, response)
          else this.#connections.wait(() => handler(request, response))
        }),
      params,
      { fs, directory: directory ?? '' }
    )
    this.server.on('connection', socket => this.#connections.add(socket))
    // A load opens all its connections at once; the system makes a connection without a place wait a second or longer.
    const backlog = Math.max(BACKLOG, params.connections)
    return new Promise((resolve, reject) => {
      this.server.once('error', reject)
      this.server.listen(job.port ?? 0, job.listen ?? LOOPBACK, backlog, () =>
        resolve({ port: /** @type {AddressInfo} */ (this.server.address()).port })
      )
    })
  }

  /**
   * Puts the queue behind every socket of this process.
   *
   * @param {string} queueUrl
   * @param {ServerJob} job
   */
  async #plug (queueUrl, { countsWork }) {
    // Only modules loaded from here on are counted: the queue and its imports.
    if (countsWork) this.#counter = startWorkCounter()
    const { Queue } = await loadQueue(queueUrl)
    if (this.#counter) findBlocks(new Queue(), createRandom(EXERCISE_SEED), this.#counter.count)
    const clock = countsWork ? () => this.#window.requests / REQUESTS_PER_MS : wallMs
    this.#Queue = Queue
    this.#service = new TimerService(new Queue(), clock)
    plugSocketTimers(this.#service)
  }

  /**
   * @param {IncomingMessage} request
   * @param {ServerResponse} response
   */
  #countOperation ({ method = '' }, response) {
    this.#received[method] = (this.#received[method] ?? 0) + 1
    response.once('finish', () => {
      if (response.statusCode === 200) this.#answered[method] = (this.#answered[method] ?? 0) + 1
    })
  }

  /**
   * Waits until a load has closed its connections on this side, too.
   *
   * @param {{connections: number}} message  Connections that stay open.
   */
  async rest ({ connections }) {
    if (await restsWithin(REST_LIMIT_MS, this.server, connections)) return {}
    throw new Error(`connections still open ${REST_LIMIT_MS / 1000} s after the load`)
  }

  open () {
    this.#connections.resetPeak()
    this.#service?.resetCounts()
    this.#window.open()
    return {}
  }

  slice () {
    return this.#window.slice()
  }

  close () {
    return {
      ...this.#window.close(),
      connectedPeak: this.#connections.peak,
      timers: this.#service && countTimers(this.#service)
    }
  }

  /** @returns {{blocks: number}} work of the queue since the last count */
  count () {
    return { blocks: this.#counter?.count() ?? 0 }
  }

  /**
   * Ends the server after the load.
   *
   * @returns {Promise<object>} timers that are left behind when all sockets are destroyed, and requests by method
   */
  async settle () {
    this.server.closeAllConnections()
    await new Promise(resolve => this.server.close(resolve))
    if (this.#Queue) assertPunctual(this.#Queue)
    return { pending: this.#service?.pending ?? 0, received: this.#received, answered: this.#answered }
  }

  /** @param {{moduleUrl: string, name: string}} message */
  call (message) {
    return callModule(message, this)
  }
}
