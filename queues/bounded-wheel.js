/**
 * Timer wheel whose slots have room for 16 timers each, with an overflow. Nothing cascades, and no list grows: what a
 * poll may find is limited in advance.
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
 * Levels are those of the coarse wheel: a timer lies in a slot that opens at its deadline or later, and may be late by
 * an eighth of its duration. There are one to eight such slots. A timer takes the first that has room, and if none has,
 * the overflow, an exact binary heap. A refreshed timer stays if its slot is still one of these.
 *
 *   placeOf    by timer: slot and place in it      slots      16 timers by slot
 *   openings   by slot: time when it opens         occupied   a bit for each slot
 *
 *   insert      O(log n)   O(1) while slots have room
 *   cancel      O(log n)   O(1) in a slot: the last timer of the slot takes the place
 *   reschedule  O(log n)   likewise; nothing moves when the slot stays
 *   nextExpiry  O(log d)   for the longest duration d: a look at each level in use. It is never too early
 *   advance     O(k log n) for k expired timers, of which each level's slot holds at most 16
 *
 * Timers fire in no particular order. Limits: a level holds 1024 timers. Thousands of timers of one duration, the usual
 * case in a server, need the same few slots, and nearly all of them are in the heap. The slots take 83 KB, with timers
 * or without. createTimer copies the arrays when they are full.
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
    nextExpiry: 'O(log d)',
    advance: 'O(k log n)'
  },
  order: 'none',
  accuracy: { relative: 0.125 },
  pause: 'bounded',
  source: 'the Rust crate bitwheel (2025)'
}

const SLOTS = 64
const WIDTH_RATIO = 8
const LEVELS = 17
const WIDTHS = Array.from({ length: LEVELS }, (_, level) => WIDTH_RATIO ** level)
/** Share of its duration by which a timer may be late: the slots of its level are as wide at most. */
const LATENESS = 1 / WIDTH_RATIO
const ROOM_BITS = 4
/** Timers of a slot. */
const ROOM = 1 << ROOM_BITS
/** Place of the earliest timer in a binary heap. */
const ROOT = 1

const IDLE = -1
const OVERFLOW = -2
/** Stands for the slot that opens first: none, or not known. */
const NONE = -1
const UNKNOWN = -2

/** @param {number} duration  Its level has the widest slots that are not too wide. */
function levelOf (duration) {
  let level = 0
  while (level < LEVELS - 1 && duration >= SLOTS * WIDTHS[level]) level++
  return level
}

export class BoundedWheel {
  size = 0
  /** The latest `now`. */
  #now = 0
  /** The `now` of the latest advance that has ended: all slots that open until then are empty. */
  #time = 0
  /** Its handles are those of this queue, and it keeps the payloads of all timers. */
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
    const slot = this.#slotWithRoom(deadline, duration)
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
    this.#time = now
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
   * The first slot with room that opens at the deadline or not much later, or NONE.
   *
   * @type {(deadline: number, duration: number) => number}
   */
  #slotWithRoom (deadline, duration) {
    if (deadline <= this.#time) return NONE
    const level = levelOf(duration)
    const width = WIDTHS[level]
    // A level looks 64 slots ahead, so that each slot has one time when it opens.
    const end = Math.min(deadline + LATENESS * duration, (Math.floor(this.#time / width) + SLOTS - 1) * width)
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
      const from = Math.floor(this.#time / WIDTHS[level]) & (SLOTS - 1)
      const [low, high] = [this.#occupied[2 * level], this.#occupied[2 * level + 1]]
      const slot = level * SLOTS + ((from + distanceToOccupied(low, high, from)) & (SLOTS - 1))
      if (this.#openings[slot] < earliest) {
        earliest = this.#openings[slot]
        this.#firstSlot = slot
      }
    }
  }
}
