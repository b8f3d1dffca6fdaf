/**
 * Unsorted array of timers. Each timer knows its index, so the last timer can take its place when it leaves.
 *
 *   insert      O(1)
 *   cancel      O(1)
 *   reschedule  O(1)
 *   nextExpiry  O(n)   O(1) until the earliest timer leaves or moves later
 *   advance     O(n)   one scan when a timer is due, O(1) before
 *
 * Expired timers fire in no particular order.
 * Source: the Node wiki, "Optimizing _unrefActive", 2014, first alternative.
 */

/** @import { QueueMeta } from './contract.js' */

/** @type {QueueMeta} */
export const meta = {
  name: 'unsorted-array',
  title: 'Unsorted array with the earliest deadline cached',
  complexity: { insert: 'O(1)', cancel: 'O(1)', reschedule: 'O(1)', nextExpiry: 'O(n)', advance: 'O(n)' },
  order: 'none',
  accuracy: 'exact',
  source: 'Node wiki, "Optimizing _unrefActive", 2014'
}

const IDLE = -1
/** Stands for the earliest deadline while it is unknown. Deadlines are not negative. */
const UNKNOWN = -1

class ArrayTimer {
  /** Absolute milliseconds; meaningful while pending. */
  deadline = 0
  index = IDLE

  /** @param {unknown} payload */
  constructor (payload) {
    this.payload = payload
  }
}

export class UnsortedArray {
  /** @type {ArrayTimer[]} */
  #timers = []
  #earliest = Infinity

  get size () {
    return this.#timers.length
  }

  /** @param {unknown} payload */
  createTimer (payload) {
    return new ArrayTimer(payload)
  }

  releaseTimer () {}

  /** @type {(timer: ArrayTimer, deadline: number) => void} */
  insert (timer, deadline) {
    timer.deadline = deadline
    timer.index = this.#timers.length
    this.#timers.push(timer)
    if (deadline < this.#earliest) this.#earliest = deadline
  }

  /** @param {ArrayTimer} timer */
  cancel (timer) {
    const { index } = timer
    if (index === IDLE) return false
    const last = /** @type {ArrayTimer} */ (this.#timers.pop())
    if (last !== timer) {
      this.#timers[index] = last
      last.index = index
    }
    timer.index = IDLE
    if (timer.deadline === this.#earliest) this.#earliest = UNKNOWN
    return true
  }

  /** @type {(timer: ArrayTimer, deadline: number) => void} */
  reschedule (timer, deadline) {
    if (timer.index === IDLE) return this.insert(timer, deadline)
    if (deadline < this.#earliest) this.#earliest = deadline
    else if (timer.deadline === this.#earliest && deadline > this.#earliest) this.#earliest = UNKNOWN
    timer.deadline = deadline
  }

  nextExpiry () {
    if (this.#earliest === UNKNOWN) {
      let earliest = Infinity
      for (let i = 0; i < this.#timers.length; i++) earliest = Math.min(earliest, this.#timers[i].deadline)
      this.#earliest = earliest
    }
    return this.#earliest
  }

  /** @type {(now: number, expire: (timer: ArrayTimer) => void) => void} */
  advance (now, expire) {
    if (this.nextExpiry() > now) return
    // Backwards, so that no timer is skipped: a timer that fills a hole has been checked already, or will be.
    for (let i = this.#timers.length - 1; i >= 0; i = Math.min(i, this.#timers.length) - 1) {
      const timer = this.#timers[i]
      if (timer.deadline <= now) {
        this.cancel(timer)
        expire(timer)
      }
    }
  }

  /** @param {ArrayTimer} timer */
  deadlineOf (timer) {
    return timer.deadline
  }

  /** @param {ArrayTimer} timer */
  payloadOf (timer) {
    return timer.payload
  }

  /** @param {ArrayTimer} timer */
  isPending (timer) {
    return timer.index !== IDLE
  }
}
