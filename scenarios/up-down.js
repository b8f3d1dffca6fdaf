/**
 * Event queues that grow and shrink; in `hold`, the length is constant. Each operation starts a timer or lets the
 * earliest expire. Which of the two depends on chance and the previous operation: a Markov chain of two states.
 *
 * If `stay` is 100 percent, n starts and n expiries alternate: "up and down". At 50 percent, the length walks at random
 * between 0 and n. Durations are exponentially distributed, with a mean of n times ten milliseconds.
 */
import { drawsFor, drawUnit } from './draws.js'
import { Owner, VirtualService } from './virtual-service.js'

/** @import { MicroScenario } from './contract.js' */

const FEWEST_OPERATIONS = 5000
const MS_PER_EXPIRY = 10

/** @type {MicroScenario} */
export const scenario = {
  name: 'up-down',
  title: 'starts and expiries in runs: a queue that grows to at most n timers, and shrinks again',
  kind: 'micro',
  source:
    'the Up/Down and Markov models of R. Rönngren, R. Ayani, ' +
    '"A comparative study of parallel and sequential priority queue algorithms" (ACM TOMACS 7(2), 1997)',
  parameters: {
    size: { title: 'most timers pending at once', minimum: 1 },
    stay: { title: 'probability that an operation is of the same kind as the last, percent' }
  },
  presets: {
    quick: { size: [1000, 100_000], stay: [100] },
    documented: { size: [1000, 10_000, 100_000, 1_000_000], stay: [50, 90, 100] },
    ci: { size: [1000], stay: [50, 100] }
  },

  createWorkload (queue, { size, stay }, random) {
    const mask = drawsFor(size) - 1
    const durations = Float64Array.from({ length: mask + 1 }, () =>
      Math.max(1, Math.round(-Math.log(1 - drawUnit(random)) * MS_PER_EXPIRY * size))
    )
    const switches = Uint8Array.from(durations, () => Number(random(100) >= stay))
    const idle = Array.from({ length: size }, () => new Owner())
    for (const owner of idle) owner.timer = queue.createTimer(owner)
    const operations = Math.max(FEWEST_OPERATIONS, 2 * size)
    const service = new VirtualService(queue, timer => idle.push(queue.payloadOf(timer)))
    let done = 0
    let grows = true

    function startOne () {
      const owner = /** @type {Owner} */ (idle.pop())
      owner.number = done
      service.start(owner.timer, durations[done & mask])
    }

    function expireOne () {
      const { fired } = service
      while (service.fired === fired && service.wakeNext());
    }

    function operate () {
      for (const end = done + operations; done < end; done++) {
        if (switches[done & mask] === 1) grows = !grows
        if (idle.length === 0) grows = false
        else if (idle.length === size) grows = true
        if (grows) startOne()
        else expireOne()
      }
    }

    return { outcome: service, phases: [{ metric: 'nsPerOp', operations, run: operate }] }
  }
}
