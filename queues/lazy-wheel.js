/**
 * Lazy timer wheel: a hierarchical wheel in typed arrays that moves a timer only when it must.
 *
 *   level   slot width        reaches
 *   0       1 ms              1 s
 *   1       1 s               17 min
 *   2       17 min            12 days
 *   3       12 days           34 years
 *   4, 5    34 years, ...     past Number.MAX_SAFE_INTEGER
 *
 * The slots are those of the hierarchical wheel, with digits of 10 bits: a timer lies at the level of the first digit in
 * which its deadline differs from the wheel's time. Three things make it fast:
 *
 * - A timer that is moved later stays where it is: one comparison and one store. When its old slot opens, it moves to
 *   where it belongs by then. So a timer that is refreshed a thousand times moves once.
 * - A cancelled timer stays too, and is dropped when its slot opens. Starting it again costs no more than a refresh.
 *   A handle has one entry at most, so the idle entries never outnumber the handles.
 * - A timer is a small integer. Its fields are elements of typed arrays: 16 bytes and the reference to its payload.
 *
 *   insert      O(1)
 *   cancel      O(1)
 *   reschedule  O(1)
 *   nextExpiry  O(1)   the time when a slot opens; its timers may have moved or been cancelled, or belong to a lower level
 *   advance     O(k) amortised for k expired timers
 *
 * Timers fire by deadline; ties in any order. Not constant: opening a slot of a higher level moves all its timers at
 * once, and a timer already overdue when started is sorted in among the other overdue timers.
 * Source: scheme 7 of Varghese and Lauck, SOSP 1987; lazy timers as in Node's lists and the tombstones of lazy heaps.
 */

/** @type {import('./contract.js').QueueMeta} */
export const meta = {
  name: 'lazy-wheel',
  title: 'Hierarchical wheel in typed arrays that moves no timer before it must',
  complexity: { insert: 'O(1)', cancel: 'O(1)', reschedule: 'O(1)', nextExpiry: 'O(1)', advance: 'O(k) amortised' },
  order: 'deadline',
  accuracy: 'exact',
  source: 'Varghese and Lauck, SOSP 1987, scheme 7, with lazy deletion and lazy updates'
}

const BITS = 10
const SLOTS = 1 << BITS
/** Bitwise operators see 32 bits: three digits. The three digits above them are a second number. */
const LEVELS_OF_HALF = 3
const HALF_SPAN = 2 ** (LEVELS_OF_HALF * BITS)
const LEVELS = 2 * LEVELS_OF_HALF
const WORDS = SLOTS / 32

/** In the long run each timer is copied four times; at worst a fifth of the memory is unused. */
const GROWTH = 1.25

const NONE = -1
/** Stands for the first occupied slot when that must be looked for. */
const UNKNOWN = -1
/** Stands for the first occupied slot when there is none; any slot comes before it. */
const NO_SLOT = LEVELS * SLOTS
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

/**
 * Level and slot as one number.
 *
 * @param {number} digits
 * @param {number} digitsNow
 */
function slotAmong (digits, digitsNow) {
  const differing = digits ^ digitsNow
  if (differing < SLOTS) return digits & (SLOTS - 1)
  if (differing < SLOTS * SLOTS) return SLOTS + ((digits >> BITS) & (SLOTS - 1))
  return 2 * SLOTS + (digits >> (2 * BITS))
}

export class LazyWheel {
  size = 0
  /** No slot before this is occupied. */
  #time = 0
  /** The lower three digits of the time, and the time without them; both in milliseconds. */
  #timeLow = 0
  #halfStart = 0

  /** @type {unknown[]} */
  #payloads = []
  #deadlines = new Float64Array(64).fill(UNLINKED)
  /** Neighbours in the slot; for the first, `previous` is ~slot. For a released handle, `next` is the next free one. */
  #next = new Int32Array(64)
  #previous = new Int32Array(64)
  #free = NONE
  /** Deadline of the timer that fired last: expire may ask for it, and a timer in no slot cannot keep it. */
  #firedDeadline = 0

  #first = new Int32Array(LEVELS * SLOTS).fill(NONE)
  /** One bit per slot; and per level one word with a bit for each non-empty word of those. */
  #occupied = new Int32Array(LEVELS * WORDS)
  #occupiedWords = new Int32Array(LEVELS)
  /** Levels and slots are numbered in the order of time: the lowest occupied slot is the first to open. */
  #firstSlot = NO_SLOT
  /** When it opens, or when an overdue timer in it was due. Too early when that timer has left. */
  #firstOpening = Infinity

  /** @param {unknown} payload */
  createTimer (payload) {
    let timer = this.#free
    if (timer === NONE) {
      timer = this.#payloads.length
      if (timer === this.#deadlines.length) this.#grow()
    } else {
      this.#free = this.#next[timer]
    }
    this.#payloads[timer] = payload
    return timer
  }

  /** @param {number} timer */
  releaseTimer (timer) {
    if (this.#deadlines[timer] !== UNLINKED) this.#unlink(timer)
    this.#deadlines[timer] = UNLINKED
    this.#payloads[timer] = undefined
    this.#next[timer] = this.#free
    this.#free = timer
  }

  /**
   * @param {number} timer
   * @param {number} deadline
   */
  insert (timer, deadline) {
    const last = this.#deadlines[timer]
    this.#deadlines[timer] = deadline
    this.size++
    if (cancelled(last) <= deadline) return
    if (last !== UNLINKED) this.#unlink(timer)
    this.#link(timer, deadline)
  }

  /** @param {number} timer */
  cancel (timer) {
    const deadline = this.#deadlines[timer]
    if (deadline < 0) return false
    this.size--
    if (deadline > this.#time) {
      this.#deadlines[timer] = cancelled(deadline)
    } else {
      this.#unlink(timer)
      this.#deadlines[timer] = UNLINKED
    }
    return true
  }

  /**
   * @param {number} timer
   * @param {number} deadline
   */
  reschedule (timer, deadline) {
    const last = this.#deadlines[timer]
    if (last < 0) return this.insert(timer, deadline)
    this.#deadlines[timer] = deadline
    if (last <= deadline && last > this.#time) return
    this.#unlink(timer)
    this.#link(timer, deadline)
  }

  nextExpiry () {
    return this.size === 0 ? Infinity : this.#nextOpening()
  }

  /**
   * @param {number} now
   * @param {(timer: number) => void} expire
   */
  advance (now, expire) {
    if (this.#nextOpening() <= now) this.#openSlots(now, expire)
    if (now > this.#time) this.#setTime(now)
  }

  /** @param {number} timer */
  deadlineOf (timer) {
    const deadline = this.#deadlines[timer]
    if (deadline >= 0) return deadline
    return deadline === UNLINKED ? this.#firedDeadline : cancelled(deadline)
  }

  /** @param {number} timer */
  payloadOf (timer) {
    return this.#payloads[timer]
  }

  /** @param {number} timer */
  isPending (timer) {
    return this.#deadlines[timer] >= 0
  }

  /** @param {number} now */
  #setTime (now) {
    // A division takes as long as everything else here.
    if (now - this.#halfStart >= HALF_SPAN) this.#halfStart = Math.floor(now / HALF_SPAN) * HALF_SPAN
    this.#time = now
    this.#timeLow = now - this.#halfStart
  }

  /** @param {number} deadline */
  #slotOf (deadline) {
    if (deadline < this.#time) deadline = this.#time
    const low = deadline - this.#halfStart
    if (low < HALF_SPAN) return slotAmong(low, this.#timeLow)
    return LEVELS_OF_HALF * SLOTS + slotAmong(Math.floor(deadline / HALF_SPAN), this.#halfStart / HALF_SPAN)
  }

  #nextOpening () {
    if (this.#firstSlot === UNKNOWN) this.#findFirst()
    return this.#firstOpening
  }

  /**
   * @param {number} now
   * @param {(timer: number) => void} expire
   */
  #openSlots (now, expire) {
    for (let slot = this.#firstOccupied(); slot !== NO_SLOT; slot = this.#firstOccupied()) {
      const opening = this.#opening(slot)
      if (opening > this.#time) {
        if (opening > now) break
        this.#setTime(opening)
      }
      const timer = this.#first[slot]
      const deadline = this.#deadlines[timer]
      // A slot of a higher level is spread over the lower ones before anything in it fires.
      if (slot >= SLOTS || deadline < 0 || deadline > this.#time) {
        this.#spread(slot)
      } else {
        if (deadline > now) break
        this.#unlink(timer)
        this.#deadlines[timer] = UNLINKED
        this.#firedDeadline = deadline
        this.size--
        expire(timer)
      }
    }
    this.#firstSlot = UNKNOWN
  }

  #findFirst () {
    const slot = this.#firstOccupied()
    this.#firstSlot = slot
    this.#firstOpening = Infinity
    if (slot === NO_SLOT) return
    const deadline = this.#deadlines[this.#first[slot]]
    const opening = this.#opening(slot)
    this.#firstOpening = deadline >= 0 && deadline < opening ? deadline : opening
  }

  #firstOccupied () {
    for (let level = 0; level < LEVELS; level++) {
      const words = this.#occupiedWords[level]
      if (words !== 0) {
        const word = level * WORDS + lowestBit(words)
        return word * 32 + lowestBit(this.#occupied[word])
      }
    }
    return NO_SLOT
  }

  /**
   * When time enters a slot: the digits of the time above the slot's level, then the slot's, then zeros.
   *
   * @param {number} slot
   */
  #opening (slot) {
    const level = slot >> BITS
    const digit = slot & (SLOTS - 1)
    if (level < LEVELS_OF_HALF) {
      const above = (level + 1) * BITS
      return this.#halfStart + ((this.#timeLow >> above) << above) + (digit << (level * BITS))
    }
    const width = 2 ** (level * BITS)
    const revolution = width * SLOTS
    return Math.floor(this.#time / revolution) * revolution + digit * width
  }

  /**
   * @param {number} timer
   * @param {number} deadline
   */
  #link (timer, deadline) {
    const slot = this.#slotOf(deadline)
    let previous = ~slot
    let next = this.#first[slot]
    // Overdue timers come first in the slot of the present, sorted. Cancelling or moving one always unlinks it.
    if (deadline <= this.#time) {
      this.#firstSlot = UNKNOWN
      while (next !== NONE && this.#deadlines[next] >= 0 && this.#deadlines[next] < deadline) {
        previous = next
        next = this.#next[next]
      }
    }
    this.#next[timer] = next
    this.#previous[timer] = previous
    if (next !== NONE) this.#previous[next] = timer
    if (previous >= 0) {
      this.#next[previous] = timer
    } else {
      this.#first[slot] = timer
      if (next === NONE) this.#occupy(slot)
    }
  }

  /** @param {number} timer */
  #unlink (timer) {
    const next = this.#next[timer]
    const previous = this.#previous[timer]
    if (next !== NONE) this.#previous[next] = previous
    if (previous >= 0) {
      this.#next[previous] = next
    } else {
      this.#first[~previous] = next
      if (next === NONE) this.#vacate(~previous)
    }
  }

  /** @param {number} slot */
  #occupy (slot) {
    if (slot < this.#firstSlot) this.#firstSlot = UNKNOWN
    this.#occupied[slot >> 5] |= 1 << slot
    this.#occupiedWords[slot >> BITS] |= 1 << (slot >> 5)
  }

  /** @param {number} slot */
  #vacate (slot) {
    if (slot === this.#firstSlot) this.#firstSlot = UNKNOWN
    this.#occupied[slot >> 5] &= ~(1 << slot)
    if (this.#occupied[slot >> 5] === 0) this.#occupiedWords[slot >> BITS] &= ~(1 << (slot >> 5))
  }

  /**
   * Moves every timer of a slot that has opened to where it belongs now. Cancelled timers leave.
   *
   * @param {number} slot
   */
  #spread (slot) {
    let timer = this.#first[slot]
    this.#first[slot] = NONE
    this.#vacate(slot)
    while (timer !== NONE) {
      const next = this.#next[timer]
      const deadline = this.#deadlines[timer]
      if (deadline < 0) this.#deadlines[timer] = UNLINKED
      else this.#link(timer, deadline)
      timer = next
    }
  }

  #grow () {
    const capacity = Math.ceil(this.#deadlines.length * GROWTH)
    const deadlines = new Float64Array(capacity).fill(UNLINKED)
    const next = new Int32Array(capacity)
    const previous = new Int32Array(capacity)
    deadlines.set(this.#deadlines)
    next.set(this.#next)
    previous.set(this.#previous)
    this.#deadlines = deadlines
    this.#next = next
    this.#previous = previous
  }
}
