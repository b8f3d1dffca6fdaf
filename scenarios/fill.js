/** The life of a queue of some thousand timers (fill-and-empty.js). */
import { fillAndEmpty } from './fill-and-empty.js'

/** @import { MicroScenario } from './contract.js' */

/** @type {MicroScenario} */
export const scenario = {
  name: 'fill',
  title: 'n timers are created and started in an empty queue, some restart, some are replaced, most expire',
  kind: 'micro',
  source: 'a server that has just started, while its clients come back',
  parameters: { size: { title: 'timers', minimum: 1 } },
  presets: {
    quick: { size: [10_000] },
    documented: { size: [10_000, 100_000] },
    ci: { size: [100, 10_000] }
  },
  createWorkload: (queue, { size }, random) => fillAndEmpty(queue, size, random)
}
