/**
 * A sorted array of timers, the earliest deadline first: simple, correct, and slow with many timers. Make it faster.
 *
 *   timerq check ./my-queue.js                                 does it keep the contract?
 *   timerq run --queue ./my-queue.js,binary-heap,lazy-wheel    is it fast?
 *
 * Deadlines are absolute, whole milliseconds from 0 to Number.MAX_SAFE_INTEGER. A timer is whatever createTimer
 * returns, an object or a small integer: only the queue looks inside.
 */

/** What the queue promises; `timerq check` verifies it, and every report shows it. */
export const meta = {
  name: 'my-queue',
  title: 'Sorted array',
  // For n pending timers, of which k expire. Counted at growing sizes: growing faster than declared is an error.
  complexity: { insert: 'O(n)', cancel: 'O(n)', reschedule: 'O(n)', nextExpiry: 'O(1)', advance: 'O(k n)' },
  // Within one advance: 'fifo' by deadline, ties in the order started; 'deadline' by deadline; 'none' in any order.
  order: 'fifo',
  // Or { relative: 0.1 }: at most a tenth of the duration late.
  accuracy: 'exact',
  source: 'own work'
}

class MyQueueTimer {
  deadline = 0
  pending = false

  /** @param {unknown} payload */
  constructor (payload) {
    this.payload = payload
  }
}

export class MyQueue {
  /** @type {MyQueueTimer[]} */
  #timers = []

  /** Pending timers. */
  get size () {
    return this.#timers.length
  }

  /**
   * Makes an idle timer, which is then started many times: a server has one for every socket.
   *
   * @param {unknown} payload
   */
  createTimer (payload) {
    return new MyQueueTimer(payload)
  }

  /** The caller never uses this idle timer again. A queue of integer handles may hand it out for the next timer. */
  releaseTimer () {}

  /**
   * Starts an idle timer. Callers also pass its duration, for queues that need it.
   *
   * @param {MyQueueTimer} timer
   * @param {number} deadline
   */
  insert (timer, deadline) {
    timer.deadline = deadline
    timer.pending = true
    this.#timers.splice(this.#positionAfter(deadline), 0, timer)
  }

  /**
   * @param {MyQueueTimer} timer
   * @returns {boolean} whether it was pending
   */
  cancel (timer) {
    if (!timer.pending) return false
    timer.pending = false
    this.#timers.splice(this.#timers.indexOf(timer), 1)
    return true
  }

  /**
   * Restarts a timer, pending or not. Servers do this several times a request.
   *
   * @param {MyQueueTimer} timer
   * @param {number} deadline
   */
  reschedule (timer, deadline) {
    this.cancel(timer)
    this.insert(timer, deadline)
  }

  /** When to wake the queue: never later than the earliest deadline. Infinity when nothing is pending. */
  nextExpiry () {
    return this.#timers[0]?.deadline ?? Infinity
  }

  /**
   * Removes every timer that is due and calls expire(timer) for it. `expire` may start, cancel or release any timer,
   * and may throw. So the queue must be consistent before each call, and read its state again after it.
   *
   * @param {number} now  Never goes backwards.
   * @param {(timer: MyQueueTimer) => void} expire
   */
  advance (now, expire) {
    while (this.nextExpiry() <= now) {
      const [timer] = this.#timers
      this.cancel(timer)
      expire(timer)
    }
  }

  /** @param {MyQueueTimer} timer */
  deadlineOf (timer) {
    return timer.deadline
  }

  /** @param {MyQueueTimer} timer */
  payloadOf (timer) {
    return timer.payload
  }

  /** @param {MyQueueTimer} timer */
  isPending (timer) {
    return timer.pending
  }

  /**
   * The position after all timers with the same deadline or an earlier one.
   *
   * @param {number} deadline
   */
  #positionAfter (deadline) {
    let low = 0
    let high = this.#timers.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#timers[middle].deadline <= deadline) low = middle + 1
      else high = middle
    }
    return low
  }
}
