/**
 * Base of the wheels that look at every timer of a slot when it opens, due or not. Timers that are already due when
 * started have a ring of their own, because their slots have opened before.
 */
import { LinkedTimers, createRing } from './linked-timers.js'

/**
 * @typedef {import('./linked-timers.js').Linked} Linked
 * @typedef {ReturnType<LinkedTimers['createTimer']>} ListTimer
 */

/** @abstract */
export class ScannedRings extends LinkedTimers {
  /** The last timer that the scan has passed; at first the head. Timers started meanwhile come after it. */
  #passed = createRing()
  /** @protected */
  overdue = createRing()

  /**
   * @override
   * @param {ListTimer} timer
   */
  cancel (timer) {
    if (timer === this.#passed) this.#passed = this.#passed.previous
    return super.cancel(timer)
  }

  /**
   * @protected
   * @param {Linked} head
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
   * @param {Linked} head
   * @param {number} now
   * @param {(timer: ListTimer) => void} expire
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
