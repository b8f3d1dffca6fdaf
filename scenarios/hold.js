/**
 * The hold model, by which event queues of simulations have been compared since 1975: the earliest of n timers expires
 * and is started again with a drawn increment. Nothing is cancelled.
 *
 * The increments have one of five distributions, all scaled to the same mean:
 *
 *   1  exponential
 *   2  uniform      from 0 to twice the mean
 *   3  biased       within a tenth of the mean: nearly first in, first out
 *   4  bimodal      one in ten about 20 times as long as the mean of the rest
 *   5  triangular   from 0 to 1.5 times the mean, long increments more often
 *
 * Simulations have real time, in which hardly any two events coincide. Time here is in whole milliseconds, so the mean
 * grows with n: on average ten milliseconds pass between two expiries.
 */
import { drawUnit, drawsFor } from './draws.js'
import { createTimers, mix, VirtualService } from './virtual-service.js'

/** @import { MicroScenario } from './contract.js' */

const HOLDS = 5000
const MS_PER_HOLD = 10

/** @type {((unit: () => number) => number)[]} Increments of mean 1, from uniform numbers between 0 and 1. */
const DISTRIBUTIONS = [
  unit => -Math.log(1 - unit()),
  unit => 2 * unit(),
  unit => 0.9 + 0.2 * unit(),
  unit => (unit() + (unit() < 0.1 ? 10 : 0)) / 1.5,
  unit => 1.5 * Math.sqrt(unit())
]

/** @type {MicroScenario} */
export const scenario = {
  name: 'hold',
  title: 'n timers, the earliest expires and is started again with a drawn increment',
  kind: 'micro',
  source:
    'J. G. Vaucher, P. Duval (CACM 18(4), 1975); ' +
    'D. W. Jones, "An empirical comparison of priority-queue and event-set implementations" (CACM 29(4), 1986)',
  parameters: {
    size: { title: 'pending timers', minimum: 1 },
    increments: {
      title: 'distribution of the increments: 1 exponential, 2 uniform, 3 biased, 4 bimodal, 5 triangular',
      minimum: 1
    }
  },
  presets: {
    quick: { size: [100, 10_000], increments: [1] },
    documented: { size: [100, 1000, 10_000, 100_000, 1_000_000], increments: [1, 2, 3, 4, 5] },
    ci: { size: [1000], increments: [1] }
  },

  createWorkload (queue, { size, increments }, random) {
    const increment = DISTRIBUTIONS[Math.min(increments, DISTRIBUTIONS.length) - 1]
    const unit = () => drawUnit(random)
    const mean = MS_PER_HOLD * size
    const last = drawsFor(size) - 1
    const durations = Float64Array.from({ length: last + 1 }, () => Math.max(1, Math.round(mean * increment(unit))))
    const timers = createTimers(queue, size)
    // The next increment must not depend on the order in which timers expire together.
    const service = new VirtualService(queue, timer =>
      service.start(timer, durations[(mix(queue.payloadOf(timer), service.now) >>> 8) & last])
    )
    let held = 0

    function holdMany () {
      held += HOLDS
      while (service.fired < held && service.wakeNext());
    }

    for (let i = 0; i < size; i++) service.start(timers[i], durations[(mix(i, 0) >>> 8) & last])
    return { outcome: service, phases: [{ metric: 'nsPerOp', operations: HOLDS, run: holdMany }] }
  }
}
