/**
 * Puts idle timeouts under the sockets of this process, or of some of its servers: `socket.setTimeout`, the 'timeout'
 * event and all timeouts of net, tls and http that are built on them. Activity on a socket is then a store.
 *
 * Changes in behaviour: an expiry may be late by the resolution; data that waits while the event loop is blocked counts
 * as activity; and 'timeout' is emitted in the async context of the plug, not in that of the call of setTimeout.
 */
import { Server } from 'node:net'
import { IdleTimeouts, SHORTEST_RESOLUTION_MS } from './idle-timeouts.js'
import { ABOVE_ZERO, checkedMs, checkOptions, shown } from './options.js'
import { kTimer, plugSocketTimers } from './socket-timers.js'

const DEFAULT_RESOLUTION_MS = 100
/** Shorter timeouts, in resolutions, stay with Node: there, the lateness would be more than a tenth. */
const SHORTEST_IN_RESOLUTIONS = 10

/** Idle timeouts of the finest resolution accept nothing longer. */
const LONGEST_MS = 2 ** 30

/** Stands for the handle of a socket whose timeout has expired: activity starts it again. */
const EXPIRED = null
const kDuration = Symbol('timerq.socketTimeout')
const kStopped = Symbol('timerq.stopped')

/** Idle timeouts with the methods of a socket timer service. */
class SocketIdleTimeouts {
  /**
   * Open sockets whose timeout has expired.
   *
   * @type {Set<any>}
   */
  #expired = new Set()

  /** @param {number} resolution */
  constructor (resolution) {
    /** @type {IdleTimeouts<any>} */
    this.idle = new IdleTimeouts({
      timeout: resolution,
      resolution,
      onIdle: socket => {
        socket[kTimer] = EXPIRED
        // Others may never be destroyed.
        if (socket._handle) this.#expired.add(socket)
        if (!socket[kStopped]) socket._onTimeout()
      }
    })
  }

  /**
   * @param {any} socket
   * @param {number} duration
   */
  enroll (socket, duration) {
    const handle = socket[kTimer]
    socket[kStopped] = false
    if (handle !== undefined) {
      if (duration === socket[kDuration] && this.idle.touch(handle)) return
      this.idle.delete(handle)
    }
    socket[kDuration] = duration
    this.#start(socket)
  }

  /** @param {any} socket */
  #start (socket) {
    this.#expired.delete(socket)
    socket[kTimer] = this.idle.add(socket, socket[kDuration])
  }

  /** @param {any} socket */
  unrefActive (socket) {
    if (socket[kStopped]) return false
    const handle = socket[kTimer]
    if (handle === EXPIRED) this.#start(socket)
    else this.idle.touch(handle)
    return true
  }

  /**
   * The idle timeout goes on, unheard: HTTP servers stop and start the same one at every request, and starting it again
   * is then a touch.
   *
   * @param {any} socket
   */
  unenroll (socket) {
    socket[kStopped] = true
  }

  /** @param {any} socket */
  release (socket) {
    this.idle.delete(socket[kTimer])
    this.#expired.delete(socket)
    socket[kTimer] = undefined
  }

  /** Ends all timeouts, and starts Node's own for those that were not stopped. */
  close () {
    for (const socket of [...this.idle.close(), ...this.#expired]) {
      socket[kTimer] = undefined
      if (!socket[kStopped]) socket.setTimeout(socket[kDuration])
    }
    this.#expired.clear()
  }
}

/** Stands for all sockets of the process among the servers. */
const PROCESS = {}
/**
 * The plugged servers, and how to unplug them; null while nothing is plugged.
 *
 * @type {{servers: Map<object, number>, unplug: () => void} | null}
 */
let plugged = null

/**
 * Plugs of one process share their idle timeouts: the options of the first hold until all are unplugged.
 *
 * @param {import('node:net').Server | null} [server]  Its connections only; by default, all sockets of the process.
 * @param {object} [options]
 * @param {number} [options.resolution]  Milliseconds, 100 by default.
 * @param {number} [options.shortest]  Milliseconds; shorter timeouts stay with Node. Ten resolutions by default.
 * @returns {() => void} unplugs. After the last one, sockets continue with Node's own timers, from the beginning of
 *   their timeouts.
 */
export function plugSockets (server = null, options = {}) {
  checkServer(server)
  checkOptions('plugSockets', options, ['resolution', 'shortest'])
  const { resolution = DEFAULT_RESOLUTION_MS, shortest = SHORTEST_IN_RESOLUTIONS * resolution } = options
  checkedMs('resolution', resolution, SHORTEST_RESOLUTION_MS, Math.floor(LONGEST_MS / SHORTEST_IN_RESOLUTIONS))
  checkedMs('shortest', shortest, ABOVE_ZERO, LONGEST_MS)
  plugged ??= plug(resolution, shortest)
  const { servers, unplug } = plugged
  const key = server ?? PROCESS
  servers.set(key, (servers.get(key) ?? 0) + 1)
  let done = false
  return () => {
    if (done) return
    done = true
    const others = /** @type {number} */ (servers.get(key)) - 1
    if (others > 0) servers.set(key, others)
    else servers.delete(key)
    if (servers.size > 0) return
    plugged = null
    unplug()
  }
}

/** @param {unknown} server */
function checkServer (server) {
  if (server === null || server instanceof Server) return
  const areOptions = typeof server === 'object' && ('resolution' in server || 'shortest' in server)
  throw new TypeError(
    `server must be a server of net, tls or http, or null for all sockets of the process, got ${shown(server)}` +
      (areOptions ? ' (options come second: plugSockets(null, { ... }))' : '')
  )
}

/**
 * @param {number} resolution
 * @param {number} shortest
 */
function plug (resolution, shortest) {
  /** @type {Map<object, number>} */
  const servers = new Map()
  const service = new SocketIdleTimeouts(resolution)
  const restore = plugSocketTimers(
    service,
    ({ server }, duration) =>
      duration >= shortest && duration <= LONGEST_MS && (servers.has(PROCESS) || servers.has(server))
  )
  return {
    servers,
    unplug () {
      restore()
      service.close()
    }
  }
}
