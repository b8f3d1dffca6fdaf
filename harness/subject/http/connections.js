/** The open connections of a server, and the requests that wait until a load has opened all its connections. */
import { setTimeout as sleep } from 'node:timers/promises'
import { wallMs } from '../../processes/clock.js'
/** @import { Server, Socket } from 'node:net' */

/** A load begins with fewer connections when none has come for this long. */
const ASSEMBLY_LIMIT_MS = 1000
const REST_POLL_MS = 5

/**
 * Node accepts one connection in each turn of its event loop. Answers to the first connections would keep the loop so
 * busy that, where servers share a core, a third of the connections were never accepted in a heat of seconds.
 */
export class Connections {
  /** Most that were open at the same time since the last reset. */
  peak = 0
  areAssembled = false
  #open = 0
  #expected
  /** @type {(() => void)[]} */
  #waiting = []
  /** @type {NodeJS.Timeout | undefined} */
  #patience

  /** @param {number} expected  Connections that a load opens at once; 0: requests never wait. */
  constructor (expected) {
    this.#expected = expected
  }

  resetPeak () {
    this.peak = this.#open
  }

  /** @param {Socket} socket */
  add (socket) {
    this.peak = Math.max(this.peak, ++this.#open)
    if (this.#open >= this.#expected) this.#assemble()
    else this.#patience?.refresh()
    socket.once('close', () => {
      if (--this.#open === 0) this.areAssembled = false
    })
  }

  /** @param {() => void} request  Called when all connections are open. */
  wait (request) {
    this.#waiting.push(request)
    this.#patience ??= setTimeout(() => this.#assemble(), ASSEMBLY_LIMIT_MS)
  }

  #assemble () {
    this.areAssembled = true
    clearTimeout(this.#patience)
    this.#patience = undefined
    for (const request of this.#waiting.splice(0)) request()
  }
}

/**
 * Waits until a server has few connections.
 *
 * @param {number} limitMs
 * @param {Server} server
 * @param {number} connections  Connections that may stay open.
 * @returns {Promise<boolean>} false when there are still more at the limit
 */
export async function restsWithin (limitMs, server, connections) {
  const start = wallMs()
  while ((await countConnections(server)) > connections) {
    if (wallMs() - start > limitMs) return false
    await sleep(REST_POLL_MS)
  }
  return true
}

/**
 * @param {Server} server
 * @returns {Promise<number>}
 */
export function countConnections (server) {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  )
}
