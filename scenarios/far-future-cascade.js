/**
 * The worst case of a hierarchical wheel: timers of every magnitude from a millisecond to 35 years. All of them expire,
 * so each cascades through all levels below its own.
 */
import { drawUnit } from './draws.js'
import { startThenExpire } from './start-then-expire.js'

/** @import { MicroScenario } from './contract.js' */

const LONGEST_MS = 2 ** 40

/** @type {MicroScenario} */
export const scenario = {
  name: 'far-future-cascade',
  title: 'n timers of durations from 1 ms to 35 years, all expire',
  kind: 'micro',
  source: 'wahern/timeout, issue 18: deep cascades can make a wheel lose to a heap',
  parameters: { size: { title: 'timers', minimum: 1 } },
  presets: {
    quick: { size: [10_000] },
    documented: { size: [10_000, 1_000_000] },
    ci: { size: [1000] }
  },

  createWorkload (queue, { size }, random) {
    const magnitude = () => drawUnit(random)
    return startThenExpire(
      queue,
      Float64Array.from({ length: size }, () => Math.round(LONGEST_MS ** magnitude()))
    )
  }
}
