/**
 * Dijkstra's algorithm on a grid: a place's timer is due at its distance from a corner, expires when the distance is
 * final, and moves nearer ("decrease key") whenever a neighbour shows a shorter way. Nothing moves later.
 *
 * Each search begins when the last one has ended, so that time never goes back. A queue that is late by its nature
 * finds the same distances, and visits some places twice.
 */
import { createTimers, VirtualService } from './virtual-service.js'

/** @import { MicroScenario } from './contract.js' */

const LONGEST_STEP = 1000

/** @type {MicroScenario} */
export const scenario = {
  name: 'shortest-path',
  title: "Dijkstra's algorithm on a grid of n places with random distances",
  kind: 'micro',
  source:
    'E. W. Dijkstra, Numerische Mathematik 1, 1959; as a benchmark of priority queues: ' +
    'D. Larkin, S. Sen, R. Tarjan, "A back-to-basics empirical study of priority queues" (ALENEX 2014)',
  parameters: { size: { title: 'places of the grid, rounded down to a square', minimum: 1 } },
  presets: {
    quick: { size: [10_000] },
    documented: { size: [1000, 10_000, 100_000, 1_000_000] },
    ci: { size: [1000] }
  },

  createWorkload (queue, { size }, random) {
    const side = Math.floor(Math.sqrt(size))
    const places = side * side
    // Steps to the right and downwards from each place, the same in both directions.
    const right = Float64Array.from({ length: places }, () => 1 + random(LONGEST_STEP))
    const down = Float64Array.from({ length: places }, () => 1 + random(LONGEST_STEP))
    const distances = new Float64Array(places)
    const timers = createTimers(queue, places)
    const service = new VirtualService(queue, timer => visit(queue.payloadOf(timer)))
    let began = 0

    /** @type {(place: number, distance: number) => void} */
    function reach (place, distance) {
      if (distance >= distances[place]) return
      distances[place] = distance
      service.restart(timers[place], Math.max(0, began + distance - service.now))
    }

    /** @param {number} place */
    function visit (place) {
      const distance = distances[place]
      const column = place % side
      if (column > 0) reach(place - 1, distance + right[place - 1])
      if (column < side - 1) reach(place + 1, distance + right[place])
      if (place >= side) reach(place - side, distance + down[place - side])
      if (place < places - side) reach(place + side, distance + down[place])
    }

    function search () {
      began = service.now
      distances.fill(Infinity)
      reach(0, 1)
      service.drain()
    }

    return { outcome: service, phases: [{ metric: 'nsPerOp', operations: places, run: search }] }
  }
}
