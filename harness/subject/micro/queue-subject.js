/** A queue under a micro workload: filled, warmed up, timed in turns, and checked. */
import { createRandom } from '../../model/random.js'
import { loadQueue, loadWorkload } from '../modules/load.js'
import { tickedMs } from '../../processes/clock.js'
import { assertPunctual } from '../trust/punctuality.js'
import { rehearse, Turns } from './turns.js'
/** @import { Workload } from '../../../scenarios/contract.js' */
/** @import { Drained, Fired, MicroJob, ReadyQueue } from '../../measure/micro/queue-process.js' */
/** @import { TurnLengths } from './turns.js' */

/** Cycles whose outcome is compared with the reference model's. */
const VERIFIED_CYCLES = 2

/** V8's garbage collection, saved before a queue can replace the global function. */
const collect = /** @type {() => void} */ (globalThis.gc)

export class QueueSubject {
  /** @type {any} */
  #queue
  /** @type {any} */
  #Queue
  #turns = new Turns([])

  /**
   * Returns the outcome of the first cycles, which is the same for every exact queue.
   *
   * @param {MicroJob} job
   * @returns {Promise<Fired>}
   */
  async verify (job) {
    return runFirstCycles(await fillQueue(job))
  }

  /**
   * Fills the queue and runs it until V8 has settled. First, a garbage collection moves the timers to the old
   * generation, where a server's timers are: lists of objects take up to 1.8 times as long there.
   *
   * @param {MicroJob & {warmupMs: number}} job
   * @returns {Promise<ReadyQueue>}
   */
  async prepare (job) {
    rehearse()
    const filled = await fillQueue(job)
    collect()
    this.#Queue = filled.Queue
    this.#queue = filled.queue
    const turns = (this.#turns = new Turns(filled.workload.phases))
    const start = tickedMs()
    const outcome = runFirstCycles(filled)
    return { outcome, isWarm: await turns.warmUp(job.warmupMs, { ms: tickedMs() - start, cycles: VERIFIED_CYCLES }) }
  }

  /** @param {TurnLengths} lengths */
  turn (lengths) {
    return this.#turns.turn(lengths)
  }

  /**
   * Advances to the end of time, when every pending timer must fire. In many workloads hardly any timer expires, and a
   * queue that never fires would look fastest.
   *
   * @returns {Drained}
   */
  drain () {
    const queue = this.#queue
    const pending = queue.size
    const fired = new Set()
    queue.advance(Number.MAX_SAFE_INTEGER, (/** @type {any} */ timer) => fired.add(queue.payloadOf(timer)))
    assertPunctual(this.#Queue)
    return { pending, fired: fired.size, left: queue.size }
  }
}

/**
 * A fresh queue under its workload, not run yet.
 *
 * @param {MicroJob} job
 */
export async function fillQueue (job) {
  const createWorkload = await loadWorkload(job)
  const { Queue } = await loadQueue(job.queueUrl)
  const queue = new Queue()
  return { Queue, queue, workload: createWorkload(queue, createRandom(job.seed)) }
}

/**
 * @param {{queue: any, workload: Workload}} filled
 * @returns {Fired}
 */
function runFirstCycles ({ queue, workload: { phases, outcome } }) {
  for (let cycle = 0; cycle < VERIFIED_CYCLES; cycle++) {
    for (const phase of phases) phase.run()
  }
  const { fired, checksum, spuriousWakeups } = outcome
  return { fired, checksum, pending: queue.size, ...(spuriousWakeups !== undefined && { spuriousWakeups }) }
}
