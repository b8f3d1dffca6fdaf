/**
 * The rows that benchmarks of priority queues have, said in timers: build and push are starts, a pop is an expiry.
 *
 *   build         n random keys are pushed into an empty queue        start ns/timer
 *   push and pop  a batch is popped, and as many are pushed           ns/op
 *   pop           all leave, in order                                 expire ns/timer
 *
 * A batch of 1 is "interleaved". Keys of a push lie after the key popped last, as in a simulation or in Dijkstra's
 * algorithm. With few keys most are ties. No queue here is built from an array as a whole, as heapify's is.
 */
import { drawsFor } from './draws.js'
import { Owner, VirtualService } from './virtual-service.js'

/** @import { MicroScenario } from './contract.js' */

/** Least number of pops in a cycle. */
const POPS = 5000

/** @type {MicroScenario} */
export const scenario = {
  name: 'heap-operations',
  title: 'a priority queue of n keys is built, popped and pushed in batches, and emptied',
  kind: 'micro',
  source: 'the benchmarks of heapify (README), flatqueue (bench.js) and heap-js (few keys, so that most are ties)',
  parameters: {
    size: { title: 'keys in the queue', minimum: 1 },
    keys: { title: 'range of the keys; below the size, most are ties', minimum: 1 },
    batch: { title: 'pops, and then pushes, in a batch; 1 is interleaved', minimum: 1 }
  },
  presets: {
    quick: { size: [1000, 100_000], keys: [1_000_000_000], batch: [1000] },
    documented: { size: [1000, 100_000, 1_000_000], keys: [100, 1_000_000_000], batch: [1, 1000] },
    ci: { size: [1000], keys: [100, 1_000_000_000], batch: [1, 1000] }
  },

  createWorkload (queue, { size, keys, batch }, random) {
    const last = drawsFor(size) - 1
    const drawn = Float64Array.from({ length: last + 1 }, () => 1 + random(keys))
    // Which of two ties is popped first is the queue's choice: a timer's number is that of its push.
    const idle = Array.from({ length: size }, () => new Owner())
    for (const owner of idle) owner.timer = queue.createTimer(owner)
    const batches = Math.ceil(POPS / batch)
    const service = new VirtualService(queue, timer => idle.push(queue.payloadOf(timer)))
    let pushes = 0

    function pushAll () {
      while (idle.length > 0) {
        const owner = /** @type {Owner} */ (idle.pop())
        owner.number = ++pushes
        service.start(owner.timer, drawn[pushes & last])
      }
    }

    function popAndPush () {
      for (let i = 0; i < batches; i++) {
        const popped = service.fired + Math.min(batch, size)
        while (service.fired < popped && service.wakeNext());
        pushAll()
      }
    }

    return {
      outcome: service,
      phases: [
        { metric: 'startNsPerTimer', operations: size, run: pushAll },
        { metric: 'nsPerOp', operations: 2 * batches * Math.min(batch, size), run: popAndPush },
        { metric: 'expireNsPerTimer', operations: size, run: () => service.drain() }
      ]
    }
  }
}
