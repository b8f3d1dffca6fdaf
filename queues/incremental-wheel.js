/**
 * Incremental timer wheel: a lazy wheel that cascades a few timers at a time, before they are due, so that no single call is
 * long.
 *
 *   level   slot width   emptied in the   reaches
 *   0       1 ms                          4 s, at most 8
 *   1       4 s          4 s before       70 min
 *   2       70 min       70 min before    25 days
 *   3       25 days      25 days before   35 years
 *   4, 5    35 years, ...                 past Number.MAX_SAFE_INTEGER
 *
 * Every ring is twice as long as in other wheels: it holds the slots of the present slot of the level above, and those of the
 * next one. So that next slot can be emptied all the time before it opens: while time passes through slot 7 of level 1, the
 * timers of slot 8 move to level 0, and whatever starts with such a deadline goes there directly. When time enters slot 8,
 * the slot is empty.
 *
 * Moving n timers takes n / 64 steps, or one every millisecond where that is not enough. They are spread evenly over the
 * time that there is; nextExpiry asks to be woken for each. As in the lazy wheel, a timer that is moved later or cancelled
 * stays where it is until its slot is emptied, and a timer is a small integer: 16 bytes and the reference to its payload.
 *
 *   insert      O(1)
 *   cancel      O(1)
 *   reschedule  O(1)
 *   nextExpiry  O(1)   the time of the next step, if nothing is due before
 *   advance     O(k) amortised for k expired timers
 *
 * The longest pause: besides the timers that fire, an advance of one millisecond moves at most 64 timers for every level, or
 * n / 4096 if that is more (244 of a million, when all of them are due within the same four seconds), and 128 that were left in
 * the slot of that millisecond. This holds if the queue is advanced whenever nextExpiry asks for it. An advance that comes m
 * milliseconds late makes up for m milliseconds. Not bounded: createTimer copies all timers when their arrays are full, and a
 * timer already overdue when started is sorted in among the other overdue timers.
 *
 * Timers fire by deadline; ties in any order.
 * Source: scheme 7 of Varghese and Lauck, SOSP 1987. Others avoid the cascade in other ways: Linux has fired late instead since
 * 4.8 (T. Gleixner, "timers: Switch to a non-cascading wheel", 2016), nexus-timer moves a limited number of timers per poll.
 */

import { Handles, lengthened } from './parts/handles.js'

/** @type {import('./contract.js').QueueMeta} */
export const meta = {
  name: 'incremental-wheel',
  title: 'Lazy timer wheel that cascades a few timers at a time, so that no call is long',
  complexity: { insert: 'O(1)', cancel: 'O(1)', reschedule: 'O(1)', nextExpiry: 'O(1)', advance: 'O(k) amortised' },
  order: 'deadline',
  accuracy: 'exact',
  pause: 'bounded',
  source: 'Varghese and Lauck, SOSP 1987, scheme 7, with lazy updates and incremental cascades'
}

/** Bits of a deadline that name the slot of a level; each ring has one bit more. */
const BITS = [12, 10, 9, 9, 9, 9]
const LEVELS = BITS.length
const SHIFTS = BITS.map((_, level) => BITS.slice(0, level).reduce((sum, bits) => sum + bits, 0))
const WIDTHS = SHIFTS.map(shift => 2 ** shift)
const RINGS = BITS.map(bits => 2 << bits)
/** Slots of all levels are numbered in one row. */
const BASES = RINGS.map((_, level) => RINGS.slice(0, level).reduce((sum, ring) => sum + ring, 0))
const SLOTS = BASES[LEVELS - 1] + RINGS[LEVELS - 1]
/** Bitwise operators see 32 bits of a deadline: those of these levels. */
const LEVELS_IN_32_BITS = 3
const MASK_0 = RINGS[0] - 1
const MASK_1 = RINGS[1] - 1
const MASK_2 = RINGS[2] - 1
/** Each of them is 32 words of 32 slots. */
const GROUP_BITS = 10
const LEVEL_OF_GROUP = RINGS.flatMap((ring, level) => new Array(ring >> GROUP_BITS).fill(level))

/** Timers moved in one step: ten microseconds, if each is a cache miss. */
const STEP = 64
/** In a slot of a millisecond that more timers have entered than this, none is left behind: see #lazyFrom. */
const CROWD = 128
/** Cancelled timers may be this many times as many as pending ones, and some more, before they are looked for. */
const CANCELLED_PER_PENDING = 64
const CANCELLED_ALLOWED = 1024
/** Handles looked at in search of cancelled timers. */
const SWEEP = 256

/** In the long run each timer is copied four times; at worst a fifth of the memory is unused. */
const GROWTH = 1.25

const NONE = -1
/** Stands for the first due time when that must be looked for. */
const UNKNOWN = -1
/** Stands for the deadline of an idle timer that is in no slot. One still in its slot has cancelled(deadline). */
const UNLINKED = -Infinity

/**
 * Its own inverse. Never a deadline, since deadlines are not negative.
 *
 * @param {number} deadline
 */
const cancelled = deadline => -1 - deadline

/** @param {number} bits not zero */
const lowestBit = bits => 31 - Math.clz32(bits & -bits)

export class IncrementalWheel {
  size = 0
  #time = 0
  /** When the present slot of level 1 ends. */
  #blockEnd = 0
  /** By level: earlier deadlines lie there or on a lower level. */
  #limits = new Float64Array(LEVELS).fill(Infinity)
  /**
   * A timer with a later deadline stays where it is when it is moved or cancelled. Usually the present time; while a slot of
   * level 0 is crowded, the end of level 0, so that few of the crowd are left there.
   */
  #lazyFrom = 0
  #crowdedSlots = 0

  #handles = new Handles()
  /** Four numbers a timer: next, previous, and the bytes of its deadline. For the first of a slot, `previous` is ~slot. */
  #links = new Int32Array(4 * 64)
  #deadlines = new Float64Array(this.#links.buffer)
  /** Timers in slots, cancelled ones included. */
  #linked = 0
  /** The next handle to look at for a cancelled timer. */
  #swept = 0
  /** Deadline of the timer that fired last: expire may ask for it, and a timer in no slot cannot keep it. */
  #firedDeadline = 0

  /** Two numbers a slot: its first timer, and how many have entered it since it was empty. */
  #slots = new Int32Array(2 * SLOTS)
  /** One bit per slot; and one bit for each non-empty word of those. */
  #occupied = new Int32Array(SLOTS >> 5)
  #occupiedWords = new Int32Array(SLOTS >> GROUP_BITS)
  /** When the first occupied slot of level 0 is due, or an overdue timer was. Too early when that timer has left. */
  #firstDue = Infinity
  /** By level: when the next timers move to lower levels, how many, and the time from one step to the next. */
  #steps = new Float64Array(LEVELS).fill(Infinity)
  #stepSizes = new Float64Array(LEVELS)
  #periods = new Float64Array(LEVELS)
  #nextStep = Infinity

  constructor () {
    for (let slot = 0; slot < SLOTS; slot++) this.#slots[2 * slot] = NONE
    this.#setTime(0)
  }

  /** @param {unknown} payload */
  createTimer (payload) {
    const timer = this.#handles.take(payload)
    if (4 * timer === this.#links.length) this.#grow()
    this.#deadlines[2 * timer + 1] = UNLINKED
    return timer
  }

  /** @param {number} timer */
  releaseTimer (timer) {
    if (this.#deadlines[2 * timer + 1] !== UNLINKED) this.#drop(timer)
    this.#handles.release(timer)
  }

  /**
   * @param {number} timer
   * @param {number} deadline
   */
  insert (timer, deadline) {
    const last = this.#deadlines[2 * timer + 1]
    this.#deadlines[2 * timer + 1] = deadline
    this.size++
    if (cancelled(last) <= deadline) return
    if (last === UNLINKED) this.#linked++
    else this.#unlink(timer)
    this.#link(timer, deadline)
  }

  /** @param {number} timer */
  cancel (timer) {
    const deadline = this.#deadlines[2 * timer + 1]
    if (deadline < 0) return false
    this.size--
    if (deadline > this.#lazyFrom) this.#deadlines[2 * timer + 1] = cancelled(deadline)
    else this.#drop(timer)
    this.#limitCancelled()
    return true
  }

  /**
   * @param {number} timer
   * @param {number} deadline
   */
  reschedule (timer, deadline) {
    const last = this.#deadlines[2 * timer + 1]
    if (last < 0) return this.insert(timer, deadline)
    this.#deadlines[2 * timer + 1] = deadline
    if (last <= deadline && last > this.#lazyFrom) return
    this.#unlink(timer)
    this.#link(timer, deadline)
  }

  nextExpiry () {
    return this.size === 0 ? Infinity : this.#nextEvent()
  }

  /**
   * @param {number} now
   * @param {(timer: number) => void} expire
   */
  advance (now, expire) {
    for (let event = this.#nextEvent(); event <= now; event = this.#nextEvent()) {
      if (event > this.#time) this.#setTime(event)
      if (this.#nextStep <= this.#time) this.#moveSome()
      else this.#expireFirst(now, expire)
    }
    if (now > this.#time) this.#setTime(now)
  }

  /** @param {number} timer */
  deadlineOf (timer) {
    const deadline = this.#deadlines[2 * timer + 1]
    if (deadline >= 0) return deadline
    return deadline === UNLINKED ? this.#firedDeadline : cancelled(deadline)
  }

  /** @param {number} timer */
  payloadOf (timer) {
    return this.#handles.payloadOf(timer)
  }

  /** @param {number} timer */
  isPending (timer) {
    return this.#deadlines[2 * timer + 1] >= 0
  }

  /** @param {number} now */
  #setTime (now) {
    this.#time = now
    if (now >= this.#blockEnd) this.#setLimits(now)
    this.#lazyFrom = this.#crowdedSlots === 0 ? now : this.#limits[0] - 1
  }

  /** @param {number} now */
  #setLimits (now) {
    for (let level = 1; level < LEVELS; level++) {
      const width = WIDTHS[level]
      this.#limits[level - 1] = (Math.floor(now / width) + 2) * width
    }
    this.#blockEnd = this.#limits[0] - WIDTHS[1]
  }

  #nextEvent () {
    if (this.#firstDue === UNKNOWN) this.#findFirstDue()
    return this.#firstDue < this.#nextStep ? this.#firstDue : this.#nextStep
  }

  #findFirstDue () {
    const slot = this.#time & MASK_0
    const distance = this.#distanceFrom(0, slot)
    this.#firstDue = this.#time + distance
    if (distance > 0) return
    // Overdue timers lie in the slot of the present, the earliest first.
    const deadline = this.#deadlines[2 * this.#slots[2 * slot] + 1]
    if (deadline >= 0 && deadline < this.#time) this.#firstDue = deadline
  }

  /**
   * Expires the first timer in the slot of the present, or moves it to where it belongs by now.
   *
   * @param {number} now
   * @param {(timer: number) => void} expire
   */
  #expireFirst (now, expire) {
    const timer = this.#slots[2 * (this.#time & MASK_0)]
    const deadline = this.#deadlines[2 * timer + 1]
    if (deadline < 0) return this.#drop(timer)
    if (deadline > this.#time) {
      this.#unlink(timer)
      return this.#link(timer, deadline)
    }
    // An overdue timer, and time seems to go backwards: the caller follows nextExpiry into the past.
    if (deadline > now) {
      this.#firstDue = deadline
      return
    }
    this.#drop(timer)
    this.size--
    this.#limitCancelled()
    this.#firedDeadline = deadline
    expire(timer)
  }

  #moveSome () {
    this.#nextStep = Infinity
    for (let level = 1; level < LEVELS; level++) {
      if (this.#steps[level] <= this.#time) this.#moveSomeOf(level)
    }
    // Moving may have added steps to lower levels.
    this.#nextStep = Math.min(...this.#steps)
  }

  /**
   * Moves some timers out of the slot that opens next. Cancelled timers leave.
   *
   * @param {number} level
   */
  #moveSomeOf (level) {
    const width = WIDTHS[level]
    const present = Math.floor(this.#steps[level] / width)
    const slot = BASES[level] + ((present + 1) & (RINGS[level] - 1))
    if (this.#steps[level] === present * width) {
      const entered = this.#slots[2 * slot + 1]
      this.#stepSizes[level] = Math.max(STEP, Math.ceil(entered / width))
      // The last step comes before the slot opens.
      this.#periods[level] = Math.floor(this.#stepSizes[level] * width / entered)
    }
    let timer = this.#slots[2 * slot]
    for (let left = this.#stepSizes[level]; left > 0 && timer !== NONE; left--) {
      const next = this.#links[4 * timer]
      const deadline = this.#deadlines[2 * timer + 1]
      if (deadline < 0) {
        this.#deadlines[2 * timer + 1] = UNLINKED
        this.#linked--
      } else {
        this.#link(timer, deadline)
      }
      timer = next
    }
    this.#slots[2 * slot] = timer
    if (timer === NONE) {
      this.#vacate(slot)
      const distance = this.#distanceFrom(level, (present + 2) & (RINGS[level] - 1))
      this.#steps[level] = (present + 1 + distance) * width
    } else {
      this.#links[4 * timer + 1] = ~slot
      this.#steps[level] += this.#periods[level]
    }
  }

  /**
   * How many slots lie before the next occupied one, going round the ring; Infinity where none is occupied.
   *
   * @param {number} level
   * @param {number} index  Of a slot in the ring, the first to look at.
   */
  #distanceFrom (level, index) {
    const slot = BASES[level] + index
    let word = slot >> 5
    let bits = this.#occupied[word] & (-1 << slot)
    if (bits === 0) {
      let group = slot >> GROUP_BITS
      let words = this.#occupiedWords[group] & (-2 << word)
      const groups = RINGS[level] >> GROUP_BITS
      const last = (BASES[level] >> GROUP_BITS) + groups - 1
      for (let i = 0; words === 0; i++) {
        if (i === groups) return Infinity
        group = group === last ? last - groups + 1 : group + 1
        words = this.#occupiedWords[group]
      }
      word = (group << 5) + lowestBit(words)
      bits = this.#occupied[word]
    }
    return ((word << 5) + lowestBit(bits) - slot) & (RINGS[level] - 1)
  }

  /** @param {number} deadline */
  #slotOf (deadline) {
    if (deadline < this.#limits[0]) return deadline & MASK_0
    if (deadline < this.#limits[1]) return BASES[1] + ((deadline >>> SHIFTS[1]) & MASK_1)
    if (deadline < this.#limits[2]) return BASES[2] + ((deadline >>> SHIFTS[2]) & MASK_2)
    let level = LEVELS_IN_32_BITS
    while (deadline >= this.#limits[level]) level++
    return BASES[level] + (Math.floor(deadline / WIDTHS[level]) & (RINGS[level] - 1))
  }

  /**
   * @param {number} timer
   * @param {number} deadline
   */
  #link (timer, deadline) {
    if (deadline <= this.#time) return this.#linkOverdue(timer, deadline)
    const slot = this.#slotOf(deadline)
    const next = this.#slots[2 * slot]
    this.#slots[2 * slot] = timer
    this.#links[4 * timer] = next
    this.#links[4 * timer + 1] = ~slot
    if (next === NONE) this.#occupy(slot, deadline)
    else this.#links[4 * next + 1] = timer
    if (++this.#slots[2 * slot + 1] === CROWD && slot < RINGS[0]) {
      this.#crowdedSlots++
      this.#lazyFrom = this.#limits[0] - 1
    }
  }

  /**
   * Overdue timers come first in the slot of the present, sorted. Cancelling or moving one always unlinks it.
   *
   * @param {number} timer
   * @param {number} deadline
   */
  #linkOverdue (timer, deadline) {
    const slot = this.#time & MASK_0
    let previous = ~slot
    let next = this.#slots[2 * slot]
    while (next !== NONE && this.#deadlines[2 * next + 1] >= 0 && this.#deadlines[2 * next + 1] < deadline) {
      previous = next
      next = this.#links[4 * next]
    }
    this.#links[4 * timer] = next
    this.#links[4 * timer + 1] = previous
    if (next !== NONE) this.#links[4 * next + 1] = timer
    if (previous >= 0) {
      this.#links[4 * previous] = timer
    } else {
      this.#slots[2 * slot] = timer
      if (deadline < this.#firstDue) this.#firstDue = deadline
      if (next === NONE) this.#occupy(slot, deadline)
    }
  }

  /** @param {number} timer */
  #unlink (timer) {
    const next = this.#links[4 * timer]
    const previous = this.#links[4 * timer + 1]
    if (next !== NONE) this.#links[4 * next + 1] = previous
    if (previous >= 0) {
      this.#links[4 * previous] = next
    } else {
      this.#slots[2 * ~previous] = next
      if (next === NONE) this.#vacate(~previous)
    }
  }

  /** @param {number} timer */
  #drop (timer) {
    this.#unlink(timer)
    this.#deadlines[2 * timer + 1] = UNLINKED
    this.#linked--
  }

  /**
   * @param {number} slot
   * @param {number} deadline  Of its first timer.
   */
  #occupy (slot, deadline) {
    this.#occupied[slot >> 5] |= 1 << slot
    this.#occupiedWords[slot >> GROUP_BITS] |= 1 << (slot >> 5)
    if (slot < RINGS[0]) {
      if (deadline < this.#firstDue) this.#firstDue = deadline
      return
    }
    const level = LEVEL_OF_GROUP[slot >> GROUP_BITS]
    const width = WIDTHS[level]
    const firstStep = (Math.floor(deadline / width) - 1) * width
    if (firstStep < this.#steps[level]) this.#steps[level] = firstStep
    if (firstStep < this.#nextStep) this.#nextStep = firstStep
  }

  /** @param {number} slot */
  #vacate (slot) {
    this.#occupied[slot >> 5] &= ~(1 << slot)
    if (this.#occupied[slot >> 5] === 0) this.#occupiedWords[slot >> GROUP_BITS] &= ~(1 << (slot >> 5))
    const entered = this.#slots[2 * slot + 1]
    this.#slots[2 * slot + 1] = 0
    if (slot >= RINGS[0]) return
    this.#firstDue = UNKNOWN
    if (entered >= CROWD) this.#crowdedSlots--
  }

  /**
   * A cancelled timer leaves when its slot is emptied. But nobody wakes an empty queue: once time had passed, one advance would
   * have to drop all that are left. So when few timers are pending, every one that goes takes some cancelled ones along.
   */
  #limitCancelled () {
    if (this.#linked <= CANCELLED_PER_PENDING * this.size + CANCELLED_ALLOWED) return
    for (let i = 0; i < SWEEP; i++) {
      const deadline = this.#deadlines[2 * this.#swept + 1]
      if (deadline < 0 && deadline !== UNLINKED) this.#drop(this.#swept)
      this.#swept = this.#swept + 1 === this.#deadlines.length / 2 ? 0 : this.#swept + 1
    }
  }

  #grow () {
    this.#links = lengthened(this.#links, 4 * Math.ceil(this.#links.length / 4 * GROWTH))
    this.#deadlines = new Float64Array(this.#links.buffer)
  }
}
