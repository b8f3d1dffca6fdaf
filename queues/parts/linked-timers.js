/**
 * Base of the queues made of linked lists: timers form a ring that is closed by a head, which is not a timer. The
 * subclass decides the place of a timer and the time of the next expiry.
 */

export class ListTimer {
  /** Absolute milliseconds; meaningful while pending. */
  deadline = 0
  /** @type {ListTimer | null} null while idle */
  next = null
  /** @type {ListTimer | null} */
  previous = null

  /** @param {unknown} payload */
  constructor (payload) {
    this.payload = payload
  }
}

/**
 * A timer in the ring, or the head.
 *
 * @typedef {{deadline: number, next: Linked, previous: Linked, payload: unknown}} Linked
 */

/** @returns {Linked} the head of an empty ring */
export function createRing () {
  const head = /** @type {any} */ (new ListTimer(null))
  head.next = head.previous = head
  return head
}

/** @abstract */
export class LinkedTimers {
  size = 0

  /** @param {unknown} payload */
  createTimer (payload) {
    return new ListTimer(payload)
  }

  releaseTimer () {}

  /**
   * @abstract
   * @type {(timer: ListTimer, deadline: number) => void}
   */
  insert (_timer, _deadline) {
    throw new Error('a subclass must implement insert')
  }

  /** @param {ListTimer} timer */
  cancel (timer) {
    const { next, previous } = timer
    if (next === null || previous === null) return false
    previous.next = next
    next.previous = previous
    timer.next = timer.previous = null
    this.size--
    return true
  }

  /** @type {(timer: ListTimer, deadline: number) => void} */
  reschedule (timer, deadline) {
    this.cancel(timer)
    this.insert(timer, deadline)
  }

  /** @param {ListTimer} timer */
  deadlineOf (timer) {
    return timer.deadline
  }

  /** @param {ListTimer} timer */
  payloadOf (timer) {
    return timer.payload
  }

  /** @param {ListTimer} timer */
  isPending (timer) {
    return timer.next !== null
  }

  /**
   * @protected
   * @type {(timer: ListTimer, deadline: number, previous: Linked) => void}
   */
  insertAfter (timer, deadline, previous) {
    const { next } = previous
    timer.deadline = deadline
    timer.previous = /** @type {any} */ (previous)
    timer.next = /** @type {any} */ (next)
    previous.next = next.previous = /** @type {Linked} */ (timer)
    this.size++
  }
}
