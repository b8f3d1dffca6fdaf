/**
 * The life of a queue of very many timers, which shows operations that become slow beyond a size, and memory that grows
 * in leaps. It is counted and never timed: such times differ by a tenth from process to process.
 */
import { fillAndEmpty } from './fill-and-empty.js'

/** @import { MicroScenario } from './contract.js' */

/** @type {MicroScenario} */
export const scenario = {
  name: 'crowd',
  title: 'fill with very many timers, where only work and memory are compared',
  kind: 'micro',
  source: 'a server that has just started, while its clients come back',
  parameters: { size: { title: 'timers', minimum: 1 } },
  presets: {
    quick: { size: [200_000] },
    documented: { size: [200_000] },
    ci: { size: [200_000] }
  },
  countsOnly: true,
  createWorkload: (queue, { size }, random) => fillAndEmpty(queue, size, random)
}
