/**
 * Does a queue fire early? In workloads where every timer is cancelled or moved in time, a queue that fires early goes
 * unnoticed.
 */
import { SampleError } from '../../model/errors.js'
/** @import { TimerQueue } from '../../../queues/contract.js' */

/** Short timeouts of servers, both sides of the edges of wheels' slots and levels, and the far future. */
const DURATIONS = [
  1,
  2,
  3,
  5,
  8,
  15,
  16,
  17,
  31,
  32,
  33,
  50,
  63,
  64,
  65,
  100,
  127,
  128,
  255,
  256,
  257,
  500,
  511,
  512,
  1000,
  1023,
  1024,
  2000,
  4095,
  4096,
  5000,
  10_000,
  16_384,
  30_000,
  60_000,
  65_535,
  65_536,
  120_000,
  2 ** 20,
  2 ** 24 + 1,
  2 ** 31 - 1,
  2 ** 32
]
const START = 12_345

/**
 * Asks a second queue after everything has been measured. Every measuring process does.
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
