/**
 * Some of n pending timers guard something and are refreshed before they expire; the others expire and are started
 * again. The share that expires and the spread of their durations are parameters. Runs over many values make the map
 * that shows which queue is fastest where.
 */
import { drawUnit } from './draws.js'
import { createTimers, VirtualService } from './virtual-service.js'

/** @import { MicroScenario } from './contract.js' */

/** Refreshes and expiries per cycle, rounded to whole milliseconds. */
const OPERATIONS = 5000
const MOST_PER_MS = 40
/** The shortest mean time between two operations on a timer: whole milliseconds must leave room for a spread. */
const SHORTEST_LIFETIME_MS = 25
/** Random numbers drawn beforehand and used again and again. */
const DRAWS = 1 << 16
/** A refreshed timer's duration, in mean times between two refreshes: 0.03 % of them expire. */
const SAFE_LIFETIMES = 8

/** @type {MicroScenario} */
export const scenario = {
  name: 'mixed',
  title: 'n timers, a part of which expires, the others are refreshed in time',
  kind: 'micro',
  source: 'the question that decides between designs: how many timers are pending, and how many of them expire',
  parameters: {
    size: { title: 'pending timers', minimum: 1 },
    expiring: { title: 'share of operations that are expiries, percent' },
    decades: { title: 'spread of the durations that expire, in powers of ten' }
  },
  presets: {
    quick: { size: [100, 10_000], expiring: [0, 10, 100], decades: [2] },
    documented: { size: [100, 1000, 10_000, 100_000, 1_000_000], expiring: [0, 1, 10, 50, 100], decades: [0, 2] },
    ci: { size: [1000], expiring: [10], decades: [2] }
  },

  createWorkload (queue, { size, expiring, decades }, random) {
    const share = Math.min(100, expiring) / 100
    const perMs = Math.max(1, Math.min(MOST_PER_MS, Math.floor(size / SHORTEST_LIFETIME_MS)))
    const meanLifetime = size / perMs
    const milliseconds = Math.floor(OPERATIONS / perMs)
    const expiringTimers = Math.round(size * share)
    const refreshedTimers = size - expiringTimers
    const refreshesPerMs = Math.round((perMs * refreshedTimers) / size)

    // An expiring timer keeps its duration, so that the workload does not depend on the order in which timers expire
    // together. With this shortest duration, the expiries per millisecond match the share.
    const shortest = decades === 0 ? meanLifetime : (meanLifetime * (1 - 10 ** -decades)) / (decades * Math.LN10)
    const unit = () => drawUnit(random)
    const guard = Math.ceil(Math.max(1000, SAFE_LIFETIMES * meanLifetime))
    const durations = Float64Array.from({ length: size }, (_, index) =>
      index < expiringTimers ? Math.max(1, Math.round(shortest * 10 ** (decades * unit()))) : guard
    )
    // Counted from the drawn durations: most expiries come from the few shortest, which depend on chance. A queue with
    // a declared lateness expires fewer timers in the same virtual time, and is compared by that time.
    const expiriesPerMs = durations.subarray(0, expiringTimers).reduce((sum, duration) => sum + 1 / duration, 0)
    const operations = Math.round(milliseconds * (refreshesPerMs + expiriesPerMs))
    const timers = createTimers(queue, size)
    const drawn = Array.from({ length: DRAWS }, () => timers[expiringTimers + random(Math.max(1, refreshedTimers))])
    const service = new VirtualService(queue, timer => service.start(timer, durations[queue.payloadOf(timer)]))
    let next = 0

    // Of its own: V8 enters a long cycle of short loops by on-stack replacement, which cost 4 ns more.
    function passMillisecond () {
      let draw = next | 0
      for (let j = 0; j < refreshesPerMs; j++) {
        service.restart(drawn[draw], guard)
        draw = (draw + 1) & (DRAWS - 1)
      }
      next = draw
      service.tick()
    }

    function operate () {
      for (let i = 0; i < milliseconds; i++) passMillisecond()
    }

    // Each timer begins somewhere within its lifetime, as in a running server.
    for (let i = 0; i < size; i++) service.start(timers[i], 1 + random(durations[i]))
    return { outcome: service, phases: [{ metric: 'nsPerOp', operations, run: operate }] }
  }
}
