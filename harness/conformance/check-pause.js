/**
 * Counts the work of single calls of a queue that declares a bounded pause. The complexity clauses count many calls together:
 * there one call may pay for all others, as the cascade of a wheel does.
 */
import { createRandom } from '../model/random.js'
import { OPERATIONS } from './clauses.js'
import { parseComplexity } from './complexity.js'

/**
 * @typedef {import('../../queues/contract.js').TimerQueue} TimerQueue
 * @typedef {import('./check-complexity.js').Counters} Counters
 *
 * @typedef {object} Stream
 * @property {TimerQueue} queue
 * @property {any[]} timers  Idle at first.
 * @property {() => void} reset  What the queue has done so far is not counted.
 * @property {(operation: string, operate: () => void) => void} count  Counts the work of one call, or of GROUP calls, since
 *   the last count or reset.
 * @property {(until: number) => void} wake  Advances the queue whenever it asks for it, up to a moment.
 *
 * @typedef {{title: string, run: (stream: Stream) => void}} PauseWorkload
 */

/** A bound may be as high as what so many timers take: it is looked for between the smaller size and the larger one. */
const SIZES = [2048, 16_384]
/** Filling a queue with linear operations takes quadratic time. */
const LINEAR_SIZES = [512, 4096]
/** Longest calls may differ by this factor for other reasons. What grows with the number of timers grows by eight. */
const TOLERANCE = 2
const WARM_UP_SIZE = 512
/** A difference of this many blocks is not growth. */
const SLACK_BLOCKS = 64
/** Counting costs more than a call. One long call shows among this many; the last ones of a workload find most debts. */
const GROUP = 16
const COUNTED = 256
/** Wake-ups of a workload that are counted: enough to empty the first slots of each level. */
const WAKE_UPS = 512
/** Timers that are not moved. */
const LEFT = 64
/** How often each timer expires and starts again: enough to reach the end of arrays of twice as many. */
const REVOLUTIONS = 2
const SEED = 1

const FAR_MS = 2 ** 30
const HORIZON_MS = 131_072

/** The one that takes the fewest counts comes first. @type {PauseWorkload[]} */
const workloads = [
  {
    title: 'all cancelled, then a long silence: nobody wakes an empty queue',
    run (stream) {
      const { queue, timers, count } = stream
      const random = createRandom(SEED)
      for (const timer of timers) {
        const deadline = 1 + random(HORIZON_MS)
        queue.insert(timer, deadline, deadline)
      }
      forEach(stream, 'cancel', timers, timer => queue.cancel(timer))
      count('advance', () => queue.advance(2 * HORIZON_MS, () => {}))
    }
  },
  {
    title: 'all due far away and close together',
    run (stream) {
      const { queue, timers, wake } = stream
      const random = createRandom(SEED)
      const deadlines = new Map(timers.map(timer => [timer, FAR_MS + random(HORIZON_MS)]))
      forEach(stream, 'insert', timers, timer => queue.insert(timer, /** @type {number} */ (deadlines.get(timer))))
      wake(Infinity)
    }
  },
  ...[200, 2000, 60_000].map(deadline => ({
    title: `all due at ${deadline} ms and moved to later, but for some`,
    run (/** @type {Stream} */ stream) {
      const { queue, timers, wake } = stream
      forEach(stream, 'insert', timers, timer => queue.insert(timer, deadline, deadline))
      forEach(stream, 'reschedule', timers.slice(LEFT), timer => queue.reschedule(timer, 2 * deadline, 2 * deadline))
      wake(deadline)
    }
  })),
  {
    title: 'the first one expires and starts again as the last',
    run ({ queue, timers, reset, count }) {
      let due = 0
      for (const timer of timers) queue.insert(timer, ++due, due)
      reset()
      const restart = (/** @type {any} */ timer) => queue.insert(timer, ++due, timers.length)
      for (let now = 0; now < REVOLUTIONS * timers.length;) {
        count('insert', () => {
          for (const end = now + GROUP; now < end;) queue.advance(++now, restart)
        })
      }
    }
  }
]

/**
 * @param {new () => TimerQueue} Queue
 * @param {Record<string, string> | undefined} declared
 * @param {Counters} counters
 * @returns {string | null} what was counted, where a call is longer than a bounded pause allows
 */
export function checkPause (Queue, declared, counters) {
  const growths = new Map(OPERATIONS.map(operation => [operation, parseComplexity(declared?.[operation]) ?? (() => 1)]))
  const isLinear = [...growths.values()].some(growth => growth(LINEAR_SIZES[1], 0) >= LINEAR_SIZES[1])
  const [small, large] = isLinear ? LINEAR_SIZES : SIZES
  for (const workload of workloads) {
    // A warm-up: the counter distinguishes two blocks only once they have run a different number of times.
    longestCalls(workload, WARM_UP_SIZE)
    const before = longestCalls(workload, small)
    const after = longestCalls(workload, large)
    for (const [operation, longest] of after) {
      const shortest = before.get(operation) ?? 0
      if (longest - SLACK_BLOCKS <= TOLERANCE * shortest) continue
      const calls = operation === 'advance' ? 'one wake-up' : `${GROUP} calls`
      return `${operation}: most basic blocks of ${calls} (${workload.title}), per declared growth: ` +
        `${shortest.toFixed(0)} at ${small} timers, ${longest.toFixed(0)} at ${large}`
    }
  }
  return null

  /**
   * @param {PauseWorkload} workload
   * @param {number} n
   * @returns {Map<string, number>} by operation: basic blocks of one counted piece, divided by the growth that is declared
   */
  function longestCalls (workload, n) {
    const queue = new Queue()
    const timers = Array.from({ length: n }, (_, i) => queue.createTimer(i))
    /** @type {Map<string, number>} */
    const longest = new Map()
    let fired = 0

    const reset = () => {
      counters.blocks.count()
      counters.builtIns.count()
    }
    /** @type {Stream['count']} */
    const count = (operation, operate) => {
      fired = 0
      operate()
      const work = counters.builtIns.count().work + counters.blocks.count()
      const growth = /** @type {import('./complexity.js').Growth} */ (growths.get(/** @type {any} */ (operation)))
      longest.set(operation, Math.max(longest.get(operation) ?? 0, work / Math.max(1, growth(n, fired))))
    }
    const wake = (/** @type {number} */ until) => {
      let next = queue.nextExpiry()
      reset()
      for (let i = 0; i < WAKE_UPS && queue.size > 0 && next <= until; i++) {
        count('advance', () => {
          queue.advance(next, () => { fired++ })
          next = queue.nextExpiry()
        })
      }
    }
    workload.run({ queue, timers, reset, count, wake })
    return longest
  }
}

/**
 * Counts the last calls, in groups.
 *
 * @param {Stream} stream
 * @param {string} operation
 * @param {any[]} timers
 * @param {(timer: any) => void} call
 */
function forEach ({ reset, count }, operation, timers, call) {
  const uncounted = timers.length - COUNTED
  timers.slice(0, uncounted).forEach(call)
  reset()
  for (let i = uncounted; i < timers.length; i += GROUP) count(operation, () => timers.slice(i, i + GROUP).forEach(call))
}
