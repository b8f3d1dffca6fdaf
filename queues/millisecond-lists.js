/**
 * A FIFO list for each millisecond in which a timer is due, and the lists in a sorted array, the earliest last: Bun's
 * timers in early 2025.
 *
 *   insert      O(n)   O(log n) if the millisecond has a list; otherwise the array makes room for one
 *   cancel      O(n)   O(1) unless the list becomes empty
 *   reschedule  O(n)
 *   nextExpiry  O(1)
 *   advance     O(k log n) for k expired timers
 *
 * Timers fire by deadline, ties in the order started. Slow when many milliseconds have timers, and come and go.
 * Source: oven-sh/bun pull request 16855, replaced by a heap in 17811 (2025).
 */
import { LinkedTimers, createRing } from './parts/linked-timers.js'

/** @import { QueueMeta } from './contract.js' */
/** @import { Linked, ListTimer } from './parts/linked-timers.js' */

/** @type {QueueMeta} */
export const meta = {
  name: 'millisecond-lists',
  title: 'A FIFO list for each millisecond, the lists in a sorted array',
  complexity: { insert: 'O(n)', cancel: 'O(n)', reschedule: 'O(n)', nextExpiry: 'O(1)', advance: 'O(k log n)' },
  order: 'fifo',
  accuracy: 'exact',
  source: 'oven-sh/bun pull requests 16855 and 17811 (2025)'
}

export class MillisecondLists extends LinkedTimers {
  /** @type {Linked[]} */
  #heads = []

  /**
   * @override
   * @type {(timer: ListTimer, deadline: number) => void}
   */
  insert (timer, deadline) {
    const place = this.#placeOf(deadline)
    if (this.#heads[place]?.deadline !== deadline) {
      this.#heads.splice(place, 0, Object.assign(createRing(), { deadline }))
    }
    this.insertAfter(timer, deadline, this.#heads[place].previous)
  }

  /**
   * @override
   * @type {(timer: ListTimer) => boolean}
   */
  cancel (timer) {
    const { next, previous } = timer
    if (!super.cancel(timer)) return false
    // When both neighbours are the same, only the head is left.
    if (next === previous) this.#heads.splice(this.#placeOf(timer.deadline), 1)
    return true
  }

  nextExpiry () {
    return this.size === 0 ? Infinity : this.#heads[this.#heads.length - 1].deadline
  }

  /** @type {(now: number, expire: (timer: ListTimer) => void) => void} */
  advance (now, expire) {
    while (this.nextExpiry() <= now) {
      const timer = /** @type {any} */ (this.#heads[this.#heads.length - 1].next)
      this.cancel(timer)
      expire(timer)
    }
  }

  /**
   * Place of the list of a deadline, or where it belongs.
   *
   * @param {number} deadline
   */
  #placeOf (deadline) {
    let low = 0
    let high = this.#heads.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#heads[middle].deadline > deadline) low = middle + 1
      else high = middle
    }
    return low
  }
}
