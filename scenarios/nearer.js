/**
 * Connections whose deadlines move nearer and farther in turn, as in a mail client: a command must be answered soon,
 * and after the answer the connection may be idle for longer. Nothing expires.
 *
 * Queues that leave a timer where it is when it moves later are built for deadlines that only move later. Here half of
 * the restarts move a timer nearer. With 5000 ms, the shorter timeout of the source, a connection is visited again
 * before its timer has had to move back; with 100 ms, every visit moves the timer twice.
 */
import { drawEach } from './draws.js'
import { createTimers, VirtualService } from './virtual-service.js'

/** @import { MicroScenario } from './contract.js' */

const VISITS = 2500
/** Mean time between two visits of a connection, unless there are few connections. */
const MS_PER_ROUND = 1000
const FEWEST_PER_MS = 20
const FARTHER_MS = 10_000

/** @type {MicroScenario} */
export const scenario = {
  name: 'nearer',
  title: 'n connections whose deadlines move nearer and farther in turn',
  kind: 'micro',
  source: 'golang/go issue 41699 (2020): 160 000 IMAP connections, Reset(5 s) and then Reset(10 s)',
  parameters: {
    size: { title: 'connections', minimum: 1 },
    nearer: { title: 'the nearer timeout, ms; the other one is 10 s', minimum: 1 }
  },
  presets: {
    quick: { size: [1000, 100_000], nearer: [5000] },
    documented: { size: [100, 1000, 10_000, 100_000, 160_000], nearer: [100, 5000] },
    ci: { size: [1000], nearer: [100, 5000] }
  },

  createWorkload (queue, { size, nearer }, random) {
    const timers = createTimers(queue, size)
    const drawn = drawEach(timers, random)
    const last = drawn.length - 1
    const roundPerMs = Math.ceil(size / MS_PER_ROUND)
    const visitsPerMs = Math.max(FEWEST_PER_MS, roundPerMs)
    const milliseconds = Math.ceil(VISITS / visitsPerMs)
    const service = new VirtualService(queue, timer => service.start(timer, FARTHER_MS))
    let next = 0

    /** @param {number} visits  Visits in each millisecond. */
    function visitMany (visits) {
      let draw = next | 0
      for (let i = 0; i < milliseconds; i++) {
        for (let j = 0; j < visits; j++) {
          service.restart(drawn[draw], nearer)
          service.restart(drawn[draw], FARTHER_MS)
          draw = (draw + 1) & last
        }
        service.tick()
      }
      next = draw
    }

    for (const timer of timers) service.start(timer, 1 + random(FARTHER_MS))
    // Every connection is visited once a second: more visits would lead to the same state.
    while (service.now < FARTHER_MS) visitMany(roundPerMs)
    return {
      outcome: service,
      phases: [{ metric: 'nsPerOp', operations: 2 * milliseconds * visitsPerMs, run: () => visitMany(visitsPerMs) }]
    }
  }
}
