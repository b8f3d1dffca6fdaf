/**
 * Connections that come and go: each has a timer of its own, whose payload is the connection. A random connection closes, its timer is
 * cancelled and released, and a new connection takes its place. One in a hundred is idle for too long: its timer expires, and is released
 * inside the callback.
 *
 * The clock is a server's Date.now(), beyond 2^31: deadlines are no small integers.
 */
import { drawsFor, drawUnit } from './draws.js'
import { VirtualService } from './virtual-service.js'

/** @import { MicroScenario } from './contract.js' */

const ARRIVALS = 5000
const ARRIVALS_PER_MS = 40
const IDLE_TIMEOUT_MS = 60_000
const SHORT_SHARE = 0.01
/** 2026-01-01T00:00:00Z */
const NOW = 1_767_225_600_000

class Connection {
  /** @type {any} */
  timer = null

  /** @param {number} number */
  constructor (number) {
    this.number = number
  }
}

/** @type {MicroScenario} */
export const scenario = {
  name: 'come-and-go',
  title: 'n connections, one closes and one opens at a time: timers are created, started, cancelled and released',
  kind: 'micro',
  source: 'an HTTP server without keep-alive: Node creates a Timeout for each connection (nodejs/node, lib/net.js)',
  parameters: { size: { title: 'open connections', minimum: 1 } },
  presets: {
    quick: { size: [1000] },
    documented: { size: [100, 1000, 10_000, 100_000] },
    ci: { size: [100, 10_000] }
  },

  createWorkload (queue, { size }, random) {
    const connections = Array.from({ length: size }, (_, number) => new Connection(number))
    const drawn = Array.from({ length: drawsFor(size) }, () => connections[random(size)])
    const last = drawn.length - 1
    const meanLifetime = Math.max(1, Math.round(size / ARRIVALS_PER_MS))
    const durations = Uint32Array.from(drawn, () => drawUnit(random) < SHORT_SHARE ? 1 + random(meanLifetime) : Math.max(IDLE_TIMEOUT_MS, 16 * meanLifetime))
    const service = new VirtualService(queue, timer => {
      const connection = queue.payloadOf(timer)
      queue.releaseTimer(timer)
      open(connection, IDLE_TIMEOUT_MS)
    }, { now: NOW, numberOf: connection => connection.number })
    let next = 0

    /**
     * @param {Connection} connection
     * @param {number} duration
     */
    function open (connection, duration) {
      connection.timer = queue.createTimer(connection)
      service.start(connection.timer, duration)
    }

    function replaceMany () {
      let draw = next | 0
      for (let i = 0; i < ARRIVALS; i += ARRIVALS_PER_MS) {
        for (let j = 0; j < ARRIVALS_PER_MS; j++) {
          const connection = drawn[draw]
          queue.cancel(connection.timer)
          queue.releaseTimer(connection.timer)
          open(connection, durations[draw])
          draw = (draw + 1) & last
        }
        service.tick()
      }
      next = draw
    }

    for (const connection of connections) open(connection, IDLE_TIMEOUT_MS)
    return { outcome: service, phases: [{ metric: 'nsPerOp', operations: ARRIVALS, run: replaceMany }] }
  }
}
