/**
 * Table of deadlines and the time of the next wake-up, when every timer is checked. Hardly a queue.
 *
 *   insert      O(1)
 *   cancel      O(1)
 *   reschedule  O(1)
 *   nextExpiry  O(1)   the earliest deadline found by the last scan or set since; its timer may have moved
 *   advance     O(n)   scans all timers, idle ones included, when a timer may be due; O(1) before
 *
 * Expired timers fire in no particular order. Hard to beat while timers are few.
 * Source: neqo pull request 1780 (2024), as merged in place of the timer wheel.
 */
import { Handles, lengthened } from './parts/handles.js'

/** @import { QueueMeta } from './contract.js' */

/** @type {QueueMeta} */
export const meta = {
  name: 'single-wakeup',
  title: 'One stored wake-up time, and a scan of all timers when it is due',
  complexity: { insert: 'O(1)', cancel: 'O(1)', reschedule: 'O(1)', nextExpiry: 'O(1)', advance: 'O(n)' },
  order: 'none',
  accuracy: 'exact',
  source: 'neqo pull request 1780 (2024)'
}

const NEVER_STARTED = -1

/** @param {number} deadline  Encoded for an idle timer, or decoded. Deadlines are not negative. */
const idle = deadline => -1 - deadline

export class SingleWakeup {
  size = 0
  #handles = new Handles()
  #deadlines = new Float64Array(64).fill(NEVER_STARTED)
  /** Timers made, released ones included: a scan visits no place beyond. */
  #made = 0
  /** No timer is due earlier. */
  #wakeAt = Infinity

  /** @param {unknown} payload */
  createTimer (payload) {
    const timer = this.#handles.take(payload)
    const capacity = this.#deadlines.length
    if (timer === this.#made) this.#made++
    if (timer === capacity) this.#deadlines = lengthened(this.#deadlines, 2 * capacity, NEVER_STARTED)
    return timer
  }

  /** @param {number} timer */
  releaseTimer (timer) {
    this.#handles.release(timer)
  }

  /** @type {(timer: number, deadline: number) => void} */
  insert (timer, deadline) {
    this.#deadlines[timer] = deadline
    this.size++
    if (deadline < this.#wakeAt) this.#wakeAt = deadline
  }

  /** @param {number} timer */
  cancel (timer) {
    const deadline = this.#deadlines[timer]
    if (deadline < 0) return false
    this.#deadlines[timer] = idle(deadline)
    this.size--
    return true
  }

  /** @type {(timer: number, deadline: number) => void} */
  reschedule (timer, deadline) {
    if (this.#deadlines[timer] < 0) this.size++
    this.#deadlines[timer] = deadline
    if (deadline < this.#wakeAt) this.#wakeAt = deadline
  }

  nextExpiry () {
    return this.size === 0 ? Infinity : this.#wakeAt
  }

  /** @type {(now: number, expire: (timer: number) => void) => void} */
  advance (now, expire) {
    if (this.#wakeAt > now) return
    for (let timer = 0; timer < this.#made; timer++) {
      const deadline = this.#deadlines[timer]
      if (deadline >= 0 && deadline <= now) {
        this.cancel(timer)
        expire(timer)
      }
    }
    this.#wakeAt = this.#earliest()
  }

  /** @param {number} timer */
  deadlineOf (timer) {
    const deadline = this.#deadlines[timer]
    return deadline < 0 ? idle(deadline) : deadline
  }

  /** @param {number} timer */
  payloadOf (timer) {
    return this.#handles.payloadOf(timer)
  }

  /** @param {number} timer */
  isPending (timer) {
    return this.#deadlines[timer] >= 0
  }

  /** Called after all callbacks, which may start timers that the loop has passed. */
  #earliest () {
    const deadlines = this.#deadlines
    let earliest = Infinity
    for (let timer = 0; timer < this.#made; timer++) {
      const deadline = deadlines[timer]
      if (deadline >= 0 && deadline < earliest) earliest = deadline
    }
    return earliest
  }
}
