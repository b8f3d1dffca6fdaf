/**
 * Base of the wheels that check every timer of a slot when it opens, due or not. Timers that are already due when
 * started have a ring of their own, because their slots have opened before.
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
   * @protected
   * @type {(head: Linked, now: number, expire: (timer: ListTimer) => void) => void}
   */
  expireRing (head, now, expire) {
    this.#passed = head
    for (let timer = head.next; timer !== head; timer = this.#passed.next) {
      if (timer.deadline <= now) {
        this.cancel(timer)
        expire(timer)
      } else {
        this.#passed = timer
      }
    }
  }
}
