/**
 * A doubly linked list of timers in deadline order, ties in the order started. Where a new timer belongs is found by the
 * subclass: which end it searches from decides what the list costs.
 *
 * The list is a ring closed by a head, which is no timer.
 */

class ListTimer {
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
 * A timer in the list, or the head: its neighbours are never null.
 *
 * @typedef {{deadline: number, next: Linked, previous: Linked, payload: unknown}} Linked
 */

/** @abstract */
export class SortedLinkedList {
  size = 0
  /** @protected */
  head = createHead()

  /**
   * @abstract
   * @protected
   * @param {number} _deadline
   * @returns {Linked} the timer, or the head, after which a timer of this deadline belongs
   */
  predecessorOf (_deadline) {
    throw new Error('a subclass says where to search from')
  }

  /** @param {unknown} payload */
  createTimer (payload) {
    return new ListTimer(payload)
  }

  releaseTimer () {}

  /**
   * @param {ListTimer} timer
   * @param {number} deadline
   */
  insert (timer, deadline) {
    const previous = this.predecessorOf(deadline)
    const { next } = previous
    timer.deadline = deadline
    timer.previous = /** @type {any} */ (previous)
    timer.next = /** @type {any} */ (next)
    previous.next = next.previous = /** @type {Linked} */ (timer)
    this.size++
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

  /**
   * @param {ListTimer} timer
   * @param {number} deadline
   */
  reschedule (timer, deadline) {
    this.cancel(timer)
    this.insert(timer, deadline)
  }

  nextExpiry () {
    return this.size === 0 ? Infinity : this.head.next.deadline
  }

  /**
   * @param {number} now
   * @param {(timer: ListTimer) => void} expire
   */
  advance (now, expire) {
    while (this.nextExpiry() <= now) {
      const timer = this.head.next
      this.cancel(timer)
      expire(timer)
    }
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
}

/** @returns {Linked} */
function createHead () {
  const head = /** @type {any} */ (new ListTimer(null))
  head.next = head.previous = head
  return head
}
