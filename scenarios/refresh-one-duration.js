/**
 * Idle timers of a busy HTTP server: n timers of one duration, of which random timers are refreshed while the clock
 * moves. No timer expires.
 */
import { drawEach } from './draws.js'
import { createTimers, VirtualService } from './virtual-service.js'

/** @import { MicroScenario } from './contract.js' */

const REFRESHES = 5000
/** Ten keep-alive requests per millisecond with four refreshes each (Node 20 to 26). */
const REFRESHES_PER_MS = 40
const IDLE_TIMEOUT_MS = 120_000
/** Time that passes in the first cycle, or while the queue is filled. */
const SOON_MS = 20

/** @type {MicroScenario} */
export const scenario = {
  name: 'refresh-one-duration',
  title: 'n idle timers of one duration, a random one refreshed at a time',
  kind: 'micro',
  source: 'Node wiki, "Optimizing _unrefActive" (2014): the HTTP pattern without HTTP',
  parameters: { size: { title: 'pending timers', minimum: 1 } },
  presets: {
    quick: { size: [100, 1000] },
    documented: { size: [100, 1000, 10_000, 100_000, 1_000_000] },
    ci: { size: [100, 10_000] }
  },

  createWorkload (queue, { size }, random) {
    const timers = createTimers(queue, size)
    const drawn = drawEach(timers, random)
    const last = drawn.length - 1
    const service = new VirtualService(queue, timer => service.start(timer, IDLE_TIMEOUT_MS))
    let next = 0

    function refreshMany () {
      let draw = next | 0
      for (let i = 0; i < REFRESHES; i += REFRESHES_PER_MS) {
        for (let j = 0; j < REFRESHES_PER_MS; j++) {
          service.restart(drawn[draw], IDLE_TIMEOUT_MS)
          draw = (draw + 1) & last
        }
        service.tick()
      }
      next = draw
    }

    // One spurious wake-up, soon. Without it, V8 would compile cycles that never wake the queue, and compile again in
    // the middle of a measurement, when two minutes of virtual time have passed.
    service.start(timers[0], IDLE_TIMEOUT_MS)
    service.passTo(IDLE_TIMEOUT_MS - SOON_MS)
    service.restart(timers[0], IDLE_TIMEOUT_MS)
    for (let i = 1; i < size; i++) {
      service.start(timers[i], IDLE_TIMEOUT_MS)
      if (i % REFRESHES_PER_MS === 0) service.tick()
    }
    return { outcome: service, phases: [{ metric: 'nsPerOp', operations: REFRESHES, run: refreshMany }] }
  }
}
