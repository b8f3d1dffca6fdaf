/**
 * Timer wheel whose slots have room for 16 timers each, with an overflow. Nothing cascades and no slot grows, so a slot
 * never releases more than 16 timers.
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
 * The longer the duration, the coarser the slot. A timer may fire late by up to an eighth of its duration, so one to
 * eight slots suit it. It takes the first that has room. If all are full, it goes to the overflow, a binary heap, which
 * is exact. A rescheduled timer keeps its slot if the slot still suits it.
 *
 *   placeOf    by timer   index in slots, or OVERFLOW or IDLE
 *   slots      by slot    its 16 places
 *   counts     by slot    occupied places
 *   openings   by slot    time when it opens, in milliseconds
 *   occupied              a bit for each slot
 *
 *   insert      O(log n)   O(1) while slots have room
 *   cancel      O(log n)   O(1) in a slot: its last timer takes the place
 *   reschedule  O(log n)   likewise; O(1) when the timer keeps its slot
 *   nextExpiry  O(log n)   a look at each level in use, at most 17, and at the root of the heap; never too early
 *   advance     O(k log n) for k expired timers, at most 16 of them from any one slot
 *
 * Timers fire in no particular order. Limits: a level holds 1024 timers. Servers often have thousands of timers of one
 * duration. These share a few slots, so nearly all of them are in the heap. The slots take 83 KB, occupied or not.
 * createTimer copies the arrays when they are full.
 * Source: the Rust crate bitwheel (2025), for slots of fixed capacity, probing and failover; T. Gleixner, "timers:
 * Switch to a non-cascading wheel", Linux 4.8, 2016, for the levels.
 */

import { BinaryHeap } from './binary-heap.js'
import { distanceToOccupied, lowestBit } from './parts/bits.js'
import { lengthened } from './parts/handles.js'

/** @import { QueueMeta } from './contract.js' */

/** @type {QueueMeta} */
export const meta = {
  name: 'bounded-wheel',
  title: 'Wheel that never cascades, with room for 16 timers a slot and a heap as overflow',
  complexity: {
    insert: 'O(log n)',
    cancel: 'O(log n)',
    reschedule: 'O(log n)',
    nextExpiry: 'O(log n)',
    advance: 'O(k log n)'
  },
  order: 'none',
  accuracy: { relative: 0.125 },
  source: 'the Rust crate bitwheel (2025)'
}

const SLOTS = 64
const WIDTH_RATIO = 8
const LEVELS = 17
/** Width of the slots in milliseconds, by level. */
const WIDTHS = Array.from({ length: LEVELS }, (_, level) => WIDTH_RATIO ** level)
/** Largest lateness, as a share of the duration. No slot of the timer's level is wider. */
const LATENESS = 1 / WIDTH_RATIO
const ROOM_BITS = 4
/** Capacity of a slot, in timers. */
const ROOM = 1 << ROOM_BITS
/** Place of the earliest timer in a binary heap. */
const ROOT = 1

const IDLE = -1
const OVERFLOW = -2
/** Stand for the number of a slot: there is none, or it must be searched for. */
const NONE = -1
const UNKNOWN = -2

export class BoundedWheel {
  size = 0
  /** The latest `now`. */
  #now = 0
  /** Time of the latest advance that has ended: slots that open by then are empty. */
  #completed = 0
  /** Timers that found no room. It has the handles of this queue, and keeps the payloads of all timers. */
  #overflow = new BinaryHeap()
  #deadlines = new Float64Array(64)
  #placeOf = new Int32Array(64).fill(IDLE)

  #slots = new Int32Array(LEVELS * SLOTS * ROOM)
  #counts = new Int32Array(LEVELS * SLOTS)
  #openings = new Float64Array(LEVELS * SLOTS)
  #occupied = new Int32Array((LEVELS * SLOTS) / 32)
  /** One bit per level. */
  #occupiedLevels = 0
  #firstSlot = NONE

  /** @param {unknown} payload */
  createTimer (payload) {
    const timer = this.#overflow.createTimer(payload)
    if (timer === this.#placeOf.length) {
      this.#placeOf = lengthened(this.#placeOf, 2 * timer, IDLE)
      this.#deadlines = lengthened(this.#deadlines, 2 * timer)
    }
    return timer
  }

  /** @param {number} timer */
  releaseTimer (timer) {
    this.#overflow.releaseTimer(timer)
  }

  /** @type {(timer: number, deadline: number, duration?: number) => void} */
  insert (timer, deadline, duration = deadline - this.#now) {
    this.#deadlines[timer] = deadline
    this.size++
    const slot = this.#claimSlot(deadline, duration)
    if (slot === NONE) {
      this.#placeOf[timer] = OVERFLOW
      this.#overflow.insert(timer, deadline)
    } else {
      const place = slot * ROOM + this.#counts[slot]++
      this.#slots[place] = timer
      this.#placeOf[timer] = place
    }
  }

  /** @param {number} timer */
  cancel (timer) {
    const place = this.#placeOf[timer]
    if (place === IDLE) return false
    this.#placeOf[timer] = IDLE
    this.size--
    if (place === OVERFLOW) {
      this.#overflow.cancel(timer)
    } else {
      const slot = place >> ROOM_BITS
      const last = this.#slots[slot * ROOM + --this.#counts[slot]]
      if (last !== timer) {
        this.#slots[place] = last
        this.#placeOf[last] = place
      }
      if (this.#counts[slot] === 0) this.#vacate(slot)
    }
    return true
  }

  /** @type {(timer: number, deadline: number, duration?: number) => void} */
  reschedule (timer, deadline, duration = deadline - this.#now) {
    const place = this.#placeOf[timer]
    if (place >= 0) {
      const opening = this.#openings[place >> ROOM_BITS]
      if (deadline <= opening && opening <= deadline + LATENESS * duration) {
        this.#deadlines[timer] = deadline
        return
      }
    }
    this.cancel(timer)
    this.insert(timer, deadline, duration)
  }

  nextExpiry () {
    return Math.min(this.#firstOpening(), this.#overflow.nextExpiry())
  }

  /** @type {(now: number, expire: (timer: number) => void) => void} */
  advance (now, expire) {
    this.#now = now
    const overflow = this.#overflow
    while (overflow.nextExpiry() <= now) this.#fire(overflow.timers[ROOT], expire)
    while (this.#firstOpening() <= now) {
      const slot = this.#firstSlot
      this.#fire(this.#slots[slot * ROOM + this.#counts[slot] - 1], expire)
    }
    this.#completed = now
  }

  /** @param {number} timer */
  deadlineOf (timer) {
    return this.#deadlines[timer]
  }

  /** @param {number} timer */
  payloadOf (timer) {
    return this.#overflow.payloadOf(timer)
  }

  /** @param {number} timer */
  isPending (timer) {
    return this.#placeOf[timer] !== IDLE
  }

  /** @type {(timer: number, expire: (timer: number) => void) => void} */
  #fire (timer, expire) {
    this.cancel(timer)
    expire(timer)
  }

  /**
   * Finds the first slot with room that suits a timer, and marks it as occupied; NONE if all are full.
   *
   * @type {(deadline: number, duration: number) => number}
   */
  #claimSlot (deadline, duration) {
    if (deadline <= this.#completed) return NONE
    const level = levelOf(duration)
    const width = WIDTHS[level]
    const end = Math.min(
      deadline + LATENESS * duration,
      // Nothing is placed 64 or more slots ahead, so each slot has one time when it opens.
      (Math.floor(this.#completed / width) + SLOTS - 1) * width,
      // Beyond, adding a millisecond leaves a number as it is, and the search would not end.
      Number.MAX_SAFE_INTEGER
    )
    for (let opening = Math.ceil(deadline / width) * width; opening <= end; opening += width) {
      const slot = level * SLOTS + ((opening / width) & (SLOTS - 1))
      if (this.#counts[slot] === ROOM) continue
      if (this.#counts[slot] === 0) this.#occupy(slot, opening)
      return slot
    }
    return NONE
  }

  /** @type {(slot: number, opening: number) => void} */
  #occupy (slot, opening) {
    this.#openings[slot] = opening
    this.#occupied[slot >> 5] |= 1 << slot
    this.#occupiedLevels |= 1 << (slot / SLOTS)
    const first = this.#firstSlot
    if (first === NONE || (first !== UNKNOWN && opening < this.#openings[first])) this.#firstSlot = slot
  }

  /** @param {number} slot */
  #vacate (slot) {
    const word = slot >> 5
    this.#occupied[word] &= ~(1 << slot)
    if ((this.#occupied[word] | this.#occupied[word ^ 1]) === 0) this.#occupiedLevels &= ~(1 << (slot / SLOTS))
    if (slot === this.#firstSlot) this.#firstSlot = UNKNOWN
  }

  #firstOpening () {
    if (this.#firstSlot === UNKNOWN) this.#findFirstSlot()
    return this.#firstSlot === NONE ? Infinity : this.#openings[this.#firstSlot]
  }

  #findFirstSlot () {
    let earliest = Infinity
    this.#firstSlot = NONE
    for (let levels = this.#occupiedLevels; levels !== 0; levels &= levels - 1) {
      const level = lowestBit(levels)
      const from = Math.floor(this.#completed / WIDTHS[level]) & (SLOTS - 1)
      const [low, high] = [this.#occupied[2 * level], this.#occupied[2 * level + 1]]
      const slot = level * SLOTS + ((from + distanceToOccupied(low, high, from)) & (SLOTS - 1))
      if (this.#openings[slot] < earliest) {
        earliest = this.#openings[slot]
        this.#firstSlot = slot
      }
    }
  }
}

/**
 * The finest level whose slots reach this far.
 *
 * @param {number} duration  Milliseconds.
 */
function levelOf (duration) {
  let level = 0
  while (level < LEVELS - 1 && duration >= SLOTS * WIDTHS[level]) level++
  return level
}
