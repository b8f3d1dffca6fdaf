/**
 * Weighs the heap before and after many timers have come and gone: a queue that keeps a few bytes of each grows for
 * ever, and one that keeps a reference keeps all that the payload refers to.
 */
import { usedBytes } from '../../subject/count/used-bytes.js'
import { hasLinear } from '../complexity.js'

/**
 * @import { TimerQueue } from '../../../queues/contract.js'
 *
 * @typedef {object} Workload  Timers that come and go.
 * @property {string} title  Completes "bytes are kept for each of 20 000 timers that were ...".
 * @property {(queue: TimerQueue, from: number, to: number, burst: typeof BURST) => void} run  Runs cycles `from` to
 *   `to`.
 * @property {boolean} [advances]  Keeps bytes in cycles that advance.
 */

/** More than the slots of a large wheel, so that each has its array then; whole timeouts and whole bursts. */
const CYCLES = 20_480
/**
 * `ballast`: elements of the array that each payload refers to; 8 bytes each. Bursts hold 10 MB and 8 MB.
 * Twice `advancing` cycles, the last ones, advance while timers are moved far ahead.
 */
const BURST = { timers: 20_480, ballast: 64, advancing: CYCLES }
/** Operations of linear queues would take quadratic time, and an advance may search all slots of a large wheel. */
const LINEAR_BURST = { timers: 512, ballast: 2048, advancing: 2048 }

const TIMEOUT_MS = 256
const FAR_MS = 2 ** 20
/** Cycles between two advances that find nothing due: a queue may drop its dead entries then. */
const ADVANCE_EVERY = 512

/** Bytes that an empty queue may keep: capacity for each timer of its largest burst, and slots. */
const MOST_BYTES_OF_CAPACITY = 64
const MOST_BYTES_OF_SLOTS = 2 ** 21
/** Less than a reference for each cycle, and more than code and its feedback take. */
const MOST_BYTES_PER_CYCLE = 5

/** @type {Workload[]} */
const workloads = [
  {
    title: 'created, started, stopped or fired, and released',
    run (queue, from, to, { ballast }) {
      const release = (/** @type {any} */ timer) => queue.releaseTimer(timer)
      for (let cycle = from; cycle < to; cycle++) {
        const timer = create(queue, ballast)
        queue.insert(timer, cycle + TIMEOUT_MS, TIMEOUT_MS)
        if (cycle % 2 === 0) {
          queue.cancel(timer)
          release(timer)
        }
        if (cycle % TIMEOUT_MS === 0) queue.advance(cycle, release)
      }
    }
  },
  {
    title: 'started far ahead and stopped, while an earlier timer was pending',
    run (queue, from, to, { ballast }) {
      if (from === 0) queue.insert(create(queue, ballast), TIMEOUT_MS, TIMEOUT_MS)
      for (let cycle = from; cycle < to; cycle++) {
        const timer = create(queue, ballast)
        queue.insert(timer, FAR_MS + cycle)
        queue.cancel(timer)
        queue.releaseTimer(timer)
        if (cycle % ADVANCE_EVERY === 0) queue.advance(0, () => {})
      }
    }
  },
  {
    title: 'moved or stopped far ahead, while an earlier timer was pending and still earlier ones came and went',
    advances: true,
    run (queue, from, to, { ballast, advancing }) {
      if (from === 0) queue.insert(create(queue, ballast), FAR_MS, FAR_MS)
      const [moved, due, stopped] = [0, 1, 2].map(() => create(queue, ballast))
      for (let now = from + 1; now <= to; now++) {
        queue.reschedule(moved, FAR_MS + now)
        queue.insert(stopped, now, 1)
        queue.reschedule(due, now, 1)
        queue.cancel(stopped)
        if (now > 2 * (CYCLES - advancing)) {
          queue.nextExpiry()
          queue.advance(now, () => {})
        }
        if (now % 2 === 0) queue.cancel(moved)
      }
      queue.cancel(due)
      for (const timer of [moved, due, stopped]) queue.releaseTimer(timer)
    }
  },
  {
    title: 'started in a burst, stopped or moved and fired, and released',
    run (queue, from, to, burst) {
      const release = (/** @type {any} */ timer) => queue.releaseTimer(timer)
      for (let cycle = from; cycle < to; cycle += burst.timers) {
        // Twice the time that an exact queue needs: others may be late.
        const now = 2 * cycle
        for (const [i, timer] of createBurst(queue, now, burst).entries()) {
          if (i % 2 === 0) {
            queue.reschedule(timer, now + 1 + i, 1 + i)
          } else {
            queue.cancel(timer)
            release(timer)
          }
        }
        queue.advance(now + 2 * burst.timers, release)
      }
    }
  }
]

/**
 * Needs --expose-gc.
 *
 * @param {new () => TimerQueue} Queue
 * @param {Record<string, string> | undefined} declared
 * @returns {string | null} bytes that show a leak
 */
export function checkRetained (Queue, declared) {
  const burst = hasLinear(declared) ? LINEAR_BURST : BURST
  for (const { title, run, advances } of workloads) {
    const queue = new Queue()
    const empty = usedBytes()
    run(queue, 0, CYCLES, burst)
    // Now pools are full.
    const before = usedBytes()
    const pending = queue.size
    run(queue, CYCLES, 2 * CYCLES, burst)
    // Reading the size keeps the queue alive until after the measurement.
    const grown = queue.size < CYCLES ? usedBytes() - before : Infinity
    const cycles = advances ? burst.advancing : CYCLES
    if (grown > MOST_BYTES_PER_CYCLE * cycles) {
      return `${(grown / cycles).toFixed(1)} bytes are kept for each of ${cycles} timers that were ${title}`
    }
    const kept = before - empty - pending * 8 * burst.ballast
    if (kept > MOST_BYTES_OF_SLOTS + MOST_BYTES_OF_CAPACITY * burst.timers) {
      return (
        `${(kept / 2 ** 20).toFixed(1)} MB are kept, payloads among them, ` +
        `although all timers but ${pending} were ${title}: ` +
        `bursts of ${burst.timers} timers, each with a payload of ${8 * burst.ballast} bytes`
      )
    }
  }
  return null
}

/**
 * @param {TimerQueue} queue
 * @param {number} ballast
 */
const create = (queue, ballast) => queue.createTimer(new Array(ballast))

/**
 * @param {TimerQueue} queue
 * @param {number} now
 * @param {typeof BURST} burst
 */
function createBurst (queue, now, { timers: count, ballast }) {
  const timers = []
  for (let i = 0; i < count; i++) {
    const timer = create(queue, ballast)
    queue.insert(timer, now + 1 + ((i * 7919) % count), 1 + ((i * 7919) % count))
    timers.push(timer)
  }
  return timers
}
