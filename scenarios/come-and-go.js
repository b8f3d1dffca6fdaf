/**
 * Connections that come and go: each has a timer, whose payload is the connection. A random connection
 * closes, its timer is cancelled and released, and a new connection takes its place; four others are read or written,
 * which restarts their timers. A few are idle for too long: their timers expire, and are released inside the callback.
 * The server asks its queue, too: whether the timer of a connection that closes is pending, how long a new connection
 * will be kept, which its first response says, and once a millisecond how many timers are pending.
 *
 * The clock is a server's Date.now(), beyond 2^31: deadlines are no small integers.
 */
import { drawsFor, drawUnit } from './draws.js'
import { Owner, VirtualService } from './virtual-service.js'

/** @import { MicroScenario } from './contract.js' */

const ARRIVALS = 1000
const ARRIVALS_PER_MS = 8
/** Refreshes of a keep-alive request on Node 20 to 26. */
const REFRESHES_PER_ARRIVAL = 4
const IDLE_TIMEOUT_MS = 60_000
const SHORT_SHARE = 0.01
/** 2026-01-01T00:00:00Z */
const NOW = 1_767_225_600_000

/** @type {MicroScenario} */
export const scenario = {
  name: 'come-and-go',
  title:
    'n connections, one closes, one opens, four are refreshed: timers are created, restarted, cancelled and released',
  kind: 'micro',
  source: 'an HTTP server without keep-alive: Node creates a Timeout for each connection (nodejs/node, lib/net.js)',
  parameters: { size: { title: 'open connections', minimum: 1 } },
  presets: {
    quick: { size: [1000] },
    documented: { size: [100, 1000, 10_000, 100_000] },
    ci: { size: [100, 10_000] }
  },

  createWorkload (queue, { size }, random) {
    const connections = Array.from({ length: size }, (_, number) => new Owner(number))
    const drawn = Array.from({ length: drawsFor(size) }, () => connections[random(size)])
    const last = drawn.length - 1
    const meanLifetime = Math.max(1, Math.round(size / ARRIVALS_PER_MS))
    const durations = Uint32Array.from(drawn, () =>
      drawUnit(random) < SHORT_SHARE ? 1 + random(meanLifetime) : Math.max(IDLE_TIMEOUT_MS, 16 * meanLifetime)
    )
    const service = new VirtualService(queue, timer => {
      const connection = queue.payloadOf(timer)
      queue.releaseTimer(timer)
      open(connection, IDLE_TIMEOUT_MS)
    })
    service.now = NOW
    let next = 0

    /**
     * @param {Owner} connection
     * @param {number} duration
     */
    function open (connection, duration) {
      connection.timer = queue.createTimer(connection)
      service.start(connection.timer, duration)
    }

    function replaceMany () {
      let draw = next | 0
      let told = 0
      for (let i = 0; i < ARRIVALS; i += ARRIVALS_PER_MS) {
        for (let j = 0; j < ARRIVALS_PER_MS; j++) {
          const connection = drawn[draw]
          if (queue.isPending(connection.timer)) queue.cancel(connection.timer)
          queue.releaseTimer(connection.timer)
          open(connection, durations[draw])
          told = (told + queue.deadlineOf(connection.timer) - service.now) | 0
          draw = (draw + 1) & last
          for (let k = 0; k < REFRESHES_PER_ARRIVAL; k++) {
            service.restart(drawn[draw].timer, IDLE_TIMEOUT_MS)
            draw = (draw + 1) & last
          }
        }
        service.tick()
        told = (told + queue.size) | 0
      }
      next = draw
      service.checksum = (service.checksum + told) >>> 0
    }

    for (const connection of connections) open(connection, IDLE_TIMEOUT_MS)
    return {
      outcome: service,
      phases: [{ metric: 'nsPerOp', operations: ARRIVALS * (1 + REFRESHES_PER_ARRIVAL), run: replaceMany }]
    }
  }
}
