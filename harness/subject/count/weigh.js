/** Bytes of memory that a pending timer takes. */
import { loadQueue, loadWorkload } from '../modules/load.js'
import { createCheapRandom } from './counting.js'
import { usedBytes } from './used-bytes.js'
/** @import { Workload } from '../../../scenarios/contract.js' */
/** @import { MicroJob } from '../../measure/micro/queue-process.js' */

/** Fewer timers are lost in the noise of the heap, so copies are made until there are this many. */
const TIMERS_WEIGHED = 400
/** Each copy draws a workload in the interpreter: with one timer, 400 copies took too long. */
const MOST_COPIES = 40

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
