/**
 * Linked list of timers in deadline order, ties in the order started. The subclass searches for the place of a new
 * timer, from one end or the other, which decides the cost of the list.
 */
import { LinkedTimers, createRing } from './linked-timers.js'

/** @import { Linked, ListTimer } from './linked-timers.js' */

/** @abstract */
export class SortedLinkedList extends LinkedTimers {
  /** @protected */
  head = createRing()

  /**
   * Finds the predecessor of a timer with this deadline.
   *
   * @abstract
   * @protected
   * @type {(deadline: number) => Linked}
   */
  predecessorOf (_deadline) {
    throw new Error('a subclass must implement predecessorOf')
  }

  /**
   * @override
   * @type {(timer: ListTimer, deadline: number) => void}
   */
  insert (timer, deadline) {
    this.insertAfter(timer, deadline, this.predecessorOf(deadline))
  }

  nextExpiry () {
    return this.size === 0 ? Infinity : this.head.next.deadline
  }

  /** @type {(now: number, expire: (timer: ListTimer) => void) => void} */
  advance (now, expire) {
    while (this.nextExpiry() <= now) {
      const timer = this.head.next
      this.cancel(timer)
      expire(timer)
    }
  }
}
