/**
 * Hierarchical timer wheel: seven wheels of 256 slots, each slot a linked list of timers.
 *
 *   level   slot width        reaches
 *   0       1 ms              256 ms
 *   1       256 ms            66 s
 *   2       66 s              4.7 h
 *   3       4.7 h             50 days
 *   4       50 days           35 years
 *   5, 6    35 years, ...     past Number.MAX_SAFE_INTEGER
 *
 * Read a deadline as seven digits of 8 bits. A timer lies at the level of the first digit in which its deadline differs
 * from the wheel's time, in the slot that this digit names:
 *
 *   time      00 00 00 00 | 2a | 17 | c0
 *   deadline  00 00 00 00 | 2a | 19 | 04      level 1, slot 0x19
 *
 * So every occupied slot lies ahead of the wheel's time, none wraps around, and the occupied slot with the lowest
 * number opens next. When time enters a slot of a higher level, its timers cascade: they move to lower levels, each at
 * most six times in its life. Bitmaps name the occupied slots, so empty ones cost nothing, however far time jumps.
 *
 * A timer is a small integer. Its fields are 16 bytes of one buffer and never straddle two cache lines:
 *
 *   links      [4 t] next   [4 t + 1] previous
 *   deadlines                                    [2 t + 1] deadline      the same bytes as links[4 t + 2], [4 t + 3]
 *
 *   insert      O(1)
 *   cancel      O(1)
 *   reschedule  O(1)   no relinking when the timer stays in its slot
 *   nextExpiry  O(1)   the time when a slot opens; on a higher level nothing may be due then
 *   advance     O(k) amortised for k expired timers
 *
 * Timers fire by deadline; ties in any order. Not constant: a timer already overdue when started is sorted in among
 * the other overdue timers.
 * Source: G. Varghese and T. Lauck, "Hashed and Hierarchical Timing Wheels", SOSP 1987, scheme 7.
 */

import { lowestBit } from './parts/bits.js'
import { Handles } from './parts/handles.js'

/** @import { QueueMeta } from './contract.js' */

/** @type {QueueMeta} */
export const meta = {
  name: 'hierarchical-wheel',
  title: 'Hierarchical timer wheel, its lists in one typed array',
  complexity: { insert: 'O(1)', cancel: 'O(1)', reschedule: 'O(1)', nextExpiry: 'O(1)', advance: 'O(k) amortised' },
  order: 'deadline',
  accuracy: 'exact',
  source: 'Varghese and Lauck, "Hashed and Hierarchical Timing Wheels", SOSP 1987, scheme 7'
}

const BITS = 8
const SLOTS = 1 << BITS
const LEVELS = 7
const WORDS = SLOTS / 32
/** Bitwise operators see 32 bits, the digits of four levels; the digits above them are the epoch. */
const EPOCH_LEVEL = 32 / BITS
const EPOCH = 2 ** 32

const WIDTHS = Array.from({ length: LEVELS }, (_, level) => 2 ** (level * BITS))

/** A slot is a ring of timers closed by its head: the handle with the number of the slot. */
const HEADS = LEVELS * SLOTS
/** Growth of the arrays: each timer is copied four times in the long run, at worst a fifth of the memory is unused. */
const GROWTH = 1.25

const IDLE = -1
/** Stands for the first occupied slot while it is unknown. */
const UNKNOWN = -1
/** Stands for the first occupied slot if there is none; any slot comes before it. */
const NONE = LEVELS * SLOTS

/**
 * Level and slot as one number.
 *
 * @type {(digits: number, digitsNow: number) => number}
 */
function slotAmong (digits, digitsNow) {
  const level = (31 - Math.clz32((digits ^ digitsNow) | 1)) >> 3
  return level * SLOTS + ((digits >>> (level * BITS)) & (SLOTS - 1))
}

export class HierarchicalWheel {
  size = 0
  /** No timer is due before this, except timers that were overdue when started. */
  #time = 0
  #epochEnd = EPOCH

  #handles = new Handles()
  #links = new Int32Array(0)
  #deadlines = new Float64Array(0)

  /** One bit per slot; and per level one word with a bit for each non-empty word of those. */
  #occupied = new Int32Array(LEVELS * WORDS)
  #occupiedWords = new Int32Array(LEVELS)
  /** The lowest occupied slot opens first, since levels and slots are numbered in the order of time. */
  #firstSlot = NONE
  /** Time when it opens, or deadline of an overdue timer in it. Too early when that timer has left. */
  #firstOpening = Infinity

  constructor () {
    this.#makeRoom(HEADS + 64)
    for (let slot = 0; slot < HEADS; slot++) {
      const head = this.#handles.take(null)
      this.#links[4 * head] = this.#links[4 * head + 1] = head
      // Earlier than any timer, so that the search for an overdue timer's place ends here.
      this.#deadlines[2 * head + 1] = -1
    }
  }

  /** @param {unknown} payload */
  createTimer (payload) {
    const timer = this.#handles.take(payload)
    if (4 * timer === this.#links.length) this.#makeRoom(Math.ceil(timer * GROWTH))
    this.#links[4 * timer] = IDLE
    return timer
  }

  /** @param {number} timer */
  releaseTimer (timer) {
    this.#handles.release(timer)
  }

  /** @type {(timer: number, deadline: number) => void} */
  insert (timer, deadline) {
    this.#deadlines[2 * timer + 1] = deadline
    this.#link(timer, this.#slotOf(deadline))
    this.size++
  }

  /** @param {number} timer */
  cancel (timer) {
    if (this.#links[4 * timer] === IDLE) return false
    this.#unlink(timer)
    this.#links[4 * timer] = IDLE
    this.size--
    return true
  }

  /** @type {(timer: number, deadline: number) => void} */
  reschedule (timer, deadline) {
    if (this.#links[4 * timer] === IDLE) return this.insert(timer, deadline)
    const last = this.#deadlines[2 * timer + 1]
    const slot = this.#slotOf(deadline)
    this.#deadlines[2 * timer + 1] = deadline
    // The timer stays in its slot if both deadlines lie in this epoch, neither is overdue, and their digits agree from
    // this level up. Comparing with #slotOf(last) would be a fifth slower.
    if (
      slot < EPOCH_LEVEL * SLOTS &&
      last > this.#time &&
      last < this.#epochEnd &&
      deadline > this.#time &&
      (deadline ^ last) >>> ((slot >> BITS) * BITS) === 0
    ) {
      return
    }
    this.#unlink(timer)
    this.#link(timer, slot)
  }

  nextExpiry () {
    if (this.#firstSlot === UNKNOWN) this.#findFirst()
    return this.#firstOpening
  }

  /** @type {(now: number, expire: (timer: number) => void) => void} */
  advance (now, expire) {
    if (this.nextExpiry() <= now) this.#openSlots(now, expire)
    if (now > this.#time) this.#setTime(now)
  }

  /** @param {number} timer */
  deadlineOf (timer) {
    return this.#deadlines[2 * timer + 1]
  }

  /** @param {number} timer */
  payloadOf (timer) {
    return this.#handles.payloadOf(timer)
  }

  /** @param {number} timer */
  isPending (timer) {
    return this.#links[4 * timer] !== IDLE
  }

  /** @param {number} now */
  #setTime (now) {
    // A division takes as long as all other work here.
    if (now >= this.#epochEnd) this.#epochEnd = (Math.floor(now / EPOCH) + 1) * EPOCH
    this.#time = now
  }

  /**
   * A pending timer that is not overdue lies there: its slot opens before this changes.
   *
   * @param {number} deadline
   */
  #slotOf (deadline) {
    if (deadline < this.#time) deadline = this.#time
    if (deadline < this.#epochEnd) return slotAmong(deadline, this.#time)
    return EPOCH_LEVEL * SLOTS + slotAmong(Math.floor(deadline / EPOCH), this.#epochEnd / EPOCH - 1)
  }

  /** @type {(now: number, expire: (timer: number) => void) => void} */
  #openSlots (now, expire) {
    for (let slot = this.#firstOccupied(); slot !== NONE; slot = this.#firstOccupied()) {
      const timer = this.#links[4 * slot]
      const due = slot < SLOTS ? this.deadlineOf(timer) : this.#opening(slot)
      if (due > now) break
      if (due > this.#time) this.#setTime(due)
      if (slot < SLOTS) {
        this.cancel(timer)
        expire(timer)
      } else {
        this.#cascade(slot)
      }
    }
    this.#firstSlot = UNKNOWN
  }

  #findFirst () {
    const slot = this.#firstOccupied()
    this.#firstSlot = slot
    if (slot === NONE) this.#firstOpening = Infinity
    else this.#firstOpening = slot < SLOTS ? this.#deadlines[2 * this.#links[4 * slot] + 1] : this.#opening(slot)
  }

  #firstOccupied () {
    for (let level = 0; level < LEVELS; level++) {
      const words = this.#occupiedWords[level]
      if (words !== 0) {
        const word = level * WORDS + lowestBit(words)
        return word * 32 + lowestBit(this.#occupied[word])
      }
    }
    return NONE
  }

  /**
   * The digits of the time above the level of the slot, then the slot's digit, then zeros.
   *
   * @param {number} slot
   */
  #opening (slot) {
    const width = WIDTHS[slot >> BITS]
    const revolution = width * SLOTS
    return Math.floor(this.#time / revolution) * revolution + (slot % SLOTS) * width
  }

  /** @type {(timer: number, slot: number) => void} */
  #link (timer, slot) {
    const links = this.#links
    const deadline = this.deadlineOf(timer)
    let next = slot
    let previous = links[4 * slot + 1]
    // At level 0 only overdue timers meet timers with other deadlines. They are sorted: the first is the earliest.
    if (deadline <= this.#time) {
      while (this.deadlineOf(previous) > deadline) {
        next = previous
        previous = links[4 * next + 1]
      }
      this.#firstSlot = UNKNOWN
    }
    links[4 * timer] = next
    links[4 * timer + 1] = previous
    links[4 * previous] = timer
    links[4 * next + 1] = timer
    if (next === previous) this.#occupy(slot)
  }

  /** @param {number} timer */
  #unlink (timer) {
    const links = this.#links
    const next = links[4 * timer]
    const previous = links[4 * timer + 1]
    links[4 * next + 1] = previous
    links[4 * previous] = next
    // When both neighbours are the same, only the head is left.
    if (next === previous) this.#vacate(next)
  }

  /** @param {number} slot */
  #occupy (slot) {
    this.#occupied[slot >> 5] |= 1 << slot
    this.#occupiedWords[slot >> BITS] |= 1 << ((slot >> 5) % WORDS)
    if (slot < this.#firstSlot) this.#firstSlot = UNKNOWN
  }

  /** @param {number} slot */
  #vacate (slot) {
    if (slot === this.#firstSlot) this.#firstSlot = UNKNOWN
    this.#occupied[slot >> 5] &= ~(1 << slot)
    if (this.#occupied[slot >> 5] === 0) this.#occupiedWords[slot >> BITS] &= ~(1 << ((slot >> 5) % WORDS))
  }

  /** @param {number} slot */
  #cascade (slot) {
    const links = this.#links
    let timer = links[4 * slot]
    links[4 * slot] = links[4 * slot + 1] = slot
    this.#vacate(slot)
    while (timer !== slot) {
      const next = links[4 * timer]
      this.#link(timer, this.#slotOf(this.deadlineOf(timer)))
      timer = next
    }
  }

  /** @param {number} timers */
  #makeRoom (timers) {
    const links = new Int32Array(4 * timers)
    links.set(this.#links)
    this.#links = links
    this.#deadlines = new Float64Array(links.buffer)
  }
}
