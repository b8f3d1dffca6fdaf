/**
 * What the wheels have in common that look at all timers of a slot when it opens, whichever of them may be due. Timers
 * that are due already when they are started have a ring of their own, for their slots have opened before.
 */
import { LinkedTimers, createRing } from './linked-timers.js'

/**
 * @typedef {import('./linked-timers.js').Linked} Linked
 * @typedef {ReturnType<LinkedTimers['createTimer']>} ListTimer
 */

/** @abstract */
export class ScannedRings extends LinkedTimers {
  /** The last timer that the scan has passed, its head at first. What is started meanwhile comes after it. */
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
