/**
 * Exact figures of a queue under a micro workload: basic blocks per operation or of the longest advance, bytes per
 * timer. Nothing is timed, so other processes may run at the same time.
 */
import v8 from 'node:v8'
import { loadQueue, loadWorkload } from '../modules/load.js'
import { assertPunctual } from '../trust/punctuality.js'
import { watchBuiltIns } from './built-ins.js'
import { startWorkCounter } from './work-counter.js'
import { findBlocks } from './find-blocks.js'
/** @import { Workload } from '../../../scenarios/contract.js' */
/** @import { Random } from '../../model/random.js' */
/** @import { MicroJob } from '../../measure/micro/queue-process.js' */

/**
 * Operations over which rare work is spread: all draws of a workload, and more than three seconds of a clock that moves
 * every 40.
 */
const COUNTED_OPERATIONS = 2 ** 17
/** Half a second in the interpreter: fewer cycles are counted of a queue that needs more blocks. */
const MOST_BLOCKS = 2 ** 23
/** Half a second of a workload that wakes its queue every millisecond: counting each advance by itself is slow. */
const COUNTED_ADVANCES = 512
const EXERCISE_SEED = 1
/** Fewer timers are lost in the noise of the heap, so copies are made until there are this many. */
const TIMERS_WEIGHED = 400
/** Each copy draws a workload in the interpreter: with one timer, 400 copies took too long. */
const MOST_COPIES = 40

/** Taken before a queue can replace them. */
const { memoryUsage } = process
const heapStatistics = v8.getHeapStatistics
const collect = /** @type {() => void} */ (globalThis.gc)

/** Does nothing, and so shows the bytes of a workload without its queue. A timer is its payload. */
export class NullQueue {
  size = 0
  createTimer (/** @type {unknown} */ payload) {
    return payload
  }

  payloadOf (/** @type {unknown} */ timer) {
    return timer
  }

  deadlineOf () {
    return 0
  }

  releaseTimer () {}
  isPending () {
    return false
  }

  insert () {}
  cancel () {
    return true
  }

  reschedule () {}
  advance () {}
  nextExpiry () {
    return Infinity
  }
}

/**
 * The cycles that are counted follow from the scenario, its parameters and the queue's own work, never from time. Needs
 * WORK_FLAGS.
 *
 * @param {MicroJob} job
 */
export async function count (job) {
  const { createWorkload, counter, Queue } = await startCounting(job)
  const { phases } = createWorkload(new Queue(), createCheapRandom(job.seed))
  const { operations } = phases[0]

  counter.count()
  runCycle(phases)
  const workOfFirst = counter.count()
  const cycles = cyclesToCount(operations, workOfFirst)
  for (let cycle = 0; cycle < cycles; cycle++) runCycle(phases)
  const work = counter.count()
  assertPunctual(Queue)
  // The cost of arrays that grow in the first cycle is negligible in this much work.
  return { workPerOp: cycles === 0 ? workOfFirst / operations : work / (cycles * operations) }
}

/**
 * The most blocks that one advance executes, its callbacks included: the longest pause of the program, the same in
 * every run. Needs WORK_FLAGS.
 *
 * @param {MicroJob} job
 */
export async function countLongestAdvance (job) {
  const { createWorkload, counter, Queue } = await startCounting(job)
  const queue = new Queue()
  const { advance } = queue
  let advances = 0
  let longest = 0
  queue.advance = (/** @type {number} */ now, /** @type {(timer: any) => void} */ expire) => {
    counter.count()
    advance.call(queue, now, expire)
    longest = Math.max(longest, counter.count())
    advances++
  }
  const { phases } = createWorkload(queue, createCheapRandom(job.seed))
  for (let operations = 0; operations < COUNTED_OPERATIONS; operations += phases[0].operations) {
    runCycle(phases)
    if (advances >= COUNTED_ADVANCES) break
  }
  assertPunctual(Queue)
  return { longestAdvanceWork: longest }
}

/**
 * Loads a queue and counts its blocks from then on, and the elements that built-ins touch.
 *
 * @param {MicroJob} job
 */
async function startCounting (job) {
  const createWorkload = await loadWorkload(job)
  // Only modules loaded from here on are counted: the queue and what it imports.
  const blocks = startWorkCounter()
  const builtIns = watchBuiltIns()
  const counter = { count: () => blocks.count() + builtIns.count().work }
  const { Queue } = await loadQueue(job.queueUrl)
  findBlocks(new Queue(), createCheapRandom(EXERCISE_SEED), counter.count)
  return { createWorkload, counter, Queue }
}

/**
 * Halves the cycles until they fit, so that a queue and a slightly slower queue are counted over the same cycles.
 *
 * @param {number} operations  Operations in a cycle.
 * @param {number} blocks  Blocks that a cycle executes, about.
 */
function cyclesToCount (operations, blocks) {
  let cycles = Math.ceil(COUNTED_OPERATIONS / operations)
  while (cycles * blocks > MOST_BLOCKS) cycles = Math.floor(cycles / 2)
  return cycles
}

/**
 * Needs --expose-gc.
 *
 * @param {MicroJob} job
 */
export async function weigh (job) {
  const createWorkload = await loadWorkload(job)
  const { Queue } = await loadQueue(job.queueUrl)
  const fill = (/** @type {any} */ queue) => startTimers(createWorkload(queue, createCheapRandom(job.seed)))

  const filled = new Queue()
  fill(filled)
  const pending = filled.size
  if (pending === 0) return {}
  const copies = Math.min(MOST_COPIES, Math.ceil(TIMERS_WEIGHED / pending))
  // The first time settles the heap: it drops the garbage of loading.
  retainedBytes(() => fill(new Queue()), copies)
  const workloadBytes = retainedBytes(() => fill(new NullQueue()), copies)
  const bytes = retainedBytes(() => fill(new Queue()), copies)
  return { bytesPerTimer: (bytes - workloadBytes) / (copies * pending) }
}

/** @param {Workload['phases']} phases */
function runCycle (phases) {
  for (const phase of phases) phase.run()
}

/**
 * Every workload has its timers pending after the first phase.
 *
 * @param {Workload} workload
 */
function startTimers (workload) {
  workload.phases[0].run()
  return workload
}

/**
 * Bytes in the heap and in array buffers that copies of an object keep.
 *
 * @param {() => object} build
 * @param {number} copies
 */
function retainedBytes (build, copies) {
  // The first copy also allocates its code.
  build()
  const built = new Array(copies).fill(null)
  const before = usedBytes()
  for (let i = 0; i < copies; i++) built[i] = build()
  const bytes = usedBytes() - before
  // Reading them here keeps them alive until after the measurement.
  return built.includes(null) ? NaN : bytes
}

/**
 * Draws that suffice for counts (D. H. Lehmer, 1951): in an interpreter, good ones would take longer than all else.
 *
 * @param {number} seed
 * @returns {Random}
 */
function createCheapRandom (seed) {
  // Odd, as the method requires, and different for neighbouring seeds.
  let state = (seed << 1) | 1
  return limit => {
    state = Math.imul(state, 48_271)
    return (state >>> 8) % limit
  }
}

/** Bytes in the heap and in array buffers, after a collection. Needs --expose-gc. */
export function usedBytes () {
  collect()
  collect()
  try {
    const { heapUsed, arrayBuffers } = memoryUsage()
    return heapUsed + arrayBuffers
  } catch {
    // Without /proc memoryUsage() fails, because it also reads the resident size.
    const { used_heap_size: heapUsed, external_memory: external } = heapStatistics()
    return heapUsed + external
  }
}
