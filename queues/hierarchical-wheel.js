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
 * So every occupied slot lies ahead of the time, none wraps around, and the occupied slot with the lowest number is the
 * next to open. When time enters a slot of a higher level its timers cascade: they move to lower levels, each at most
 * six times in its life. Bitmaps name the occupied slots; empty ones cost nothing, however far the time jumps.
 *
 *   insert      O(1)
 *   cancel      O(1)
 *   reschedule  O(1)   at once when the timer stays in its slot
 *   nextExpiry  O(1)   the time when a slot opens: a timer of a higher level may have nothing due then
 *   advance     O(k) amortised for k expired timers
 *
 * Timers fire by deadline; ties in any order. Not constant: a timer already overdue when started is sorted in among
 * the other overdue ones.
 * Source: G. Varghese and T. Lauck, "Hashed and Hierarchical Timing Wheels", SOSP 1987, scheme 7.
 */

/** @type {import('./contract.js').QueueMeta} */
export const meta = {
  name: 'hierarchical-wheel',
  title: 'Hierarchical timer wheel of linked objects',
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

const IDLE = -1
/** In place of the first occupied slot: to be looked for. */
const UNKNOWN = -1
/** In place of the first occupied slot: none, so that any slot comes before it. */
const NONE = LEVELS * SLOTS

/** @param {number} bits not zero */
const lowestBit = bits => 31 - Math.clz32(bits & -bits)

class WheelTimer {
  /** Absolute milliseconds; meaningful while pending. */
  deadline = 0
  slot = IDLE
  /** @type {WheelTimer} */
  next = this
  /** @type {WheelTimer} */
  previous = this

  /** @param {unknown} payload */
  constructor (payload) {
    this.payload = payload
  }
}

export class HierarchicalWheel {
  size = 0
  /** No timer is due before this, but for those that were overdue when they were started. */
  #time = 0
  /** A slot is a ring of timers closed by a head, which is no timer: its deadline lies before all others. */
  #slots = Array.from({ length: LEVELS * SLOTS }, () => Object.assign(new WheelTimer(null), { deadline: -1 }))
  /** One bit a slot, and one bit a non-empty word of these, in one word a level. */
  #occupied = new Int32Array(LEVELS * WORDS)
  #occupiedWords = new Int32Array(LEVELS)
  /** Levels and slots are numbered in the order of time: the lowest occupied slot is the first to open. */
  #firstSlot = NONE
  /** When it opens, or when an overdue timer in it was due; too early when that one has left meanwhile. */
  #firstOpening = Infinity

  /** @param {unknown} payload */
  createTimer (payload) {
    return new WheelTimer(payload)
  }

  releaseTimer () {}

  /**
   * @param {WheelTimer} timer
   * @param {number} deadline
   */
  insert (timer, deadline) {
    timer.deadline = deadline
    this.#link(timer, this.#slotOf(deadline))
    this.size++
  }

  /** @param {WheelTimer} timer */
  cancel (timer) {
    if (timer.slot === IDLE) return false
    this.#unlink(timer)
    timer.slot = IDLE
    this.size--
    return true
  }

  /**
   * @param {WheelTimer} timer
   * @param {number} deadline
   */
  reschedule (timer, deadline) {
    if (timer.slot === IDLE) return this.insert(timer, deadline)
    const slot = this.#slotOf(deadline)
    timer.deadline = deadline
    if (slot === timer.slot && deadline > this.#time) return
    this.#unlink(timer)
    this.#link(timer, slot)
  }

  nextExpiry () {
    if (this.#firstSlot === UNKNOWN) this.#findFirst()
    return this.#firstOpening
  }

  /**
   * @param {number} now
   * @param {(timer: WheelTimer) => void} expire
   */
  advance (now, expire) {
    if (this.nextExpiry() <= now) this.#openSlots(now, expire)
    if (now > this.#time) this.#time = now
  }

  /** @param {WheelTimer} timer */
  deadlineOf (timer) {
    return timer.deadline
  }

  /** @param {WheelTimer} timer */
  payloadOf (timer) {
    return timer.payload
  }

  /** @param {WheelTimer} timer */
  isPending (timer) {
    return timer.slot !== IDLE
  }

  /** @param {number} deadline */
  #slotOf (deadline) {
    if (deadline < this.#time) deadline = this.#time
    let digits = deadline
    let differing = deadline ^ this.#time
    let level = 0
    const epoch = Math.floor(deadline / EPOCH)
    const epochNow = Math.floor(this.#time / EPOCH)
    if (epoch !== epochNow) {
      digits = epoch
      differing = epoch ^ epochNow
      level = EPOCH_LEVEL
    }
    const digit = (31 - Math.clz32(differing | 1)) >> 3
    return (level + digit) * SLOTS + ((digits >>> (digit * BITS)) & (SLOTS - 1))
  }

  /**
   * @param {number} now
   * @param {(timer: WheelTimer) => void} expire
   */
  #openSlots (now, expire) {
    for (let slot = this.#firstOccupied(); slot !== NONE; slot = this.#firstOccupied()) {
      const timer = this.#slots[slot].next
      const due = slot < SLOTS ? timer.deadline : this.#opening(slot)
      if (due > now) break
      if (due > this.#time) this.#time = due
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
    this.#firstOpening = slot === NONE ? Infinity : slot < SLOTS ? this.#slots[slot].next.deadline : this.#opening(slot)
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
   * When time enters a slot of a higher level: the digits of the time above this level, then the slot's, then zeros.
   *
   * @param {number} slot
   */
  #opening (slot) {
    const width = WIDTHS[slot >> BITS]
    const revolution = width * SLOTS
    return Math.floor(this.#time / revolution) * revolution + (slot % SLOTS) * width
  }

  /**
   * @param {WheelTimer} timer
   * @param {number} slot
   */
  #link (timer, slot) {
    let next = this.#slots[slot]
    // Only overdue timers meet others with another deadline at level 0: sorted, so that the first is the earliest.
    if (timer.deadline <= this.#time) {
      while (next.previous.deadline > timer.deadline) next = next.previous
      this.#firstSlot = UNKNOWN
    }
    timer.slot = slot
    timer.next = next
    timer.previous = next.previous
    next.previous.next = timer
    next.previous = timer
    this.#occupied[slot >> 5] |= 1 << slot
    this.#occupiedWords[slot >> BITS] |= 1 << ((slot >> 5) % WORDS)
    if (slot < this.#firstSlot) this.#firstSlot = UNKNOWN
  }

  /** @param {WheelTimer} timer */
  #unlink ({ slot, next, previous }) {
    next.previous = previous
    previous.next = next
    if (next === previous && next === this.#slots[slot]) this.#vacate(slot)
  }

  /** @param {number} slot */
  #vacate (slot) {
    if (slot === this.#firstSlot) this.#firstSlot = UNKNOWN
    this.#occupied[slot >> 5] &= ~(1 << slot)
    if (this.#occupied[slot >> 5] === 0) this.#occupiedWords[slot >> BITS] &= ~(1 << ((slot >> 5) % WORDS))
  }

  /** @param {number} slot */
  #cascade (slot) {
    const head = this.#slots[slot]
    let timer = head.next
    head.next = head.previous = head
    this.#vacate(slot)
    while (timer !== head) {
      const { next } = timer
      this.#link(timer, this.#slotOf(timer.deadline))
      timer = next
    }
  }
}
