/**
 * Weighs the heap before and after many timers have come and gone: a queue that keeps a few bytes of each grows for
 * ever.
 */
import { usedBytes } from '../../subject/count/counts.js'

/** @import { TimerQueue } from '../../../queues/contract.js' */

const CYCLES = 100_000
const TIMEOUT_MS = 64
/** Less than a reference for each cycle, and more than code and its feedback take. */
const MOST_BYTES_PER_CYCLE = 1

/**
 * Needs --expose-gc.
 *
 * @param {new () => TimerQueue} Queue
 * @returns {string | null} bytes that show a leak
 */
export function checkRetained (Queue) {
  const queue = new Queue()
  // Afterwards every slot of a wheel has its array, and pools are full.
  comeAndGo(queue, 0, CYCLES)
  const before = usedBytes()
  comeAndGo(queue, CYCLES, 2 * CYCLES)
  const bytes = (usedBytes() - before) / CYCLES
  // Reading the size keeps the queue alive until after the measurement.
  if (bytes <= MOST_BYTES_PER_CYCLE && queue.size < CYCLES) return null
  return (
    `${bytes.toFixed(1)} bytes are kept for each of ${CYCLES} timers ` +
    'that were created, started, stopped or fired, and released'
  )
}

/**
 * A timer a millisecond. Half of them fire, the others are cancelled.
 *
 * @param {TimerQueue} queue
 * @param {number} from
 * @param {number} to
 */
function comeAndGo (queue, from, to) {
  const release = (/** @type {any} */ timer) => queue.releaseTimer(timer)
  for (let cycle = from; cycle < to; cycle++) {
    const timer = queue.createTimer({ cycle })
    queue.insert(timer, cycle + TIMEOUT_MS, TIMEOUT_MS)
    if (cycle % 2 === 0) {
      queue.cancel(timer)
      release(timer)
    }
    if (cycle % TIMEOUT_MS === 0) queue.advance(cycle, release)
  }
}
