/**
 * Counters of a user's server in its own process: requests, failures, connections, CPU time. Answers the requests of
 * running-server.js.
 */
import { subscribe } from 'node:diagnostics_channel'
import { countConnections, restsWithin } from '../http/connections.js'
import { countTimers, Window } from '../http/window.js'
/** @import { Server } from 'node:net' */
/** @import { TimerService } from '../http/timer-service.js' */

/**
 * A server of another protocol may keep a connection whose client is gone: the next load does not wait longer for it.
 */
const REST_LIMIT_MS = 3000
const FIRST_UNUSUAL = 300

export class MeasuredProgram {
  #server
  #service
  #started
  #window = new Window()
  /** Connections since the window opened. */
  #accepted = 0
  #connectedPeak = 0
  /**
   * Answers other than 2xx, by status.
   *
   * @type {Record<string, number>}
   */
  #statuses = {}

  /**
   * @param {Server} server
   * @param {TimerService | null} service
   * @param {{idleTimers: number}} [started]  Idle timers of sockets since the process began.
   */
  constructor (server, service, started) {
    this.#server = server
    this.#service = service
    this.#started = started
    const count = (/** @type {any} */ message) => {
      if (message.server === server) this.#window.requests++
    }
    subscribe('http.server.request.start', count)
    // Node 24 and newer.
    subscribe('http2.server.stream.start', (/** @type {any} */ { stream }) => count({ server: stream.session?.server }))
    subscribe('http.server.response.finish', (/** @type {any} */ message) => {
      const { statusCode } = message.response
      if (message.server === server && statusCode >= FIRST_UNUSUAL) {
        this.#statuses[statusCode] = (this.#statuses[statusCode] ?? 0) + 1
      }
    })
    subscribe('net.server.socket', (/** @type {any} */ { socket }) => {
      if (socket.server === server) this.#accepted++
    })
  }

  /** Waits until a load has closed its connections on this side, too. */
  async rest () {
    await restsWithin(REST_LIMIT_MS, this.#server, 0)
    return {}
  }

  open () {
    this.#accepted = this.#connectedPeak = 0
    this.#statuses = {}
    this.#service?.resetCounts()
    this.#window.open()
    return {}
  }

  async slice () {
    const slice = this.#window.slice()
    this.#connectedPeak = Math.max(this.#connectedPeak, await countConnections(this.#server))
    return { ...slice, accepted: this.#accepted }
  }

  close () {
    const timers = this.#service && countTimers(this.#service)
    return {
      ...this.#window.close(),
      connectedPeak: Math.max(this.#connectedPeak, this.#accepted),
      timers,
      statuses: this.#statuses,
      ...this.#started
    }
  }
}
