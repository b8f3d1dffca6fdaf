/** All sockets at once: n timers of one duration start in the same millisecond, and expire in the same millisecond. */
import { startThenExpire } from './start-then-expire.js'

/** @import { MicroScenario } from './contract.js' */

const TIMEOUT_MS = 5000

/** @type {MicroScenario} */
export const scenario = {
  name: 'bursts',
  title: 'n timers of one duration start in one millisecond and expire in one',
  kind: 'micro',
  source: 'a server whose clients all come back after an outage',
  parameters: { size: { title: 'timers', minimum: 1 } },
  presets: {
    quick: { size: [10_000] },
    documented: { size: [10_000, 1_000_000] },
    ci: { size: [1000] }
  },

  createWorkload: (queue, { size }) => startThenExpire(queue, new Uint32Array(size).fill(TIMEOUT_MS))
}
