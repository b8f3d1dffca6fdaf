/**
 * The Node wiki's micro benchmark: starts n timers with durations 0, 1, 2 ... n - 1 ms; then all expire, one per
 * millisecond. Starting and expiring are timed separately.
 */
import { startThenExpire } from './start-then-expire.js'

/** @import { MicroScenario } from './contract.js' */

/** @type {MicroScenario} */
export const scenario = {
  name: 'staggered-expiry',
  title: 'n timers of durations 0 to n - 1 ms, all expire',
  kind: 'micro',
  source: 'Node wiki, "Optimizing _unrefActive" (2014): the micro benchmark against the unsorted array',
  parameters: { size: { title: 'timers', minimum: 1 } },
  presets: {
    quick: { size: [1000] },
    documented: { size: [100_000] },
    ci: { size: [100, 10_000] }
  },

  createWorkload: (queue, { size }) =>
    startThenExpire(
      queue,
      Uint32Array.from({ length: size }, (_, index) => index)
    )
}
