/**
 * Incremental timer wheel: a lazy wheel that cascades a few timers at a time, before they are due, so that no single call is
 * long.
 *
 *   level   slot width   emptied in the   reaches
 *   0       1 ms                          256 ms, at most 512
 *   1       256 ms       256 ms before    131 s
 *   2       66 s         66 s before      9 h
 *   3       4.7 h        4.7 h before     12 days
 *   4       6 days       6 days before    8 years
 *   5, 6    4 years, ... 4 years before   past Number.MAX_SAFE_INTEGER
 *
 * Every ring is twice as long as in other wheels, so a slot can be emptied all the time before it opens: while time passes
 * through slot 7 of level 1, the timers of slot 8 move to level 0, and whatever starts with such a deadline goes there
 * directly. When time enters slot 8, the slot is empty.
 *
 * Moving n timers takes n / 256 steps, or one every millisecond where that is not enough. They are spread evenly over the
 * time that there is; nextExpiry asks to be woken for each.
 *
 * As in the lazy wheel, a timer that is moved later or cancelled stays where it is until its slot is emptied; one that must
 * move earlier is pushed onto another slot and leaves a stale entry behind, which no longer agrees with the timer's opening; a
 * slot is a stack of timers in blocks of 16 elements, of which the first is the place of the entry below; and times on the hot
 * path are offsets from the start of a span of 2^30 ms. A slot is never swept as a whole: where there are many stale entries,
 * a timer that leaves one behind looks at the next four of the wheel, and takes out those that are stale.
 *
 * When a span ends, no timer is touched: what is stored has the bit 2^30 of the deadline, and `flip` says what that bit means
 * in the present span. A timer is 8 bytes, about 4 for its entry (up to 11 where many are stale, more with few timers), and the
 * reference to its payload:
 *
 *   fields   [timer] deadline, ~deadline while idle     [timer + 1] opening of the slot that holds its entry
 *
 *   insert      O(1)
 *   cancel      O(1)
 *   reschedule  O(1)
 *   nextExpiry  O(1)   the time of the next step, if nothing is due before
 *   advance     O(k) amortised for k expired timers
 *
 * The longest pause: besides the timers that fire, an advance of one millisecond takes out at most 256 entries for every level,
 * or for level 1 a 256th of the entries in the slot that opens next, if that is more (3907 of a million when all of them have
 * been due within the same quarter of a second), and of those left in the slot of that millisecond about as many as timers
 * fire, and 105. This holds if the queue is advanced whenever nextExpiry asks for it. An advance that comes m milliseconds late
 * makes up for m milliseconds. Not bounded: createTimer copies all timers when their arrays are full, a call that needs a new
 * block copies all entries when theirs is full, a timer already overdue when started is sorted in among the other overdue
 * timers, and a timer that leaves a crowd of the same millisecond again and again, and comes back, has an entry there for
 * each time.
 *
 * Timers fire by deadline; ties in any order.
 * Source: scheme 7 of Varghese and Lauck, SOSP 1987. Others avoid the cascade in other ways: Linux has fired late instead since
 * 4.8 (T. Gleixner, "timers: Switch to a non-cascading wheel", 2016), nexus-timer moves a limited number of timers per poll.
 */

import { lengthened } from './parts/handles.js'

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

/** Of each level: how many bits of a deadline lie below those that name its slot. */
const SHIFTS = [0, 8, 16, 24, 29, 37, 45]
const DEADLINE_BITS = 53
const LEVELS = SHIFTS.length
const WIDTHS = SHIFTS.map(shift => 2 ** shift)
const RINGS = SHIFTS.map((shift, level) => 2 << ((SHIFTS[level + 1] ?? DEADLINE_BITS) - shift))
/** Slots of all levels are numbered in one row. */
const BASES = RINGS.map((_, level) => RINGS.slice(0, level).reduce((sum, ring) => sum + ring, 0))
const SLOTS = BASES[LEVELS - 1] + RINGS[LEVELS - 1]

/** Slots of level 0, which are the first ones, and of each near level but the last. */
const RING = RINGS[0]
const LAST_NEAR_RING = RINGS[3]
/** Width of a slot of level 1. */
const WIDTH = WIDTHS[1]

/** Deadlines less than a span away lie on these levels; their times are offsets of 31 bits. */
const NEAR_LEVELS = 4
const NEAR_SLOTS = BASES[NEAR_LEVELS]
const SPAN = 2 ** 30
/** Stands for the next event when it is so far away that it has no offset. */
const NEVER = 2 ** 31 - 1
/** Stands for the next event when it must be looked for, or when a timer is overdue: any time has come then. */
const UNKNOWN = -1

/** Entries taken out of a slot in one step: forty microseconds, if each timer is a cache miss. */
const STEP = 256
const BLOCK = 16
const ENTRIES_PER_BLOCK = BLOCK - 1
/** A slot of level 0 is crowded when it has this many blocks: see `shortWayEnd`. */
const CROWD = 8
/** Entries that a timer looks at when it leaves one behind in a crowd, or where there are many. */
const STALE_SWEEP = 4
/** As many blocks are allowed for each timer; and one for each timer up to a number, since a slot may have few entries. */
const BLOCKS_PER_TIMER = 1 / 6
const BLOCKS_ALLOWED = 512
/** Entries may be this many times as many as pending timers, and some more, before those of cancelled ones are looked for. */
const CANCELLED_PER_PENDING = 32
const CANCELLED_ALLOWED = 1024
/** Entries looked at in search of cancelled timers. Twice as many as may be there, so that the search comes to an end. */
const CANCELLED_SWEEP = 2 * CANCELLED_PER_PENDING

/** In the long run each timer is copied eight times; at worst a ninth of the memory is unused. */
const GROWTH = 1.125

const NONE = -1
/** Stands for the opening of a timer that has no entry. */
const UNLINKED = -1
/** Openings from here down say in which span the deadline of a timer lies that is outside the near levels, or overdue. */
const FAR = -2

/** @param {number} bits not zero */
const lowestBit = bits => 31 - Math.clz32(bits & -bits)

/** @param {number} slot */
function levelOf (slot) {
  let level = 0
  while (level < LEVELS - 1 && slot >= BASES[level + 1]) level++
  return level
}

/**
 * @param {number} level
 * @param {number} deadline
 */
const slotOfFar = (level, deadline) => BASES[level] + (Math.floor(deadline / WIDTHS[level]) & (RINGS[level] - 1))

/** What is not in the contract is public for speed only, as in the lazy wheel. */
export class IncrementalWheel {
  size = 0
  /** The wheel's time is `spanStart + clock`: no slot before it is occupied. */
  spanStart = 0
  clock = 0
  /** In every other span the bit in which stored times differ from offsets. */
  flip = 0
  /** The present slot of level 1. */
  blockStart = 0
  blockEnd = 0
  /** Offset of the next event: a slot of level 0 opens, or timers move to lower levels. It may have become needless. */
  nextEvent = NEVER
  /**
   * A timer whose slot opens in time stays where it is when it is moved to an offset below this: the end of the near
   * levels, or 0 while a slot of level 0 is crowded. Then those of the crowd leave it at once.
   */
  shortWayEnd = 0
  /** When fewer are pending, or always while a slot is crowded, cancelling a timer does more than to mark it. */
  carefulBelow = 0
  crowdedSlots = 0

  fields = new Int32Array(2 * 64)
  /** Of a released handle, the next released one. @type {any[]} */
  payloads = []
  released = NONE

  /** Place of the uppermost entry of each slot. */
  tops = new Int32Array(SLOTS).fill(NONE)
  /** Blocks of each slot, and of all. */
  heights = new Int32Array(SLOTS)
  blocks = 0
  /** When there are more, stale entries are looked for. */
  blocksAllowed = 0
  /** Of each slot, the place to look at next for a stale entry, or NONE for the uppermost. */
  cursors = new Int32Array(SLOTS).fill(NONE)
  /** The slot to look into next. */
  sweptSlot = 0
  entries = new Int32Array(BLOCK * 8)
  freeBlock = NONE
  blocksEnd = 0
  /** One bit per slot. */
  occupied = new Int32Array(SLOTS >> 5)

  /** By level: when the next timers move to lower levels, how many, and the time from one step to the next. */
  steps = new Float64Array(LEVELS).fill(Infinity)
  stepSizes = new Float64Array(LEVELS)
  periods = new Float64Array(LEVELS)
  nextStep = Infinity
  /** Timers of one step. */
  moving = new Int32Array(STEP)

  /** Timers overdue when started, the earliest last. Those moved or cancelled since then are skipped. @type {{timer: number, deadline: number}[]} */
  #overdue = []

  constructor () {
    this.enterBlock(0)
  }

  /** @param {unknown} payload */
  createTimer (payload) {
    let index = this.released
    if (index === NONE) {
      index = this.payloads.length
      if (2 * index === this.fields.length) this.grow()
      this.fields[2 * index] = ~0
      this.fields[2 * index + 1] = UNLINKED
    } else {
      this.released = this.payloads[index]
    }
    this.payloads[index] = payload
    return 2 * index
  }

  /** @param {number} timer */
  releaseTimer (timer) {
    this.payloads[timer >> 1] = this.released
    this.released = timer >> 1
  }

  /**
   * @param {number} timer
   * @param {number} deadline
   */
  insert (timer, deadline) {
    const offset = deadline - this.spanStart
    this.size++
    if (((this.fields[timer + 1] ^ this.flip) >>> 0) <= offset && offset < this.shortWayEnd) this.fields[timer] = offset ^ this.flip
    else this.move(timer, deadline)
  }

  /** @param {number} timer */
  cancel (timer) {
    const stored = this.fields[timer]
    if (stored < 0) return false
    this.fields[timer] = ~stored
    if (--this.size < this.carefulBelow) this.cancelCarefully(timer)
    return true
  }

  /**
   * @param {number} timer
   * @param {number} deadline
   */
  reschedule (timer, deadline) {
    const fields = this.fields
    const offset = deadline - this.spanStart
    if (fields[timer] < 0) this.size++
    if (((fields[timer + 1] ^ this.flip) >>> 0) <= offset && offset < this.shortWayEnd) fields[timer] = offset ^ this.flip
    else this.move(timer, deadline)
  }

  nextExpiry () {
    if (this.size === 0) return Infinity
    if (this.nextEvent === UNKNOWN) this.findNextEvent()
    if (this.nextEvent === UNKNOWN) return this.#overdue[this.#overdue.length - 1].deadline
    return this.nextEvent === NEVER ? this.nextStep : this.spanStart + this.nextEvent
  }

  /**
   * @param {number} now
   * @param {(timer: number) => void} expire
   */
  advance (now, expire) {
    if (this.nextEvent <= now - this.spanStart) this.passEvents(now, expire)
    if (now - this.spanStart > this.clock) this.setTime(now)
  }

  /** @param {number} timer */
  deadlineOf (timer) {
    const stored = this.fields[timer] < 0 ? ~this.fields[timer] : this.fields[timer]
    const opening = this.fields[timer + 1]
    return opening <= FAR ? (FAR - opening) * SPAN + stored : this.spanStart + (stored ^ this.flip)
  }

  /** @param {number} timer */
  payloadOf (timer) {
    return this.payloads[timer >> 1]
  }

  /** @param {number} timer */
  isPending (timer) {
    return this.fields[timer] >= 0
  }

  /** @param {number} now */
  setTime (now) {
    if (now - this.spanStart >= this.blockEnd) this.enterBlock(now)
    else this.clock = (now - this.spanStart) | 0
  }

  /** @param {number} now */
  enterBlock (now) {
    if (now - this.spanStart >= SPAN) {
      this.spanStart = Math.floor(now / SPAN) * SPAN
      this.flip = now % (2 * SPAN) < SPAN ? 0 : SPAN
      this.nextEvent = UNKNOWN
    }
    this.clock = (now - this.spanStart) | 0
    this.blockStart = this.clock & -WIDTH
    this.blockEnd = this.blockStart + WIDTH
    this.limitShortWay()
  }

  limitShortWay () {
    const isCrowded = this.crowdedSlots > 0
    const timers = this.fields.length / 2
    this.shortWayEnd = isCrowded ? 0 : this.blockStart + SPAN
    this.blocksAllowed = Math.ceil(timers * BLOCKS_PER_TIMER) + Math.min(timers, BLOCKS_ALLOWED)
    const entries = this.blocksAllowed * ENTRIES_PER_BLOCK
    this.carefulBelow = isCrowded ? NEVER : Math.ceil((entries - CANCELLED_ALLOWED) / CANCELLED_PER_PENDING) | 0
  }

  /**
   * Gives a timer its deadline, and another entry if its slot opens too late or is crowded.
   *
   * @param {number} timer
   * @param {number} deadline
   */
  move (timer, deadline) {
    const fields = this.fields
    const offset = deadline - this.spanStart
    if (offset >= this.clock && offset - this.blockStart < SPAN) {
      // Timers outside a crowd stay where they are.
      if (((fields[timer + 1] ^ this.flip) >>> 0) <= offset && this.crowdOf(timer) === NONE) {
        fields[timer] = offset ^ this.flip
        return
      }
      this.leave(timer)
      this.linkNear(timer, offset)
    } else {
      this.leave(timer)
      if (offset < this.clock) this.addOverdue(timer, deadline)
      else this.linkFar(timer, deadline)
    }
  }

  /**
   * Makes a timer's entry stale, if it has one. Where there are many, it looks for some that it can take out.
   *
   * @param {number} timer
   */
  leave (timer) {
    if (this.fields[timer + 1] === UNLINKED) return
    const crowd = this.crowdOf(timer)
    this.fields[timer + 1] = UNLINKED
    if (crowd !== NONE) this.sweepSlot(crowd, STALE_SWEEP)
    if (this.blocks > this.blocksAllowed) this.sweep(STALE_SWEEP)
  }

  /**
   * The crowded slot that the timer is in, or NONE. While timers move on from a slot of level 1 that opens at the same time as a
   * crowded one of level 0, they are taken for a part of the crowd.
   *
   * @param {number} timer
   */
  crowdOf (timer) {
    if (this.crowdedSlots === 0) return NONE
    const opening = (this.fields[timer + 1] ^ this.flip) >>> 0
    if (opening - this.blockStart >= RING) return NONE
    const slot = opening & (RING - 1)
    return this.heights[slot] < CROWD ? NONE : slot
  }

  /**
   * @param {number} timer
   * @param {number} offset
   */
  linkNear (timer, offset) {
    // Eight bits a level, and one more since rings are twice as long.
    const level = (30 - Math.clz32((offset - this.blockStart) | 2)) >> 3
    const shift = level * 8
    this.fields[timer] = offset ^ this.flip
    this.fields[timer + 1] = ((offset >> shift) << shift) ^ this.flip
    this.push(level * RING + ((offset >> shift) & (level === NEAR_LEVELS - 1 ? LAST_NEAR_RING - 1 : RING - 1)), timer, offset)
  }

  /**
   * @param {number} timer
   * @param {number} deadline
   */
  linkFar (timer, deadline) {
    this.setFar(timer, deadline)
    const time = this.spanStart + this.clock
    let level = NEAR_LEVELS
    while (level < LEVELS - 1 && deadline >= (Math.floor(time / WIDTHS[level + 1]) + 2) * WIDTHS[level + 1]) level++
    this.push(slotOfFar(level, deadline), timer, deadline - this.spanStart)
  }

  /**
   * @param {number} timer
   * @param {number} deadline
   */
  setFar (timer, deadline) {
    this.fields[timer] = deadline % SPAN
    this.fields[timer + 1] = FAR - Math.floor(deadline / SPAN)
  }

  /**
   * @param {number} timer
   * @param {number} deadline
   */
  addOverdue (timer, deadline) {
    this.setFar(timer, deadline)
    const overdue = this.#overdue
    let index = overdue.length
    while (index > 0 && overdue[index - 1].deadline < deadline) index--
    overdue.splice(index, 0, { timer, deadline })
    this.nextEvent = UNKNOWN
  }

  /**
   * @param {number} slot
   * @param {number} timer
   * @param {number} offset
   */
  push (slot, timer, offset) {
    let place = this.tops[slot] + 1
    if ((place & (BLOCK - 1)) === 0) place = this.pushBlock(slot, offset) + 1
    this.entries[place] = timer
    this.tops[slot] = place
  }

  /**
   * @param {number} slot
   * @param {number} offset
   */
  pushBlock (slot, offset) {
    let block = this.freeBlock
    if (block === NONE) {
      block = this.blocksEnd
      this.blocksEnd += BLOCK
      if (block === this.entries.length) this.entries = lengthened(this.entries, BLOCK * Math.ceil(block / BLOCK * GROWTH))
    } else {
      this.freeBlock = this.entries[block]
    }
    this.entries[block] = this.tops[slot]
    this.blocks++
    const height = ++this.heights[slot]
    if (height === 1) this.occupy(slot, offset)
    else if (height === CROWD && slot < RING) this.crowd(1)
    return block
  }

  /**
   * Takes the uppermost entry off a slot.
   *
   * @param {number} slot
   */
  pop (slot) {
    const top = this.tops[slot]
    const timer = this.entries[top]
    const block = top - 1
    this.tops[slot] = (block & (BLOCK - 1)) === 0 ? this.popBlock(slot, block) : block
    return timer
  }

  /**
   * @param {number} slot
   * @param {number} block
   */
  popBlock (slot, block) {
    const below = this.entries[block]
    this.entries[block] = this.freeBlock
    this.freeBlock = block
    if ((this.cursors[slot] & -BLOCK) === block) this.cursors[slot] = NONE
    this.blocks--
    const height = --this.heights[slot]
    if (height === 0) this.vacate(slot)
    else if (height === CROWD - 1 && slot < RING) this.crowd(-1)
    return below
  }

  /** @param {number} change */
  crowd (change) {
    this.crowdedSlots += change
    this.limitShortWay()
  }

  /**
   * Looks at some entries of all slots.
   *
   * @param {number} most
   */
  sweep (most) {
    for (let left = most; left > 0; left--) {
      left = this.sweepSlot(this.sweptSlot, left)
      if (left > 0) this.sweptSlot = this.occupiedFrom((this.sweptSlot + 1) % SLOTS)
    }
  }

  /**
   * Looks at some entries of a slot, from where the last sweep has ended downwards, and takes out those that are stale or belong
   * to a cancelled timer: the uppermost entry takes their place.
   *
   * @param {number} slot
   * @param {number} most
   * @returns {number} how many are left to look at, when the lowest has been reached
   */
  sweepSlot (slot, most) {
    const { entries, fields } = this
    const top = this.tops[slot]
    let place = this.cursors[slot]
    if (place === NONE || (place > top && (place & -BLOCK) === (top & -BLOCK))) place = top
    const opening = this.openingOf(slot)
    let left = most
    for (; left > 0 && place !== NONE; left--) {
      const timer = entries[place]
      const below = ((place - 1) & (BLOCK - 1)) === 0 ? entries[place - 1] : place - 1
      const isStale = !this.isIn(slot, opening, timer)
      if (isStale || fields[timer] < 0) {
        if (!isStale) fields[timer + 1] = UNLINKED
        // Where it is the uppermost one itself, this writes to a place that is free.
        entries[place] = this.pop(slot)
      }
      place = below
    }
    this.cursors[slot] = place
    return left
  }

  /**
   * Whether an entry of a slot is its timer's present one. A timer that has left a slot and come back has two there, or more.
   *
   * @param {number} slot
   * @param {number} opening  As timers have it, or FAR.
   * @param {number} timer
   */
  isIn (slot, opening, timer) {
    const stored = this.fields[timer + 1]
    if (opening !== FAR) return stored === opening
    return stored <= FAR && slotOfFar(levelOf(slot), this.deadlineOf(timer)) === slot
  }

  /**
   * What timers of a slot have for its opening; FAR for those of all far slots.
   *
   * @param {number} slot
   */
  openingOf (slot) {
    if (slot >= NEAR_SLOTS) return FAR
    const level = Math.floor(slot / RING)
    if (level === 0) return (this.blockStart + ((slot - this.blockStart) & (RING - 1))) ^ this.flip
    // The present slot is empty: where it would be, there may be the one after a whole turn.
    const next = (this.blockStart >> SHIFTS[level]) + 1
    return ((next + ((slot - next) & (RINGS[level] - 1))) << SHIFTS[level]) ^ this.flip
  }

  /**
   * The first occupied slot from a slot on, going round all levels; the slot itself where none is.
   *
   * @param {number} slot
   */
  occupiedFrom (slot) {
    const words = SLOTS >> 5
    let word = slot >> 5
    let bits = this.occupied[word] & (-1 << slot)
    for (let i = 0; i < words && bits === 0; i++) {
      word = (word + 1) % words
      bits = this.occupied[word]
    }
    return bits === 0 ? slot : word * 32 + lowestBit(bits)
  }

  /**
   * @param {number} now
   * @param {(timer: number) => void} expire
   */
  passEvents (now, expire) {
    for (; this.nextEvent <= now - this.spanStart; this.findNextEvent()) {
      if (this.nextEvent === UNKNOWN) {
        this.fireOverdue(expire)
        continue
      }
      const event = this.nextEvent === NEVER ? this.nextStep : this.spanStart + this.nextEvent
      if (event > now) return
      this.setTime(event)
      if (this.nextStep <= event) this.moveSome()
      else this.fireAll(this.clock & (RING - 1), expire)
    }
  }

  findNextEvent () {
    if (this.#overdue.length > 0) {
      this.nextEvent = UNKNOWN
      return
    }
    const due = this.firstDue()
    const step = this.nextStep - this.spanStart
    this.nextEvent = step < due ? step | 0 : due
  }

  /** The offset at which the first occupied slot of level 0 opens, or NEVER. */
  firstDue () {
    let word = (this.clock & (RING - 1)) >> 5
    for (let i = 0; i < RING >> 5; i++) {
      const bits = this.occupied[word]
      if (bits !== 0) return this.blockStart + ((word * 32 + lowestBit(bits) - this.blockStart) & (RING - 1))
      word = (word + 1) & ((RING >> 5) - 1)
    }
    return NEVER
  }

  /**
   * Fires the timers of a slot of level 0. It ends early when a callback starts an overdue timer, which comes first.
   *
   * @param {number} slot
   * @param {(timer: number) => void} expire
   */
  fireAll (slot, expire) {
    const { fields } = this
    const now = this.clock ^ this.flip
    while (this.tops[slot] !== NONE && this.#overdue.length === 0) {
      const timer = this.pop(slot)
      if (fields[timer + 1] !== now) continue
      fields[timer + 1] = UNLINKED
      if (fields[timer] === now) {
        fields[timer] = ~now
        if (--this.size < this.carefulBelow) this.limitCancelled()
        expire(timer)
      } else if (fields[timer] >= 0) {
        this.linkNear(timer, fields[timer] ^ this.flip)
      }
    }
  }

  /** @param {(timer: number) => void} expire */
  fireOverdue (expire) {
    const earliest = this.#overdue.pop()
    if (earliest === undefined) return
    const { timer, deadline } = earliest
    if (!this.isPending(timer) || this.deadlineOf(timer) !== deadline) return
    this.cancel(timer)
    expire(timer)
  }

  moveSome () {
    const now = this.spanStart + this.clock
    for (let level = 1; level < LEVELS; level++) {
      if (this.steps[level] <= now) this.moveSomeOf(level)
    }
    // Moving may have added steps to other levels.
    let first = Infinity
    for (let level = 1; level < LEVELS; level++) {
      if (this.steps[level] < first) first = this.steps[level]
    }
    this.nextStep = first
  }

  /**
   * Moves some timers out of the slot that opens next. Cancelled timers leave.
   *
   * @param {number} level
   */
  moveSomeOf (level) {
    const width = WIDTHS[level]
    const present = Math.floor(this.steps[level] / width)
    const slot = BASES[level] + ((present + 1) & (RINGS[level] - 1))
    if (this.steps[level] === present * width) this.planSteps(level, slot)
    if (level < NEAR_LEVELS) this.moveNear(slot, this.stepSizes[level])
    else this.moveDistant(slot, this.stepSizes[level])
    if (this.tops[slot] !== NONE) this.steps[level] += this.periods[level]
    else this.steps[level] = (present + 1 + this.distanceFrom(level, present + 2)) * width
  }

  /**
   * @param {number} slot  Of a near level.
   * @param {number} most  Timers.
   */
  moveNear (slot, most) {
    const { fields, moving } = this
    const opening = this.openingOf(slot)
    let place = this.tops[slot]
    for (let left = most; left > 0 && place !== NONE;) {
      const { entries } = this
      // Nothing branches on what is read, so the processor waits for the timers of many entries at once.
      let found = 0
      for (const last = Math.max(0, left - STEP); left > last && place !== NONE; left--) {
        const timer = entries[place]
        moving[found] = timer
        found += Number(fields[timer + 1] === opening)
        place--
        if ((place & (BLOCK - 1)) === 0) place = this.popBlock(slot, place)
      }
      for (let i = 0; i < found; i++) {
        const timer = moving[i]
        if (fields[timer] < 0) fields[timer + 1] = UNLINKED
        // One that has two entries here has left with the first.
        else if (fields[timer + 1] === opening) this.linkNear(timer, fields[timer] ^ this.flip)
      }
    }
    this.tops[slot] = place
  }

  /**
   * @param {number} slot  Of a far level.
   * @param {number} most  Timers.
   */
  moveDistant (slot, most) {
    for (let left = most; left > 0 && this.tops[slot] !== NONE; left--) {
      const timer = this.pop(slot)
      if (!this.isIn(slot, FAR, timer)) continue
      const deadline = this.deadlineOf(timer)
      this.fields[timer + 1] = UNLINKED
      if (this.isPending(timer)) this.move(timer, deadline)
    }
  }

  /**
   * @param {number} level
   * @param {number} slot
   */
  planSteps (level, slot) {
    const width = WIDTHS[level]
    const entries = this.heights[slot] * ENTRIES_PER_BLOCK
    this.stepSizes[level] = Math.max(STEP, Math.ceil(entries / width))
    // The last step comes before the slot opens.
    this.periods[level] = Math.floor(this.stepSizes[level] * width / entries)
  }

  /**
   * How many slots lie before the next occupied one, going round the ring; Infinity where none is occupied.
   *
   * @param {number} level
   * @param {number} number  Of the first slot to look at.
   */
  distanceFrom (level, number) {
    const index = number & (RINGS[level] - 1)
    const words = RINGS[level] >> 5
    const base = BASES[level] >> 5
    let word = index >> 5
    let bits = this.occupied[base + word] & (-1 << index)
    for (let i = 0; bits === 0; i++) {
      if (i === words) return Infinity
      word = (word + 1) & (words - 1)
      bits = this.occupied[base + word]
    }
    return (word * 32 + lowestBit(bits) - index) & (RINGS[level] - 1)
  }

  /**
   * @param {number} slot
   * @param {number} offset  Of its first timer.
   */
  occupy (slot, offset) {
    this.occupied[slot >> 5] |= 1 << slot
    if (slot < RING) {
      if (offset < this.nextEvent) this.nextEvent = offset
      return
    }
    const level = levelOf(slot)
    const width = WIDTHS[level]
    const firstStep = (Math.floor((this.spanStart + offset) / width) - 1) * width
    if (firstStep < this.steps[level]) this.steps[level] = firstStep
    if (firstStep < this.nextStep) this.nextStep = firstStep
    if (firstStep - this.spanStart < this.nextEvent) this.nextEvent = (firstStep - this.spanStart) | 0
  }

  /** @param {number} slot */
  vacate (slot) {
    this.occupied[slot >> 5] &= ~(1 << slot)
    if (slot === (this.nextEvent & (RING - 1))) this.nextEvent = UNKNOWN
  }

  /** @param {number} timer */
  cancelCarefully (timer) {
    if (this.crowdOf(timer) !== NONE) this.leave(timer)
    this.limitCancelled()
  }

  /**
   * A cancelled timer leaves when its slot is emptied. But nobody wakes an empty queue: once time had passed, one advance would
   * have to drop all that are left. So when few timers are pending, every one that goes takes some cancelled ones along.
   */
  limitCancelled () {
    if (this.blocks * ENTRIES_PER_BLOCK > CANCELLED_PER_PENDING * this.size + CANCELLED_ALLOWED) this.sweep(CANCELLED_SWEEP)
  }

  grow () {
    this.fields = lengthened(this.fields, 2 * Math.ceil(this.fields.length / 2 * GROWTH))
    this.limitShortWay()
  }
}
