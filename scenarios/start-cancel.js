/**
 * Timeouts that guard requests: n pending timers with mixed durations, of which random timers are cancelled and started
 * again while the clock moves. One start in a hundred is so short that the timer expires. All other timers are
 * cancelled.
 */
import { drawFrom, drawUnit, shuffle } from './draws.js'
import { createTimers, VirtualService } from './virtual-service.js'

/** @import { MicroScenario } from './contract.js' */

const RESTARTS = 5000
const RESTARTS_PER_MS = 40
const SHORT_SHARE = 0.01
const SHORTEST_MS = 1000
/** Long durations spread over two decades, evenly on a logarithmic scale. */
const SPREAD = 100
/** 0.03 % of timers live longer than eight times the mean. */
const SAFE_LIFETIMES = 8

/** @type {MicroScenario} */
export const scenario = {
  name: 'start-cancel',
  title: 'n timers of mixed durations, one cancelled and restarted at a time, 99 % never expire',
  kind: 'micro',
  source: 'Varghese & Lauck (1987): most timers are stopped before they expire',
  parameters: { size: { title: 'pending timers', minimum: 1 } },
  presets: {
    quick: { size: [1000] },
    documented: { size: [100, 1000, 10_000, 100_000, 1_000_000] },
    ci: { size: [100, 10_000] }
  },

  createWorkload (queue, { size }, random) {
    const meanLifetime = size / RESTARTS_PER_MS
    const shortest = Math.ceil(Math.max(SHORTEST_MS, SAFE_LIFETIMES * meanLifetime))
    const longest = shortest * SPREAD
    const unit = () => drawUnit(random)
    const long = () => Math.round(shortest * SPREAD ** unit())
    const short = () => 1 + random(Math.ceil(meanLifetime / 50))

    const timers = createTimers(queue, size)
    const drawn = drawFrom(timers, random)
    const last = drawn.length - 1
    const durations = Uint32Array.from({ length: last + 1 }, (_, i) => (i < SHORT_SHARE * last ? short() : long()))
    shuffle(durations, random)
    const service = new VirtualService(queue, timer => service.start(timer, longest))
    let next = 0

    function restartMany () {
      let draw = next | 0
      for (let i = 0; i < RESTARTS; i += RESTARTS_PER_MS) {
        for (let j = 0; j < RESTARTS_PER_MS; j++) {
          const timer = drawn[draw]
          queue.cancel(timer)
          service.start(timer, durations[draw])
          draw = (draw + 1) & last
        }
        service.tick()
      }
      next = draw
    }

    for (const timer of timers) service.start(timer, long())
    return { outcome: service, phases: [{ metric: 'nsPerOp', operations: RESTARTS, run: restartMany }] }
  }
}
