/**
 * Linked list of timers in deadline order, ties in the order started. The subclass searches for the place of a new
 * timer: the end that it starts from decides what the list costs.
 */
import { LinkedTimers, createRing } from './linked-timers.js'

/**
 * @typedef {import('./linked-timers.js').Linked} Linked
 * @typedef {ReturnType<LinkedTimers['createTimer']>} ListTimer
 */

/** @abstract */
export class SortedLinkedList extends LinkedTimers {
  /** @protected */
  head = createRing()

  /**
   * @abstract
   * @protected
   * @param {number} _deadline
   * @returns {Linked} the timer, or the head, that a timer with this deadline comes after
   */
  predecessorOf (_deadline) {
    throw new Error('a subclass must implement predecessorOf')
  }

  /**
   * @override
   * @param {ListTimer} timer
   * @param {number} deadline
   */
  insert (timer, deadline) {
    this.insertAfter(timer, deadline, this.predecessorOf(deadline))
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
}
