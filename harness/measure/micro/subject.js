/** One queue under one micro workload: filled, warmed up, timed in turns, and checked. Runs in a process of its own. */
import { Bench } from 'tinybench'
import { createRandom } from '../../model/random.js'
import { loadQueue, loadWorkload } from '../modules/load.js'
import { cpuMs } from '../trust/clock.js'
import { assertPunctual } from '../trust/punctuality.js'
import { Cycles, sumOf } from './cycles.js'
import { warmUp } from './warm-up.js'
/** @import { Phase, Workload } from '../../../scenarios/contract.js' */
/** @import { Batch } from './cycles.js' */
/** @import { Drained, Fired, MicroTask, Prepared, Turn } from './queue-process.js' */

/** Cycles whose outcome is compared with the reference model's. */
const VERIFIED_CYCLES = 2
/** Batches this many times as long as the lead fill the caches in so small a part of themselves that they need no lead. */
const NEEDS_NO_LEAD = 20

/** By then V8 has optimised the clocks and the code around the cycles. */
const REHEARSALS = 1000
/** Two phases of nothing, so that V8 inlines no phase into the code around it. */
const [ONE, OTHER] = [{ metric: '', operations: 1, run () {} }, { metric: '', operations: 1, run () {} }]

/** Taken before a queue can replace it. */
const collect = /** @type {() => void} */ (globalThis.gc)

export class Subject {
  /** @type {any} */
  #queue
  /** @type {any} */
  #Queue
  /** @type {Phase[]} */
  #phases = []
  #cycles = new Cycles([])

  /** Outcome of the first cycles: the same for every exact queue. @param {MicroTask} task @returns {Promise<Fired>} */
  async verify (task) {
    return verifyCycles(await fill(task))
  }

  /**
   * Fills the queue and runs it until V8 has settled. A collection moves the timers to the old generation first, where a server's timers
   * are: lists of objects cost up to 1.8 times as much there.
   *
   * @param {MicroTask & {warmupMs: number}} task @returns {Promise<Prepared>}
   */
  async prepare (task) {
    rehearse()
    const filled = await fill(task)
    collect()
    this.#Queue = filled.Queue
    this.#queue = filled.queue
    this.#phases = filled.workload.phases
    const cycles = this.#cycles = new Cycles(this.#phases)
    const start = cpuMs()
    const outcome = verifyCycles(filled)
    const verifiedMs = cpuMs() - start
    const isWarm = warmUp(() => cycles.time(1), task.warmupMs, verifiedMs)
    cycles.fitBatch(verifiedMs / VERIFIED_CYCLES)
    return { outcome, isWarm }
  }

  /**
   * @param {object} lengths  In milliseconds of CPU time.
   * @param {number} lengths.leadMs  Unmeasured start of the turn, in which the caches fill with this process's timers again.
   * @param {number} lengths.turnMs  Measured time for each phase, at least.
   * @returns {Turn}
   */
  turn ({ leadMs, turnMs }) {
    const begun = cpuMs()
    const cycles = this.#cycles
    if (cycles.batchMs < NEEDS_NO_LEAD * leadMs) {
      while (cpuMs() - begun < leadMs) cycles.time(1)
    }
    const phases = this.#phases
    /** @type {Batch[]} */
    const batches = []
    const bench = new Bench({ time: turnMs * phases.length, iterations: 1, warmup: false, now: cpuMs, throws: true })
    bench.add('batch', () => {
      const ms = cycles.timeBatch()
      batches.push({ ms, phaseMs: [...cycles.phaseMs] })
      return { overriddenDuration: ms / (cycles.perBatch * phases[0].operations), overriddenIterationCost: ms }
      // Without `async`, tinybench runs one more batch to find out.
    }, { async: false })
    bench.runSync()
    return sumOf(batches, { phases, cyclesPerBatch: cycles.perBatch })
  }

  /**
   * Lets all time pass. In many workloads hardly any timer expires, and a queue that never fires would be the fastest.
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

/** @param {MicroTask} task */
async function fill (task) {
  const createWorkload = await loadWorkload(task)
  const { Queue } = await loadQueue(task.queueUrl)
  const queue = new Queue()
  return { Queue, queue, workload: createWorkload(queue, createRandom(task.seed)) }
}

/** @param {{queue: any, workload: Workload}} filled @returns {Fired} */
function verifyCycles ({ queue, workload: { phases, outcome } }) {
  for (let cycle = 0; cycle < VERIFIED_CYCLES; cycle++) {
    for (const phase of phases) phase.run()
  }
  const { fired, checksum, spuriousWakeups } = outcome
  return { fired, checksum, pending: queue.size, ...(spuriousWakeups !== undefined && { spuriousWakeups }) }
}

/** Makes V8 optimise now what it would otherwise optimise in the turns, where compiling takes milliseconds. */
function rehearse () {
  for (const phases of [[ONE, OTHER], [ONE], [OTHER]]) {
    const cycles = new Cycles(phases)
    for (let i = 0; i < REHEARSALS; i++) cycles.timeBatch()
  }
}
