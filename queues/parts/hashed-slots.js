/**
 * Base of the hashed wheels: slots of one millisecond each. A timer may be due in this revolution of the wheel or in a
 * later one. The subclass decides which slots advance() searches.
 */
import { createRing } from './linked-timers.js'
import { ScannedRings } from './scanned-rings.js'

/** @import { Linked, ListTimer } from './linked-timers.js' */

/** The number of neqo's wheel: 2 ** 14. */
export const SLOTS = 16_384

/** @abstract */
export class HashedSlots extends ScannedRings {
  /** The latest `now`. */
  #time = 0
  /** No timer is due before this, unless a callback has thrown. */
  #cursor = 0
  /**
   * Rings of timers in the order started, created when first needed.
   *
   * @type {(Linked | null)[]}
   */
  #slots = new Array(SLOTS).fill(null)

  /**
   * @override
   * @type {(timer: ListTimer, deadline: number) => void}
   */
  insert (timer, deadline) {
    const head = deadline <= this.#time ? this.overdue : (this.#slots[deadline % SLOTS] ??= createRing())
    this.insertAfter(timer, deadline, head.previous)
  }

  nextExpiry () {
    let earliest = this.earliestOf(this.overdue)
    const first = this.#cursor % SLOTS
    for (let passed = 0; passed < SLOTS; passed++) {
      const head = this.#slots[(first + passed) % SLOTS]
      if (head !== null) earliest = Math.min(earliest, this.earliestOf(head))
      if (earliest - this.#cursor <= passed) return earliest
    }
    // No timer is due within this revolution.
    return earliest
  }

  /**
   * Searches slots from the cursor on.
   *
   * @protected
   * @type {(count: number, now: number, expire: (timer: ListTimer) => void) => void}
   */
  expireSlots (count, now, expire) {
    this.#time = Math.max(this.#time, now)
    this.expireRing(this.overdue, now, expire)
    const first = this.#cursor % SLOTS
    for (let passed = 0; passed < count; passed++) {
      const head = this.#slots[(first + passed) % SLOTS]
      if (head !== null) this.expireRing(head, now, expire)
    }
    this.#cursor = Math.max(this.#cursor, now)
  }

  /**
   * @protected
   * @param {number} now
   * @returns {number} slots from the cursor to now, both included
   */
  slotsUntil (now) {
    return Math.min(now - this.#cursor + 1, SLOTS)
  }
}
