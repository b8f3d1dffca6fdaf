/**
 * Timer wheel that never cascades: the longer a timer's duration, the coarser the slots that it may lie in, and there it
 * stays until it fires.
 *
 *   level   slot width   for durations from
 *   0       1 ms         0
 *   1       8 ms         64 ms
 *   2       64 ms        512 ms
 *   3       512 ms       4 s
 *   4       4 s          33 s
 *   ...     8 ** level   8 ** (level + 1) ms
 *   16                   up to Number.MAX_SAFE_INTEGER
 *
 * A level has 64 slots, and a timer lies in the first slot that opens at its deadline or later: it fires late by less
 * than a slot's width, which is at most 12.5 % of its duration. Timeouts that guard something, and are cancelled nearly
 * always, do not mind.
 *
 *   insert      O(1)
 *   cancel      O(1)
 *   reschedule  O(1)
 *   nextExpiry  O(1)   when a slot opens, or a revolution too early
 *   advance     O(k) amortised for k expired timers
 *
 * A revolution too early: late in a slot's width, the longest durations of a level reach all around, to the slot that
 * opens next, where they are looked at in vain. On the next level they would be too late, its slots are too wide.
 *
 * Expired timers fire in no particular order. The level follows from the duration that the caller names; without one it
 * counts from the latest advance.
 * Source: T. Gleixner, "timers: Switch to a non-cascading wheel", Linux 4.8, 2016.
 */
import { createRing } from './parts/linked-timers.js'
import { ScannedRings } from './parts/scanned-rings.js'

/** @type {import('./contract.js').QueueMeta} */
export const meta = {
  name: 'coarse-wheel',
  title: 'Wheel that never cascades, late by up to an eighth of the duration',
  complexity: { insert: 'O(1)', cancel: 'O(1)', reschedule: 'O(1)', nextExpiry: 'O(1)', advance: 'O(k) amortised' },
  order: 'none',
  accuracy: { relative: 0.125 },
  source: 'T. Gleixner, "timers: Switch to a non-cascading wheel", Linux 4.8, 2016'
}

/** @typedef {import('./parts/scanned-rings.js').ListTimer} ListTimer */

const SLOTS = 64
const WIDTH_RATIO = 8
const LEVELS = 17
const WIDTHS = Array.from({ length: LEVELS }, (_, level) => WIDTH_RATIO ** level)
/** @param {number} bits not zero */
const lowestBit = bits => 31 - Math.clz32(bits & -bits)

/**
 * The finest level that reaches as far.
 *
 * @param {number} duration
 */
function levelOf (duration) {
  let level = 0
  while (level < LEVELS - 1 && duration >= SLOTS * WIDTHS[level]) level++
  return level
}

/**
 * How many slots further the next occupied one is, round and round; there must be one.
 *
 * @param {number} low  Slots 0 to 31.
 * @param {number} high  Slots 32 to 63.
 * @param {number} slot  Where to begin; itself included.
 */
function distanceToOccupied (low, high, slot) {
  const [here, there] = slot < 32 ? [low, high] : [high, low]
  const shift = slot & 31
  const ahead = here >>> shift
  if (ahead !== 0) return lowestBit(ahead)
  return there !== 0 ? 32 - shift + lowestBit(there) : 64 - shift + lowestBit(here)
}

export class CoarseWheel extends ScannedRings {
  /** The latest now. */
  #time = 0
  /** No overdue timer was due before: too early when that one has left meanwhile. */
  #overdueFrom = Infinity
  /** Every slot that opens until this moment has been opened. */
  #opened = 0
  #slots = Array.from({ length: LEVELS * SLOTS }, createRing)
  /** A bit a slot that may hold timers, two words a level: set when one is put there, cleared when it is found empty. */
  #occupied = new Int32Array(2 * LEVELS)

  /**
   * @override
   * @param {ListTimer} timer
   * @param {number} deadline
   * @param {number} [duration]
   */
  insert (timer, deadline, duration = deadline - this.#time) {
    if (deadline <= this.#time) return this.#insertOverdue(timer, deadline)
    const level = levelOf(duration)
    const slot = Math.ceil(deadline / WIDTHS[level]) % SLOTS
    this.insertAfter(timer, deadline, this.#slots[level * SLOTS + slot].previous)
    this.#occupied[2 * level + (slot >> 5)] |= 1 << slot
  }

  /**
   * @override
   * @param {ListTimer} timer
   * @param {number} deadline
   * @param {number} [duration]
   */
  reschedule (timer, deadline, duration = deadline - this.#time) {
    this.cancel(timer)
    this.insert(timer, deadline, duration)
  }

  nextExpiry () {
    if (this.size === 0) return Infinity
    let earliest = this.#overdueFrom
    for (let level = 0; level < LEVELS; level++) {
      earliest = Math.min(earliest, this.#nextOpening(level, this.#opened))
    }
    return earliest
  }

  /**
   * @param {number} now
   * @param {(timer: ListTimer) => void} expire
   */
  advance (now, expire) {
    // What callbacks start meanwhile is put where it belongs as of now.
    this.#time = Math.max(this.#time, now)
    this.expireRing(this.overdue, this.#time, expire)
    this.#overdueFrom = Infinity
    for (let level = 0; level < LEVELS; level++) this.#openSlots(level, now, expire)
    // Not before all are open: a callback may throw.
    this.#opened = Math.max(this.#opened, now)
  }

  /**
   * @param {ListTimer} timer
   * @param {number} deadline
   */
  #insertOverdue (timer, deadline) {
    this.insertAfter(timer, deadline, this.overdue.previous)
    this.#overdueFrom = Math.min(this.#overdueFrom, deadline)
  }

  /**
   * @param {number} level
   * @param {number} now
   * @param {(timer: ListTimer) => void} expire
   */
  #openSlots (level, now, expire) {
    const last = Math.min(now, this.#opened + SLOTS * WIDTHS[level])
    for (let opening = this.#nextOpening(level, this.#opened); opening <= last; opening = this.#nextOpening(level, opening)) {
      const slot = (opening / WIDTHS[level]) % SLOTS
      const ring = this.#slots[level * SLOTS + slot]
      this.expireRing(ring, now, expire)
      // Timers of a later revolution stay: of the next one, or of any when the clock had run ahead of the latest advance.
      if (ring.next === ring) this.#occupied[2 * level + (slot >> 5)] &= ~(1 << slot)
    }
  }

  /**
   * When the first slot after a moment opens that may hold timers; Infinity when there is none.
   *
   * @param {number} level
   * @param {number} moment
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
