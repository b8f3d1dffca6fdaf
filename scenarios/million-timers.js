/** libuv's benchmark: starts many timers, a thousand of each duration; all of them expire. */
import { startThenExpire } from './start-then-expire.js'

/** @import { MicroScenario } from './contract.js' */

const TIMERS_OF_A_DURATION = 1000

/** @type {MicroScenario} */
export const scenario = {
  name: 'million-timers',
  title: 'n timers, a thousand of each duration, all expire',
  kind: 'micro',
  source: 'libuv, test/benchmark-million-timers.c',
  parameters: { size: { title: 'timers', minimum: 1 } },
  presets: {
    quick: { size: [100_000] },
    documented: { size: [1_000_000] },
    ci: { size: [10_000] }
  },

  createWorkload: (queue, { size }) =>
    startThenExpire(
      queue,
      Uint32Array.from({ length: size }, (_, index) => 1 + Math.floor(index / TIMERS_OF_A_DURATION))
    )
}
