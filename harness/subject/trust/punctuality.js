/**
 * Checks that a queue fires no timer early. In a workload where every timer is cancelled or moved in time, a queue that
 * fires early goes unnoticed.
 */
import { SampleError } from '../../model/errors.js'
/** @import { TimerQueue } from '../../../queues/contract.js' */

const SERVER_TIMEOUTS = [50, 100, 500, 1000, 2000, 5000, 10_000, 30_000, 60_000, 120_000]
/** Edges of a wheel's slots and levels, up to the far future. */
const EDGES = Array.from({ length: 33 }, (_, bits) => 2 ** bits)
const DURATIONS = [...SERVER_TIMEOUTS, ...EDGES.flatMap(edge => [edge - 1, edge, edge + 1])]
  .filter(duration => duration > 0)
  .sort((a, b) => a - b)
const START = 12_345

/**
 * Asks a fresh queue. Every measured process does so after everything has been measured.
 *
 * @param {new () => TimerQueue} Queue
 * @throws {SampleError} when the queue fires a timer before its deadline
 */
export function assertPunctual (Queue) {
  const queue = new Queue()
  /**
   * Deadlines by the payload of their timers.
   *
   * @type {number[]}
   */
  const deadlines = []
  let now = START
  const advance = (/** @type {number} */ to) => {
    now = to
    queue.advance(now, timer => {
      if (deadlines[/** @type {number} */ (queue.payloadOf(timer))] > now) {
        throw new SampleError('wrong', 'it fired a timer early: run `timerq check`')
      }
    })
  }

  advance(now)
  for (const duration of DURATIONS) {
    const [inserted, moved] = [queue.createTimer(deadlines.length), queue.createTimer(deadlines.length + 1)]
    deadlines.push(now + duration, now + duration)
    queue.insert(inserted, now + duration, duration)
    queue.insert(moved, now + 1, 1)
    queue.reschedule(moved, now + duration, duration)
  }
  for (const duration of DURATIONS) {
    if (START + duration - 1 > now) advance(START + duration - 1)
    advance(START + duration)
  }
}
