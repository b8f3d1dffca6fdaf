/**
 * Timers whose durations all differ and which are nearly always cancelled: the worst case of lists per duration, since
 * every timer has its own list.
 */
import { drawFrom } from './draws.js'
import { createTimers, VirtualService } from './virtual-service.js'

/** @import { MicroScenario } from './contract.js' */

const RESTARTS = 5000
const RESTARTS_PER_MS = 40
const SHORTEST_MS = 1000
/** 0.03 % of timers live longer than eight times the mean. */
const SAFE_LIFETIMES = 8

/** @type {MicroScenario} */
export const scenario = {
  name: 'distinct-durations-cancelled',
  title: 'n timers, no two of one duration, one cancelled and restarted at a time',
  kind: 'micro',
  source: 'Node.js pull request 4007 (2016): distinct durations, mostly cancelled',
  parameters: { size: { title: 'pending timers', minimum: 1 } },
  presets: {
    quick: { size: [10_000] },
    documented: { size: [10_000, 100_000] },
    ci: { size: [1000] }
  },

  createWorkload (queue, { size }, random) {
    const shortest = Math.ceil(Math.max(SHORTEST_MS, (SAFE_LIFETIMES * size) / RESTARTS_PER_MS))
    const timers = createTimers(queue, size)
    const drawn = drawFrom(timers, random)
    const last = drawn.length - 1
    const service = new VirtualService(queue, timer => service.start(timer, shortest + distinct()))
    /** One duration for each draw and each timer, so that no two pending timers share a duration. */
    const durations = last + 1 + size
    let latest = 0
    const distinct = () => {
      latest = (latest + 1) % durations
      return latest
    }
    let next = 0

    function restartMany () {
      let draw = next | 0
      for (let i = 0; i < RESTARTS; i += RESTARTS_PER_MS) {
        for (let j = 0; j < RESTARTS_PER_MS; j++) {
          const timer = drawn[draw]
          queue.cancel(timer)
          service.start(timer, shortest + distinct())
          draw = (draw + 1) & last
        }
        service.tick()
      }
      next = draw
    }

    for (const timer of timers) service.start(timer, shortest + distinct())
    return { outcome: service, phases: [{ metric: 'nsPerOp', operations: RESTARTS, run: restartMany }] }
  }
}
