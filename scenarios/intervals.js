/**
 * The tail: intervals of one duration, and timeouts that are nearly always cancelled. Each interval starts again when
 * it expires, so about the same few are due every millisecond. A wheel whose slots are wide gathers them: one poll
 * fires the timers of many milliseconds, or moves them. A mean does not show it.
 *
 * Some virtual time passes before anything is timed, so that cancelled timeouts reach the time when they would have
 * expired, and with it whatever a lazy queue has kept of them.
 */
import { drawFrom } from './draws.js'
import { createTimers, VirtualService } from './virtual-service.js'

/** @import { MicroScenario } from './contract.js' */

const INTERVAL_MS = 1000
const TIMEOUT_MS = 10_000
const CANCELLED_PER_MS = 10
const CYCLE_MS = 250
const CANCELLED = CYCLE_MS * CANCELLED_PER_MS

/** @type {MicroScenario} */
export const scenario = {
  name: 'intervals',
  title: 'n timers, half of them intervals of one duration, the others timeouts that are cancelled and started again',
  kind: 'micro',
  source: 'DataDog/glommio, issue 44: timers that gather in slots make single polls long',
  parameters: { size: { title: 'pending timers', minimum: 2 } },
  presets: {
    quick: { size: [10_000] },
    documented: { size: [1000, 10_000, 100_000] },
    ci: { size: [1000] }
  },

  createWorkload (queue, { size }, random) {
    const intervals = Math.floor(size / 2)
    const timers = createTimers(queue, size)
    const timeouts = timers.slice(intervals)
    const drawn = drawFrom(timeouts, random)
    const last = drawn.length - 1
    const service = new VirtualService(queue, timer =>
      service.start(timer, queue.payloadOf(timer) < intervals ? INTERVAL_MS : TIMEOUT_MS)
    )
    let next = 0

    function pass () {
      let draw = next | 0
      for (let i = 0; i < CANCELLED; i += CANCELLED_PER_MS) {
        for (let j = 0; j < CANCELLED_PER_MS; j++) {
          queue.cancel(drawn[draw])
          service.start(drawn[draw], TIMEOUT_MS)
          draw = (draw + 1) & last
        }
        service.tick()
      }
      next = draw
    }

    for (let index = 0; index < intervals; index++) service.start(timers[index], 1 + random(INTERVAL_MS))
    for (const timer of timeouts) service.start(timer, 1 + random(TIMEOUT_MS))
    for (let ms = 0; ms < TIMEOUT_MS; ms += CYCLE_MS) pass()
    return {
      outcome: service,
      phases: [
        { metric: 'nsPerOp', operations: 2 * CANCELLED + Math.round((intervals * CYCLE_MS) / INTERVAL_MS), run: pass }
      ]
    }
  }
}
