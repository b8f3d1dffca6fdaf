/**
 * Counts the work of single calls of a queue that declares a bounded pause. The complexity clauses count many calls
 * together, so they cannot show that one call does the work of many, for example the cascade of a wheel.
 */
import { createRandom } from '../../model/random.js'
import { hasLinear, parseComplexity } from '../complexity.js'

/**
 * @import { TimerQueue } from '../../../queues/contract.js'
 * @import { Counter } from './check-complexity.js'
 *
 * @typedef {object} Stream
 * @property {TimerQueue} queue
 * @property {any[]} timers  Timers, idle at first.
 * @property {() => void} reset  Forgets the work since the latest count.
 * @property {(operation: string, operate: () => void) => void} count  Counts the work since the latest count or reset,
 *   of one call or of a group.
 * @property {(operation: string, timers: any[], call: (timer: any) => void) => void} forEach  Calls for each timer, and
 *   counts the last calls in groups.
 * @property {(end: number) => void} wake  Advances the queue whenever it asks for an advance, until `end`.
 */

/** Numbers of timers. The longest call may grow up to the smaller one, but not from there to the larger. */
const SIZES = [2048, 16_384]
/** Filling a queue with linear operations takes quadratic time. */
const LINEAR_SIZES = [512, 4096]
const WARM_UP_SIZE = 512
/**
 * Longest calls may differ by this factor for other reasons. Work that grows with the number of timers grows by eight.
 */
const TOLERANCE = 2
/** A difference of this many blocks is not growth. */
const SLACK_BLOCKS = 64
/** Calls per count: counting takes longer than a call. The last calls of a workload meet most debts. */
const GROUP = 16
const LONG_GROUP = 64
const COUNTED = 256
/** Counted wake-ups. They empty the first slots of each level. */
const WAKE_UPS = 512
/** Timers that are not moved. */
const LEFT = 64
/** Expiries and starts of each timer: they reach the end of arrays of twice the size. */
const REVOLUTIONS = 2
const SEED = 1

const NEAR_MS = 200
const FAR_MS = 2 ** 30
const HORIZON_MS = 131_072

/**
 * The workload with the fewest counts comes first.
 *
 * @type {{title: string, run: (stream: Stream) => void}[]}
 */
const workloads = [
  {
    title: 'all cancelled, then a long silence without advances',
    run ({ queue, timers, count, forEach }) {
      const random = createRandom(SEED)
      for (const timer of timers) {
        const deadline = 1 + random(HORIZON_MS)
        queue.insert(timer, deadline, deadline)
      }
      forEach('cancel', timers, timer => queue.cancel(timer))
      count('advance', () => queue.advance(2 * HORIZON_MS, () => {}))
    }
  },
  {
    title: 'all due far away and close together',
    run ({ queue, timers, forEach, wake }) {
      const random = createRandom(SEED)
      const deadlines = timers.map(() => FAR_MS + random(HORIZON_MS)).values()
      forEach('insert', timers, timer => queue.insert(timer, Number(deadlines.next().value)))
      wake(Infinity)
    }
  },
  {
    title: `all due at ${NEAR_MS} ms and moved to later, but for some`,
    run ({ queue, timers, forEach, wake }) {
      const moved = timers.slice(LEFT)
      forEach('insert', timers, timer => queue.insert(timer, NEAR_MS, NEAR_MS))
      forEach('reschedule', moved, timer => queue.reschedule(timer, 2 * NEAR_MS, 2 * NEAR_MS))
      wake(NEAR_MS)
    }
  },
  {
    title: 'the first timer expires and starts again as the last',
    run ({ queue, timers, reset, count }) {
      let due = 0
      for (const timer of timers) queue.insert(timer, ++due, due)
      reset()
      const restart = (/** @type {any} */ timer) => queue.insert(timer, ++due, timers.length)
      for (let now = 0; now < REVOLUTIONS * timers.length;) {
        count('insert', () => {
          for (const end = now + LONG_GROUP; now < end;) queue.advance(++now, restart)
        })
      }
    }
  }
]

/**
 * @param {new () => TimerQueue} Queue
 * @param {Record<string, string> | undefined} declared
 * @param {Counter} counter
 * @returns {string | null} counts that show a call longer than a bounded pause allows
 */
export function checkPause (Queue, declared, counter) {
  const [small, large] = hasLinear(declared) ? LINEAR_SIZES : SIZES
  for (const { title, run } of workloads) {
    // The counter distinguishes two blocks only once they have run a different number of times.
    const [, before, after] = [WARM_UP_SIZE, small, large].map(n => {
      const { stream, longest } = createStream(new Queue(), n, declared, counter)
      run(stream)
      return longest
    })
    for (const [operation, most] of after) {
      const least = before.get(operation) ?? 0
      if (most - SLACK_BLOCKS <= TOLERANCE * least) continue
      const calls = operation === 'advance' ? 'one wake-up' : 'a group of calls'
      return (
        `${operation}: up to ${least.toFixed(0)} basic blocks in ${calls} at ${small} timers, ` +
        `up to ${most.toFixed(0)} at ${large} (${title}; divided by the declared growth)`
      )
    }
  }
  return null
}

/**
 * @param {TimerQueue} queue
 * @param {number} n  Timers.
 * @param {Record<string, string> | undefined} declared
 * @param {Counter} counter
 * @returns {{stream: Stream, longest: Map<string, number>}} `longest`, by operation: most basic blocks of one count,
 *   divided by the declared growth
 */
function createStream (queue, n, declared, counter) {
  /** @type {Map<string, number>} */
  const longest = new Map()
  let fired = 0
  /** @type {Stream['count']} */
  const count = (operation, operate) => {
    fired = 0
    operate()
    const { work } = counter.count()
    const growth = parseComplexity(declared?.[operation])?.(n, fired) ?? 1
    longest.set(operation, Math.max(longest.get(operation) ?? 0, work / Math.max(1, growth)))
  }
  const wake = (/** @type {number} */ end) => {
    let next = queue.nextExpiry()
    counter.count()
    for (let i = 0; i < WAKE_UPS && queue.size > 0 && next <= end; i++) {
      count('advance', () => {
        queue.advance(next, () => {
          fired++
        })
        next = queue.nextExpiry()
      })
    }
  }
  /** @type {Stream['forEach']} */
  const forEach = (operation, timers, call) => {
    const uncounted = timers.length - COUNTED
    timers.slice(0, uncounted).forEach(call)
    counter.count()
    for (let i = uncounted; i < timers.length; i += GROUP) {
      count(operation, () => timers.slice(i, i + GROUP).forEach(call))
    }
  }
  const timers = Array.from({ length: n }, (_, i) => queue.createTimer(i))
  return { stream: { queue, timers, reset: counter.count, count, forEach, wake }, longest }
}
