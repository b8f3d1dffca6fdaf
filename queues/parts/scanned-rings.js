/**
 * Base of the queues that check every timer of a ring, due or not: an unordered list, or a slot when it opens. In a
 * wheel, timers that are already due when started have another ring, because their slots have opened before.
 */
import { LinkedTimers, createRing } from './linked-timers.js'

/** @import { Linked, ListTimer } from './linked-timers.js' */

/** @abstract */
export class ScannedRings extends LinkedTimers {
  /** The last timer that the scan has passed, at first the head. Timers started during the scan follow it. */
  #passed = createRing()
  /** @protected */
  overdue = createRing()

  /**
   * @override
   * @type {(timer: ListTimer) => boolean}
   */
  cancel (timer) {
    if (timer === this.#passed) this.#passed = this.#passed.previous
    return super.cancel(timer)
  }

  /**
   * @protected
   * @type {(head: Linked) => number}
   */
  earliestOf (head) {
    let earliest = Infinity
    for (let timer = head.next; timer !== head; timer = timer.next) {
      if (timer.deadline < earliest) earliest = timer.deadline
    }
    return earliest
  }

  /**
   * Expires the due timers of a ring.
   *
   * @protected
   * @type {(head: Linked, now: number, expire: (timer: ListTimer) => void) => number}
   * @returns {number} the earliest deadline that is left
   */
  expireRing (head, now, expire) {
    let earliest = Infinity
    this.#passed = head
    for (let timer = head.next; timer !== head; timer = this.#passed.next) {
      if (timer.deadline <= now) {
        this.cancel(timer)
        expire(timer)
      } else {
        this.#passed = timer
        if (timer.deadline < earliest) earliest = timer.deadline
      }
    }
    return earliest
  }
}
