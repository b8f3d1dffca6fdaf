/**
 * The longest pause of a hierarchical wheel: the clock enters a slot of a high level while all timers wait in it. A
 * server meets this moment once in minutes or hours, according to the width of the slots. Here the workload begins just
 * before 2^30 ms, an edge of every slot whose width is a power of two.
 */
import { drawFrom } from './draws.js'
import { createTimers, VirtualService } from './virtual-service.js'

/** @import { MicroScenario } from './contract.js' */

const EDGE_MS = 2 ** 30
/** The first cycle, which is not timed, ends before the edge. */
const LEAD_MS = 400
const RESTARTS = 5000
const RESTARTS_PER_MS = 40
const LONGEST_MS = 120_000

/** @type {MicroScenario} */
export const scenario = {
  name: 'deep-cascade',
  title: 'n timers of mixed durations, restarted at random while a slot of a high level opens',
  kind: 'micro',
  source:
    'wahern/timeout, issue 18, and the removal of cascades from Linux 4.8 (2016): all timers of a slot move at once',
  parameters: { size: { title: 'pending timers', minimum: 1 } },
  presets: {
    quick: { size: [10_000] },
    documented: { size: [10_000, 1_000_000] },
    ci: { size: [1000] }
  },
  instruments: ['longest advance'],

  createWorkload (queue, { size }, random) {
    const timers = createTimers(queue, size)
    const drawn = drawFrom(timers, random)
    const last = drawn.length - 1
    const durations = Uint32Array.from({ length: last + 1 }, () => 1 + random(LONGEST_MS))
    const service = new VirtualService(queue, timer => service.start(timer, LONGEST_MS))
    let next = 0

    function restartMany () {
      let draw = next | 0
      for (let i = 0; i < RESTARTS; i += RESTARTS_PER_MS) {
        for (let j = 0; j < RESTARTS_PER_MS; j++) {
          service.restart(drawn[draw], durations[draw])
          draw = (draw + 1) & last
        }
        service.tick()
      }
      next = draw
    }

    service.look(EDGE_MS - LEAD_MS)
    // In random order: except in a young server, neighbours in a slot are not neighbours in memory.
    const inOrder = timers.slice()
    for (let left = size; left > 0; left--) {
      const drawn = random(left)
      service.start(inOrder[drawn], 1 + random(LONGEST_MS))
      inOrder[drawn] = inOrder[left - 1]
    }
    return { outcome: service, phases: [{ metric: 'nsPerOp', operations: RESTARTS, run: restartMany }] }
  }
}
