/**
 * Timer wheel that never cascades. A timer with a longer duration gets a coarser slot, and stays there until it fires.
 *
 *   level   slot width   for durations from
 *   0       1 ms         0
 *   1       8 ms         64 ms
 *   2       64 ms        512 ms
 *   3       512 ms       4 s
 *   4       4 s          33 s
 *   ...     8 ** level   8 ** (level + 1) ms
 *   16      8 ** 16 ms   8 ** 17 ms, up to Number.MAX_SAFE_INTEGER
 *
 * A level has 64 slots, and a timer lies in the first slot that opens at its deadline or later. So the timer fires late
 * by less than the width of a slot, which is at most 12.5 % of its duration. That is exact enough for timeouts that
 * guard an operation, since nearly all of them are cancelled.
 *
 *   insert      O(1)
 *   cancel      O(1)
 *   reschedule  O(1)
 *   nextExpiry  O(1)   the time when a slot opens, sometimes one revolution too early
 *   advance     O(k) amortised for k expired timers
 *
 * One revolution too early: shortly before a slot opens, the longest durations of its level reach all the way round to
 * that slot, whose next opening then fires nothing for them. On the next level such timers would fire too late, because
 * its slots are too wide.
 *
 * Expired timers fire in no particular order. The caller's duration decides the level; without one, the duration counts
 * from the latest advance.
 * Source: T. Gleixner, "timers: Switch to a non-cascading wheel", Linux 4.8, 2016.
 */
import { distanceToOccupied } from './parts/bits.js'
import { LEVELS, levelOf, SLOTS, WIDTHS } from './parts/coarse-levels.js'
import { createRing } from './parts/linked-timers.js'
import { ScannedRings } from './parts/scanned-rings.js'

/** @import { QueueMeta } from './contract.js' */
/** @import { ListTimer } from './parts/linked-timers.js' */

/** @type {QueueMeta} */
export const meta = {
  name: 'coarse-wheel',
  title: 'Wheel that never cascades, late by up to an eighth of the duration',
  complexity: { insert: 'O(1)', cancel: 'O(1)', reschedule: 'O(1)', nextExpiry: 'O(1)', advance: 'O(k) amortised' },
  order: 'none',
  accuracy: { relative: 0.125 },
  source: 'T. Gleixner, "timers: Switch to a non-cascading wheel", Linux 4.8, 2016'
}

export class CoarseWheel extends ScannedRings {
  /** The latest `now`. */
  #now = 0
  /** Lower bound of the deadlines of overdue timers: too early after the earliest has left. */
  #overdueFrom = Infinity
  /** All slots that open by this time have been opened. */
  #openedUntil = 0
  #slots = Array.from({ length: LEVELS * SLOTS }, createRing)
  /** One bit per slot, two words per level: set when a timer is put there, cleared when the slot is found empty. */
  #occupied = new Int32Array(2 * LEVELS)

  /**
   * @override
   * @type {(timer: ListTimer, deadline: number, duration?: number) => void}
   */
  insert (timer, deadline, duration = deadline - this.#now) {
    if (deadline <= this.#now) return this.#insertOverdue(timer, deadline)
    const level = levelOf(duration)
    const slot = Math.ceil(deadline / WIDTHS[level]) % SLOTS
    this.insertAfter(timer, deadline, this.#slots[level * SLOTS + slot].previous)
    this.#occupied[2 * level + (slot >> 5)] |= 1 << slot
  }

  /**
   * @override
   * @type {(timer: ListTimer, deadline: number, duration?: number) => void}
   */
  reschedule (timer, deadline, duration = deadline - this.#now) {
    this.cancel(timer)
    this.insert(timer, deadline, duration)
  }

  nextExpiry () {
    if (this.size === 0) return Infinity
    let earliest = this.#overdueFrom
    for (let level = 0; level < LEVELS; level++) {
      earliest = Math.min(earliest, this.#nextOpening(level, this.#openedUntil))
    }
    return earliest
  }

  /** @type {(now: number, expire: (timer: ListTimer) => void) => void} */
  advance (now, expire) {
    // Timers that callbacks start are placed by the new time.
    this.#now = Math.max(this.#now, now)
    this.expireRing(this.overdue, this.#now, expire)
    this.#overdueFrom = Infinity
    for (let level = 0; level < LEVELS; level++) this.#openSlots(level, now, expire)
    // Last: if a callback throws, the next advance opens the slots that are left.
    this.#openedUntil = Math.max(this.#openedUntil, now)
  }

  /** @type {(timer: ListTimer, deadline: number) => void} */
  #insertOverdue (timer, deadline) {
    this.insertAfter(timer, deadline, this.overdue.previous)
    this.#overdueFrom = Math.min(this.#overdueFrom, deadline)
  }

  /** @type {(level: number, now: number, expire: (timer: ListTimer) => void) => void} */
  #openSlots (level, now, expire) {
    const last = Math.min(now, this.#openedUntil + SLOTS * WIDTHS[level])
    for (
      let opening = this.#nextOpening(level, this.#openedUntil);
      opening <= last;
      opening = this.#nextOpening(level, opening)
    ) {
      const slot = (opening / WIDTHS[level]) % SLOTS
      const ring = this.#slots[level * SLOTS + slot]
      this.expireRing(ring, now, expire)
      // Timers of later revolutions stay: of several, if the clock ran ahead of the latest advance.
      if (ring.next === ring) this.#occupied[2 * level + (slot >> 5)] &= ~(1 << slot)
    }
  }

  /**
   * Time when the next slot opens that may hold timers; Infinity if the level has none.
   *
   * @param {number} level
   * @param {number} moment  Milliseconds; the slot opens later.
   */
  #nextOpening (level, moment) {
    const low = this.#occupied[2 * level]
    const high = this.#occupied[2 * level + 1]
    if ((low | high) === 0) return Infinity
    const width = WIDTHS[level]
    const next = Math.floor(moment / width) + 1
    return (next + distanceToOccupied(low, high, next % SLOTS)) * width
  }
}
