/**
 * Retransmission timers, as TCP and QUIC have them: each of n connections has a message under way and a timer that
 * waits for its acknowledgement. Nearly all are acknowledged long before the timeout: the timer is stopped, and started
 * again for the next message. When a message is lost, its timer expires, and the message is sent again with twice the
 * timeout.
 *
 * Timers that are started and stopped at a high rate and hardly ever expire are the reason for timer wheels.
 */
import { drawUnit, drawsFor } from './draws.js'
import { createTimers, mix, VirtualService } from './virtual-service.js'

/** @import { MicroScenario } from './contract.js' */

const ACKNOWLEDGEMENTS = 5000
/** Round trips are spread evenly on a logarithmic scale, from a data centre to the other side of the world. */
const SHORTEST_ROUND_TRIP_MS = 10
const LONGEST_ROUND_TRIP_MS = 300
/** RFC 6298: at least a second, doubled at each expiry, up to a minute or more. */
const TIMEOUT_MS = 1000
const LONGEST_TIMEOUT_MS = 60_000
/** Milliseconds of the network's future: a power of two above the longest round trip. */
const HORIZON = 512
const NONE = -1

/** @type {MicroScenario} */
export const scenario = {
  name: 'acknowledge',
  title: 'n connections, each timer stopped by an acknowledgement and started again; some messages are lost',
  kind: 'micro',
  source:
    'G. Varghese, T. Lauck, "Hashed and hierarchical timing wheels" (SOSP 1987), on retransmission; ' +
    'timeouts of RFC 6298 (2011)',
  parameters: {
    size: { title: 'connections, each with a pending timer', minimum: 1 },
    lost: { title: 'messages that are lost, percent' }
  },
  presets: {
    quick: { size: [100, 10_000], lost: [1] },
    documented: { size: [100, 1000, 10_000, 100_000, 1_000_000], lost: [1] },
    ci: { size: [1000], lost: [1] }
  },

  createWorkload (queue, { size, lost }, random) {
    const unit = () => drawUnit(random)
    const roundTrip = () =>
      Math.round(SHORTEST_ROUND_TRIP_MS * (LONGEST_ROUND_TRIP_MS / SHORTEST_ROUND_TRIP_MS) ** unit())
    const last = drawsFor(size) - 1
    const roundTrips = Int16Array.from({ length: last + 1 }, () =>
      unit() < Math.min(lost, 99) / 100 ? NONE : roundTrip()
    )
    const timers = createTimers(queue, size)
    const timeouts = new Uint16Array(size).fill(TIMEOUT_MS)
    const service = new VirtualService(queue, resend)
    // The network: a linked list for each millisecond, of the connections whose acknowledgement arrives then.
    const arriving = new Int32Array(HORIZON).fill(NONE)
    const nextArriving = new Int32Array(size)
    let acknowledged = NONE

    /** @param {number} connection */
    function send (connection) {
      service.start(timers[connection], timeouts[connection])
      const ms = roundTrips[(mix(connection, service.now) >>> 8) & last]
      if (ms === NONE) return
      const slot = (service.now + ms) & (HORIZON - 1)
      nextArriving[connection] = arriving[slot]
      arriving[slot] = connection
    }

    function resend (/** @type {any} */ timer) {
      const connection = queue.payloadOf(timer)
      timeouts[connection] = Math.min(2 * timeouts[connection], LONGEST_TIMEOUT_MS)
      send(connection)
    }

    function acknowledgeMany () {
      for (let i = 0; i < ACKNOWLEDGEMENTS; i++) {
        while (acknowledged === NONE) {
          if (queue.size === 0) return
          service.tick()
          const slot = service.now & (HORIZON - 1)
          acknowledged = arriving[slot]
          arriving[slot] = NONE
        }
        const connection = acknowledged
        acknowledged = nextArriving[connection]
        queue.cancel(timers[connection])
        timeouts[connection] = TIMEOUT_MS
        send(connection)
      }
    }

    for (let i = 0; i < size; i++) send(i)
    return { outcome: service, phases: [{ metric: 'nsPerOp', operations: ACKNOWLEDGEMENTS, run: acknowledgeMany }] }
  }
}
