/**
 * Incremental timer wheel: a lazy wheel that cascades a few timers at a time, before they are due, so that no single
 * call is long.
 *
 *   level   slot width   emptied in the   reaches
 *   0       1 ms                          256 ms, at most 512
 *   1       256 ms       256 ms before    131 s
 *   2       66 s         66 s before      9 h
 *   3       4.7 h        4.7 h before     12 days
 *   4       6 days       6 days before    8 years
 *   5, 6    4 years, ... 4 years before   past Number.MAX_SAFE_INTEGER
 *
 * Every ring is twice as long as in other wheels, so a slot is emptied before it opens: while time passes through slot
 * 7 of level 1, the timers of slot 8 move to level 0, and timers that start with such a deadline go there directly.
 * When time enters slot 8, the slot is empty.
 *
 * Moving n timers takes n / 256 steps, but at most one every millisecond. Steps are spread evenly over the time before
 * the slot opens; nextExpiry asks to be woken for each step.
 *
 * Ideas shared with the lazy wheel:
 *
 * - A timer that is moved later or cancelled stays in its slot until the slot is emptied. A timer that must move
 *   earlier is pushed onto another slot and leaves a stale entry behind, which no longer agrees with the timer's
 *   opening.
 * - A slot is a stack of timers in blocks of 16 elements, the first of which is the place of the entry below.
 * - Times on the hot path are offsets from the start of a span of 2^30 ms.
 *
 * Unlike there, a slot is never swept as a whole: if there are many stale entries, a timer that leaves one behind
 * checks four entries of the wheel, and takes out the stale ones. The two wheels share about forty lines (handles, free
 * blocks, overdue timers): a base class would be as long as the lines that it saves.
 *
 * When a span ends, no timer is touched: stored times have the bit 2^30 of the deadline, and `flip` tells its meaning
 * in the present span. A timer takes 8 bytes, about 4 for its entry (up to 11 if many are stale, more with few timers),
 * and the reference to its payload:
 *
 *   fields   [timer] deadline, ~deadline while idle     [timer + 1] opening of the slot that holds its entry
 *
 *   insert      O(1)
 *   cancel      O(1)
 *   reschedule  O(1)
 *   nextExpiry  O(1)   the time of the next step, if no timer is due before
 *   advance     O(k)   amortised for k expired timers
 *
 * Timers fire by deadline; ties in any order.
 *
 * The longest pause, if the queue is advanced whenever nextExpiry asks for it: besides the timers that fire, an advance
 * of one millisecond takes out
 *
 * - at most 256 entries for every level, or for level 1 a 256th of the entries in the slot that opens next, if that is
 *   more (3907 of a million when all of them have been due within the same quarter of a second);
 * - of the entries left in the slot of that millisecond, about as many as timers fire, and 105.
 *
 * An advance that comes m milliseconds late makes up for m milliseconds. Not bounded: createTimer copies all timers
 * when the arrays are full, a call that needs a new block copies all entries when their array is full, a timer already
 * overdue when started is sorted in among the other overdue timers, and a timer that again and again leaves a crowd of
 * the same millisecond and comes back has an entry for each time.
 *
 * Source: G. Varghese and T. Lauck, "Hashed and Hierarchical Timing Wheels", SOSP 1987, scheme 7. Other wheels avoid
 * the cascade in other ways: Linux fires late since 4.8 (T. Gleixner, "timers: Switch to a non-cascading wheel", 2016),
 * nexus-timer moves a limited number of timers a poll.
 */

import { lowestBit } from './parts/bits.js'
import { lengthened } from './parts/handles.js'

/** @import { QueueMeta } from './contract.js' */

/** @type {QueueMeta} */
export const meta = {
  name: 'incremental-wheel',
  title: 'Lazy timer wheel that cascades a few timers at a time, so that no call is long',
  complexity: { insert: 'O(1)', cancel: 'O(1)', reschedule: 'O(1)', nextExpiry: 'O(1)', advance: 'O(k) amortised' },
  order: 'deadline',
  accuracy: 'exact',
  pause: 'bounded',
  source: 'Varghese and Lauck, SOSP 1987, scheme 7, with lazy updates and incremental cascades'
}

/** Bits of a deadline below the bits that name the slot, by level. */
const SHIFTS = [0, 8, 16, 24, 29, 37, 45]
const DEADLINE_BITS = 53
const LEVELS = SHIFTS.length
const WIDTHS = SHIFTS.map(shift => 2 ** shift)
const RINGS = SHIFTS.map((shift, level) => 2 << ((SHIFTS[level + 1] ?? DEADLINE_BITS) - shift))
/** First slot of each level: slots of all levels are numbered in one row. */
const BASES = RINGS.map((_, level) => RINGS.slice(0, level).reduce((sum, ring) => sum + ring, 0))
const SLOTS = BASES[LEVELS - 1] + RINGS[LEVELS - 1]

/** Number of slots of level 0, which come first, and of each near level but the last. */
const RING = RINGS[0]
const LAST_NEAR_RING = RINGS[3]
/** Width of a slot of level 1. */
const WIDTH = WIDTHS[1]

/** Deadlines less than a span away lie on these levels; their times are offsets of 31 bits. */
const NEAR_LEVELS = 4
const NEAR_SLOTS = BASES[NEAR_LEVELS]
const SPAN = 2 ** 30
/** Stands for a next event that is too far away for an offset. */
const NEVER = 2 ** 31 - 1
/** Stands for the next event while it is unknown, or if a timer is overdue: any time has come then. */
const UNKNOWN = -1

/** Entries taken out of a slot in one step: forty microseconds, if each timer is a cache miss. */
const STEP = 256
const BLOCK = 16
const ENTRIES_PER_BLOCK = BLOCK - 1
/** A slot of level 0 with this many blocks is crowded: see `shortWayEnd`. */
const CROWD = 8
/** Entries checked by a timer that leaves a stale entry behind in a crowd, or while there are many. */
const STALE_SWEEP = 4
/**
 * Blocks allowed for each timer; besides, one block for each of the first timers, since a slot may have few entries.
 */
const BLOCKS_PER_TIMER = 1 / 6
const BLOCKS_ALLOWED = 512
/** Entries for each pending timer, and in addition, above which entries of cancelled timers are searched for. */
const CANCELLED_PER_PENDING = 32
const CANCELLED_ALLOWED = 1024
/**
 * Entries checked in one search for cancelled timers: twice as many as are allowed, so that the search comes to an end.
 */
const CANCELLED_SWEEP = 2 * CANCELLED_PER_PENDING

/** Growth of the fields: each timer is copied eight times in the long run, at worst a ninth of the memory is unused. */
const GROWTH = 1.125

const NONE = -1
/** Stands for the opening of a timer that has no entry. */
const UNLINKED = -1
/** Openings from here down name the span of a deadline that is outside the near levels, or overdue. */
const FAR = -2

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

/** Members outside the contract are public for speed only, as in the lazy wheel. */
export class IncrementalWheel {
  size = 0
  /** The wheel's time is `spanStart + clock`: no slot before it is occupied. */
  spanStart = 0
  clock = 0
  /** The bit in which stored times differ from offsets in every other span. */
  flip = 0
  /** The present slot of level 1. */
  blockStart = 0
  blockEnd = 0
  /** Offset of the next event: a slot of level 0 opens, or timers move to lower levels. It may have become needless. */
  nextEvent = NEVER
  /**
   * A timer whose slot opens in time stays there when it is moved to an offset below this: the end of the near levels,
   * or 0 while a slot of level 0 is crowded. Then timers leave the crowd at once.
   */
  shortWayEnd = 0
  /** Cancelling does more than mark a timer when fewer are pending, or always while a slot is crowded. */
  carefulBelow = 0
  crowdedSlots = 0

  fields = new Int32Array(2 * 64)
  /**
   * Payloads; in place of a released handle's payload, the next released handle.
   *
   * @type {any[]}
   */
  payloads = []
  released = NONE

  /** Place of the uppermost entry of each slot. */
  tops = new Int32Array(SLOTS).fill(NONE)
  /** Blocks of each slot, and of all slots. */
  heights = new Int32Array(SLOTS)
  blocks = 0
  /** Number of blocks above which stale entries are searched for. */
  blocksAllowed = 0
  /** The place to check next for a stale entry in each slot, or NONE for the uppermost. */
  cursors = new Int32Array(SLOTS).fill(NONE)
  /** The slot to sweep next. */
  sweptSlot = 0
  entries = new Int32Array(BLOCK * 8)
  freeBlock = NONE
  blocksEnd = 0
  /** One bit per slot. */
  occupied = new Int32Array(SLOTS >> 5)

  /** Time of the next step, its number of timers, and the time between steps, by level. */
  steps = new Float64Array(LEVELS).fill(Infinity)
  stepSizes = new Float64Array(LEVELS)
  periods = new Float64Array(LEVELS)
  nextStep = Infinity
  /** Timers of one step. */
  moving = new Int32Array(STEP)

  /**
   * Timers overdue when started, the earliest last. Timers moved or cancelled since then are skipped.
   *
   * @type {{timer: number, deadline: number}[]}
   */
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

  /** @type {(timer: number, deadline: number) => void} */
  insert (timer, deadline) {
    const offset = deadline - this.spanStart
    this.size++
    if ((this.fields[timer + 1] ^ this.flip) >>> 0 <= offset && offset < this.shortWayEnd) {
      this.fields[timer] = offset ^ this.flip
    } else {
      this.move(timer, deadline)
    }
  }

  /** @param {number} timer */
  cancel (timer) {
    const stored = this.fields[timer]
    if (stored < 0) return false
    this.fields[timer] = ~stored
    if (--this.size < this.carefulBelow) this.cancelCarefully(timer)
    return true
  }

  /** @type {(timer: number, deadline: number) => void} */
  reschedule (timer, deadline) {
    const fields = this.fields
    const offset = deadline - this.spanStart
    if (fields[timer] < 0) this.size++
    if ((fields[timer + 1] ^ this.flip) >>> 0 <= offset && offset < this.shortWayEnd) fields[timer] = offset ^ this.flip
    else this.move(timer, deadline)
  }

  nextExpiry () {
    if (this.size === 0) return Infinity
    if (this.nextEvent === UNKNOWN) this.findNextEvent()
    if (this.nextEvent === UNKNOWN) return this.#overdue[this.#overdue.length - 1].deadline
    return this.nextEvent === NEVER ? this.nextStep : this.spanStart + this.nextEvent
  }

  /** @type {(now: number, expire: (timer: number) => void) => void} */
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
   * Gives a timer another entry if its slot opens too late or is crowded.
   *
   * @type {(timer: number, deadline: number) => void}
   */
  move (timer, deadline) {
    const fields = this.fields
    const offset = deadline - this.spanStart
    if (offset >= this.clock && offset - this.blockStart < SPAN) {
      // Timers outside a crowd stay.
      if ((fields[timer + 1] ^ this.flip) >>> 0 <= offset && this.crowdOf(timer) === NONE) {
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
   * Makes a timer's entry stale, if there is one. While there are many stale entries, takes some out.
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
   * The crowded slot of a timer, or NONE. Timers that move on from a slot of level 1 that opens at the same time as a
   * crowded slot of level 0 count as a part of the crowd.
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

  /** @type {(timer: number, offset: number) => void} */
  linkNear (timer, offset) {
    // Eight bits a level, and one more since rings are twice as long.
    const level = (30 - Math.clz32((offset - this.blockStart) | 2)) >> 3
    const shift = level * 8
    this.fields[timer] = offset ^ this.flip
    this.fields[timer + 1] = ((offset >> shift) << shift) ^ this.flip
    this.push(
      level * RING + ((offset >> shift) & (level === NEAR_LEVELS - 1 ? LAST_NEAR_RING - 1 : RING - 1)),
      timer,
      offset
    )
  }

  /** @type {(timer: number, deadline: number) => void} */
  linkFar (timer, deadline) {
    this.setFar(timer, deadline)
    const time = this.spanStart + this.clock
    let level = NEAR_LEVELS
    while (level < LEVELS - 1 && deadline >= (Math.floor(time / WIDTHS[level + 1]) + 2) * WIDTHS[level + 1]) level++
    this.push(slotOfFar(level, deadline), timer, deadline - this.spanStart)
  }

  /** @type {(timer: number, deadline: number) => void} */
  setFar (timer, deadline) {
    this.fields[timer] = deadline % SPAN
    this.fields[timer + 1] = FAR - Math.floor(deadline / SPAN)
  }

  /** @type {(timer: number, deadline: number) => void} */
  addOverdue (timer, deadline) {
    this.setFar(timer, deadline)
    const overdue = this.#overdue
    let index = overdue.length
    while (index > 0 && overdue[index - 1].deadline < deadline) index--
    overdue.splice(index, 0, { timer, deadline })
    this.nextEvent = UNKNOWN
  }

  /** @type {(slot: number, timer: number, offset: number) => void} */
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
      if (block === this.entries.length) {
        this.entries = lengthened(this.entries, BLOCK * Math.ceil((block / BLOCK) * GROWTH))
      }
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
   * Checks some entries of all slots.
   *
   * @param {number} most  Entries.
   */
  sweep (most) {
    for (let left = most; left > 0; left--) {
      left = this.sweepSlot(this.sweptSlot, left)
      if (left > 0) this.sweptSlot = this.occupiedFrom((this.sweptSlot + 1) % SLOTS)
    }
  }

  /**
   * Checks some entries of a slot, downwards from the end of the last sweep, and takes out entries that are stale or
   * belong to a cancelled timer: the uppermost entry takes their place.
   *
   * @param {number} slot
   * @param {number} most  Entries.
   * @returns {number} entries left to check after the lowest entry
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
        // For the uppermost entry itself, this writes to a place that is free.
        entries[place] = this.pop(slot)
      }
      place = below
    }
    this.cursors[slot] = place
    return left
  }

  /**
   * Tells whether an entry of a slot is its timer's present entry.
   *
   * @type {(slot: number, opening: number, timer: number) => boolean}
   */
  isIn (slot, opening, timer) {
    const stored = this.fields[timer + 1]
    if (opening !== FAR) return stored === opening
    return stored <= FAR && slotOfFar(levelOf(slot), this.deadlineOf(timer)) === slot
  }

  /**
   * The stored opening of a slot's timers; FAR for all far slots.
   *
   * @param {number} slot
   */
  openingOf (slot) {
    if (slot >= NEAR_SLOTS) return FAR
    const level = Math.floor(slot / RING)
    if (level === 0) return (this.blockStart + ((slot - this.blockStart) & (RING - 1))) ^ this.flip
    // The present slot is empty: its place may hold the slot after a whole turn.
    const next = (this.blockStart >> SHIFTS[level]) + 1
    return ((next + ((slot - next) & (RINGS[level] - 1))) << SHIFTS[level]) ^ this.flip
  }

  /**
   * The first occupied slot from a slot on, going round all levels; the slot itself if none is occupied.
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

  /** @type {(now: number, expire: (timer: number) => void) => void} */
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

  /** Offset at which the first occupied slot of level 0 opens, or NEVER. */
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
   * Ends early when a callback starts an overdue timer, which comes first.
   *
   * @type {(slot: number, expire: (timer: number) => void) => void}
   */
  fireAll (slot, expire) {
    let { fields } = this
    const now = this.clock ^ this.flip
    while (this.tops[slot] !== NONE && this.#overdue.length === 0) {
      const timer = this.pop(slot)
      if (fields[timer + 1] !== now) continue
      fields[timer + 1] = UNLINKED
      if (fields[timer] === now) {
        fields[timer] = ~now
        if (--this.size < this.carefulBelow) this.limitCancelled()
        expire(timer)
        // Longer, if the callback has made many timers.
        fields = this.fields
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
   * @param {number} slot  Slot of a near level.
   * @param {number} most  Timers.
   */
  moveNear (slot, most) {
    const { fields, moving } = this
    const opening = this.openingOf(slot)
    let place = this.tops[slot]
    for (let left = most; left > 0 && place !== NONE;) {
      const { entries } = this
      // Nothing branches on the values read, so the processor waits for the timers of many entries at once.
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
        // A timer with two entries here has left with the first.
        else if (fields[timer + 1] === opening) this.linkNear(timer, fields[timer] ^ this.flip)
      }
    }
    this.tops[slot] = place
  }

  /**
   * @param {number} slot  Slot of a far level.
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

  /** @type {(level: number, slot: number) => void} */
  planSteps (level, slot) {
    const width = WIDTHS[level]
    const entries = this.heights[slot] * ENTRIES_PER_BLOCK
    this.stepSizes[level] = Math.max(STEP, Math.ceil(entries / width))
    // The last step comes before the slot opens.
    this.periods[level] = Math.floor((this.stepSizes[level] * width) / entries)
  }

  /**
   * Slots from the slot with this number to the next occupied slot, or Infinity.
   *
   * @param {number} level
   * @param {number} number
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
   * @param {number} offset  Offset of the slot's first timer.
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
   * A cancelled timer leaves when its slot is emptied. But an empty queue is not woken: after a long time, one advance
   * would have to drop all cancelled timers. So while few timers are pending, each that leaves takes some cancelled
   * timers along.
   */
  limitCancelled () {
    if (this.blocks * ENTRIES_PER_BLOCK > CANCELLED_PER_PENDING * this.size + CANCELLED_ALLOWED) {
      this.sweep(CANCELLED_SWEEP)
    }
  }

  grow () {
    this.fields = lengthened(this.fields, 2 * Math.ceil((this.fields.length / 2) * GROWTH))
    this.limitShortWay()
  }
}
