/**
 * Lazy timer wheel: a hierarchical wheel in typed arrays that moves a timer only when it must.
 *
 *   level   slot width        reaches
 *   0       1 ms              256 ms
 *   1       256 ms            66 s
 *   2       66 s              4.7 h
 *   3       4.7 h             12 days, one span
 *   4       12 days           9 years
 *   5, 6    9 years, ...      past Number.MAX_SAFE_INTEGER
 *
 * Read a deadline as digits of 8 bits. A timer belongs to the level of the first digit in which its deadline differs
 * from the wheel's time, in the slot that this digit names. Five ideas make the wheel fast:
 *
 * - A timer has an entry in a slot that opens at its deadline or earlier. A timer whose new deadline is not before this
 *   opening stays: two comparisons and a store. When the slot opens, the timer moves to the slot of its present
 *   deadline.
 * - A cancelled timer keeps its entry, too, until the slot opens. Starting the timer again is the same as moving it.
 * - A slot is a stack of timers, not a list: a timer that must move earlier is pushed onto another stack. It leaves a
 *   stale entry behind, which no longer agrees with the timer's opening. No other timer is touched. When a quarter of a
 *   slot's entries are stale, they are swept out.
 * - If timers often move earlier, timers whose slot opens get a new slot no farther away than the `reach`, so fewer
 *   timers must move before it opens. The reach follows the frequency of moves.
 * - Times on the hot path are int32 offsets from the start of the present span of 2^30 ms.
 *
 * A timer is a small even integer, the place of its fields; there may be 2^26 timers:
 *
 *   fields   [timer] deadline, ~deadline while idle     [timer + 1] opening of the slot that holds its entry
 *
 * The stacks are made of blocks of 32 elements of one array: the end of the entries below the block, then 31 entries. A
 * slot with one entry needs no block. So a timer takes 8 bytes for its fields, 8 for the reference to its payload and 5
 * to 7 for its entry, stale entries and unfilled blocks: about 24 at 10 000 timers, fewer with more. The slots take 9
 * KB.
 *
 *   insert      O(1)   amortised over the stale entries that a sweep drops
 *   cancel      O(1)
 *   reschedule  O(1)   amortised like insert
 *   nextExpiry  O(1)   the time when a slot opens; its timers may have moved, been cancelled or belong to a lower level
 *   advance     O(k)   amortised for k expired timers
 *
 * Timers fire by deadline; ties in any order. Not constant: opening a slot of a higher level moves all its timers at
 * once, a sweep goes through a whole slot, and a timer already overdue when started is sorted in among the other
 * overdue timers.
 *
 * Where it loses: timers whose deadline becomes much earlier and then much later again (scenario nearer, 100 ms). Each
 * time, a timer gets an entry nearby and, when that slot opens, another one far away, and sweeps read 3.5 entries to
 * drop the stale ones. With 10 000 timers, that is 22 blocks an operation; hierarchical-wheel, which has nothing to
 * sweep, executes 9.5. A timer could return to its old far entry only with four more bytes in `fields`.
 *
 * Source: G. Varghese and T. Lauck, "Hashed and Hierarchical Timing Wheels", SOSP 1987, scheme 7; lazy timers as in
 * Node's lists and the tombstones of lazy heaps.
 */

import { lowestBit } from './parts/bits.js'
import { lengthened } from './parts/handles.js'

/** @import { QueueMeta } from './contract.js' */

/** @type {QueueMeta} */
export const meta = {
  name: 'lazy-wheel',
  title: 'Hierarchical wheel in typed arrays that moves no timer before it must',
  complexity: { insert: 'O(1)', cancel: 'O(1)', reschedule: 'O(1)', nextExpiry: 'O(1)', advance: 'O(k) amortised' },
  order: 'deadline',
  accuracy: 'exact',
  source: 'Varghese and Lauck, SOSP 1987, scheme 7, with lazy deletion and lazy updates'
}

const BITS = 8
const SLOTS = 1 << BITS
/** Offsets below this leave int32 a sign and special values. */
const SPAN = 2 ** 30
const NEAR_LEVELS = 4
/** First slot of the levels above the span, whose digits are those of the span's number. */
const FAR_SLOTS = NEAR_LEVELS * SLOTS
const LEVELS = 7
/**
 * Words of the bitmap of slots. A bit of the summary stands for a word, whose slots are all within the span or all
 * beyond.
 */
const WORDS = (LEVELS * SLOTS) / 32

const BLOCK_BITS = 5
/** Elements of a block. */
const BLOCK = 1 << BLOCK_BITS
/** Room that is counted for the first block: on average, half of a slot's uppermost block is empty. */
const ROOM_OF_FIRST_BLOCK = BLOCK / 2
/** A slot is swept when its stale entries, with this weight each, outweigh its room for entries. */
const STALE_WEIGHT = 4

/** The reach is chosen again after this many milliseconds, when a slot opens. */
const REACH_PERIOD = 1024
/** A longer reach saves nothing, since slots of level 2 open about as soon, so the reach is unlimited then. */
const LONGEST_REACH = 2 ** 16
/** Cost of a move to an earlier slot, in moves by a slot that opens: sweeps read its stale entry several times. */
const EARLY_MOVE_COST = 8
/**
 * A move to less than a sixteenth of the time until the slot opens is not counted: the reach that spares it would be so
 * short that slots move the timer many times instead.
 */
const SUDDEN_BITS = 4

/** End of a slot without entries. */
const EMPTY = 0
const NONE = -1
/** Stands for the first occupied slot if there is none; any slot comes before it. */
const NO_SLOT = LEVELS * SLOTS
/** Stands for a deadline outside the present span; `#distant` has it. */
const DISTANT = SPAN
/** Stands for the opening of a timer without an entry; any deadline is before it. */
const UNLINKED = 2 ** 31 - 1
/** Stands for the first opening while a timer is overdue: any time has come then. */
const OVERDUE = -1

/**
 * Stands for the end of a slot whose only entry is this timer. Like the end of an empty slot or a full block, it is a
 * multiple of BLOCK, so one comparison finds every slot where a push must do more than write an entry.
 *
 * @param {number} timer
 */
const endWithOnly = timer => -((timer + 2) << (BLOCK_BITS - 1))

/** @param {number} end  End of a slot with one entry, below zero. */
const onlyEntry = end => (-end >> (BLOCK_BITS - 1)) - 2

/**
 * Next length of a full array, in whole blocks: an eighth more, from 2048 on 256 more, from 8192 on a thirty-second
 * more. Little is unused, and in the long run each timer is copied 32 times.
 *
 * @param {number} length
 */
const enlarged = length => (length + Math.max(length >> 5, Math.min(length >> 3, 256)) + BLOCK - 1) & -BLOCK

/**
 * Level of the first digit in which two times differ; BITS is 8.
 *
 * @type {(digits: number, digitsNow: number) => number}
 */
const levelAmong = (digits, digitsNow) => (31 - Math.clz32((digits ^ digitsNow) | 1)) >> 3

/**
 * Level and slot as one number; slots open in the order of these numbers.
 *
 * @type {(digits: number, digitsNow: number) => number}
 */
function slotAmong (digits, digitsNow) {
  const level = levelAmong(digits, digitsNow)
  return level * SLOTS + ((digits >> (level * BITS)) & (SLOTS - 1))
}

/**
 * Members outside the contract are public for speed only: with private members, cancelling and starting one of 10 000
 * timers took 1.4 times as long in half of the processes, on Node 20 and on Node 24.
 */
export class LazyWheel {
  size = 0
  /** The wheel's time is `spanStart + clock`: no slot before it is occupied. */
  spanStart = 0
  clock = 0
  /** Milliseconds within which a timer gets its next slot when its slot opens; SPAN if unlimited. */
  reach = SPAN
  /** Counted moves to an earlier slot since the clock showed `movesSince`. */
  moves = 0
  movesSince = 0
  /** The lowest occupied slot, or a slot that has just been emptied. */
  firstSlot = NO_SLOT
  /** Offset at which it opens; any far slot opens at SPAN or later. */
  firstOpening = UNLINKED

  fields = new Int32Array(2 * 64)
  /**
   * Payloads; in place of a released handle's payload, the next released handle.
   *
   * @type {any[]}
   */
  payloads = new Array(64)
  created = 0
  released = NONE

  /** Place above the uppermost entry of each slot, or EMPTY, or below zero for an only entry. */
  ends = new Int32Array(FAR_SLOTS)
  /** Room for entries in the blocks of each slot, minus the weight of its stale entries. */
  balances = new Int32Array(FAR_SLOTS)
  entries = new Int32Array(BLOCK * 8)
  freeBlock = NONE
  blocksEnd = 0

  /** One bit per slot, and one bit per non-empty word. */
  occupied = new Int32Array(WORDS)
  occupiedWords = new Int32Array(Math.ceil(WORDS / 32))

  /**
   * Deadlines outside the span.
   *
   * @type {Map<number, number>}
   */
  #distant = new Map()
  /**
   * Timers overdue when started, the earliest last. Timers moved or cancelled since then are skipped.
   *
   * @type {{timer: number, deadline: number}[]}
   */
  #overdue = []

  /** @param {unknown} payload */
  createTimer (payload) {
    let index = this.released
    if (index === NONE) {
      index = this.created++
      if (index === this.payloads.length) this.addHandles(enlarged(index))
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
    if (this.fields[timer + 1] <= offset && offset < SPAN) this.fields[timer] = offset
    else this.move(timer, deadline)
  }

  /** @param {number} timer */
  cancel (timer) {
    const offset = this.fields[timer]
    if (offset < 0) return false
    this.fields[timer] = ~offset
    this.size--
    return true
  }

  /** @type {(timer: number, deadline: number) => void} */
  reschedule (timer, deadline) {
    const fields = this.fields
    const offset = deadline - this.spanStart
    if (fields[timer] < 0) this.size++
    if (fields[timer + 1] <= offset && offset < SPAN) fields[timer] = offset
    else this.move(timer, deadline)
  }

  nextExpiry () {
    if (this.size === 0) return Infinity
    if (this.firstOpening === OVERDUE || this.ends[this.firstSlot] === EMPTY) this.findFirst()
    if (this.firstOpening === OVERDUE) return this.#overdue[this.#overdue.length - 1].deadline
    return this.firstSlot < FAR_SLOTS ? this.spanStart + this.firstOpening : this.farOpening(this.firstSlot)
  }

  /** @type {(now: number, expire: (timer: number) => void) => void} */
  advance (now, expire) {
    if (this.firstOpening <= now - this.spanStart) this.openSlots(now, expire)
    if (now - this.spanStart > this.clock) this.setTime(now)
  }

  /** @param {number} timer */
  deadlineOf (timer) {
    const offset = this.fields[timer] < 0 ? ~this.fields[timer] : this.fields[timer]
    return offset === DISTANT ? /** @type {number} */ (this.#distant.get(timer)) : this.spanStart + offset
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
    // A division takes as long as all other work here.
    if (now - this.spanStart >= SPAN) this.spanStart = Math.floor(now / SPAN) * SPAN
    this.clock = (now - this.spanStart) | 0
  }

  /**
   * Gives a timer its deadline, and another entry if its slot opens too late.
   *
   * @type {(timer: number, deadline: number) => void}
   */
  move (timer, deadline) {
    const offset = deadline - this.spanStart
    if (offset >= this.clock && offset < SPAN) {
      this.leave(timer, offset)
      this.fields[timer] = offset
      this.link(timer, offset)
    } else {
      this.fields[timer] = offset >= 0 && offset < SPAN ? offset : DISTANT
      if (this.fields[timer] === DISTANT) this.#distant.set(timer, deadline)
      if (offset < SPAN) this.moveToOverdue(timer, deadline)
      else this.linkFar(timer, deadline)
    }
  }

  /** @type {(timer: number, offset: number) => void} */
  link (timer, offset) {
    const level = levelAmong(offset, this.clock)
    const digits = offset >> (level * BITS)
    const opening = digits << (level * BITS)
    this.fields[timer + 1] = opening
    this.push(level * SLOTS + (digits & (SLOTS - 1)), timer, opening)
  }

  /** @type {(timer: number, deadline: number) => void} */
  linkFar (timer, deadline) {
    if (this.ends.length === FAR_SLOTS) this.addFarLevels()
    const slot = FAR_SLOTS + slotAmong(Math.floor(deadline / SPAN), this.spanStart / SPAN)
    const opening = SPAN + slot
    if (this.fields[timer + 1] <= opening) return
    this.leave(timer, SPAN)
    this.fields[timer + 1] = opening
    this.push(slot, timer, opening)
  }

  /** @type {(timer: number, deadline: number) => void} */
  moveToOverdue (timer, deadline) {
    this.leave(timer, this.clock)
    this.fields[timer + 1] = UNLINKED
    const overdue = this.#overdue
    let index = overdue.length
    while (index > 0 && overdue[index - 1].deadline < deadline) index--
    overdue.splice(index, 0, { timer, deadline })
    this.firstSlot = NONE
    this.firstOpening = OVERDUE
  }

  /**
   * Makes a timer's entry stale; the caller changes the timer's opening.
   *
   * @param {number} timer
   * @param {number} offset  New deadline.
   */
  leave (timer, offset) {
    const opening = this.fields[timer + 1]
    if (opening === UNLINKED) return
    if (offset - this.clock > (opening - this.clock) >> SUDDEN_BITS) this.moves++
    const slot = opening < SPAN ? slotAmong(opening, this.clock) : opening - SPAN
    this.balances[slot] -= STALE_WEIGHT
    // An only entry has no block to sweep.
    if (this.balances[slot] < -STALE_WEIGHT) {
      this.fields[timer + 1] = UNLINKED
      this.sweep(slot, opening)
    }
  }

  /** @type {(slot: number, timer: number, opening: number) => void} */
  push (slot, timer, opening) {
    const end = this.ends[slot]
    if ((end & (BLOCK - 1)) === 0) {
      this.pushWithoutRoom(slot, timer, opening)
    } else {
      this.entries[end] = timer
      this.ends[slot] = end + 1
    }
  }

  /**
   * Begins a block; the second entry of a slot takes the first along.
   *
   * @type {(slot: number, timer: number, opening: number) => void}
   */
  pushWithoutRoom (slot, timer, opening) {
    const end = this.ends[slot]
    if (end === EMPTY) {
      this.ends[slot] = endWithOnly(timer)
      this.occupy(slot, opening)
      return
    }
    let place = this.takeBlock()
    this.entries[place++] = end < 0 ? EMPTY : end
    if (end < 0) this.entries[place++] = onlyEntry(end)
    this.entries[place++] = timer
    this.ends[slot] = place
    this.balances[slot] += end < 0 ? ROOM_OF_FIRST_BLOCK : BLOCK - 1
  }

  takeBlock () {
    let block = this.freeBlock
    if (block === NONE) {
      block = this.blocksEnd
      this.blocksEnd += BLOCK
      if (block === this.entries.length) this.entries = lengthened(this.entries, enlarged(block))
    } else {
      this.freeBlock = this.entries[block]
    }
    return block
  }

  /**
   * Returns the end of the entries below an entry, and gives an empty block back.
   *
   * @param {number} place
   */
  below (place) {
    if ((place & (BLOCK - 1)) !== 1) return place
    const block = place - 1
    const end = this.entries[block]
    this.entries[block] = this.freeBlock
    this.freeBlock = block
    return end
  }

  /**
   * Empties a slot, and returns the end of its entries.
   *
   * @param {number} slot
   */
  takeAll (slot) {
    const end = this.ends[slot]
    this.ends[slot] = EMPTY
    this.balances[slot] = 0
    this.vacate(slot)
    return end
  }

  /**
   * Drops the stale entries of a slot.
   *
   * @type {(slot: number, opening: number) => void}
   */
  sweep (slot, opening) {
    const fields = this.fields
    let balance = this.balances[slot]
    for (let end = this.takeAll(slot); end !== EMPTY;) {
      const first = ((end - 1) & -BLOCK) + 1
      for (let place = end - 1; place >= first; place--) {
        const timer = this.entries[place]
        if (fields[timer + 1] === opening) this.push(slot, timer, opening)
        else balance += STALE_WEIGHT
      }
      end = this.below(first)
      balance -= end === EMPTY ? ROOM_OF_FIRST_BLOCK : BLOCK - 1
    }
    // Not all stale entries were found.
    if (balance < 0 && this.ends[slot] > 0) this.dropDuplicates(slot, opening)
  }

  /**
   * A timer that has left a slot and come back has several entries, which all look valid.
   *
   * @param {number} slot
   * @param {number} opening
   */
  dropDuplicates (slot, opening) {
    const fields = this.fields
    for (let end = this.takeAll(slot); end !== EMPTY; end = this.below(end - 1)) {
      const timer = this.entries[end - 1]
      if (fields[timer + 1] === opening) {
        fields[timer + 1] = ~opening
        this.push(slot, timer, opening)
      }
    }
    let end = this.ends[slot]
    if (end < 0) fields[onlyEntry(end) + 1] = opening
    while (end > 0) {
      fields[this.entries[--end] + 1] = opening
      if (end % BLOCK === 1) end = this.entries[end - 1]
    }
  }

  /** @type {(now: number, expire: (timer: number) => void) => void} */
  openSlots (now, expire) {
    for (; this.firstOpening <= now - this.spanStart; this.findFirst()) {
      const slot = this.firstSlot
      if (this.firstOpening === OVERDUE) {
        this.fireOverdue(expire)
      } else if (slot < FAR_SLOTS) {
        this.clock = this.firstOpening
        if (slot < SLOTS) this.fireAll(slot, expire)
        else this.spread(slot, this.clock)
      } else {
        const opening = slot === NO_SLOT ? Infinity : this.farOpening(slot)
        if (opening > now) return
        this.setTime(opening)
        this.spread(slot, SPAN + slot)
      }
      // A callback that asked for the next expiry may have found a first slot that is not empty: the search would start
      // after it.
      this.firstSlot = slot
    }
  }

  /**
   * Ends early when a callback starts an overdue timer, which comes first.
   *
   * @type {(slot: number, expire: (timer: number) => void) => void}
   */
  fireAll (slot, expire) {
    const now = this.clock
    while (this.ends[slot] !== EMPTY && this.firstOpening !== OVERDUE) {
      const timer = this.pop(slot)
      if (this.fields[timer] === now && this.fields[timer + 1] === now) {
        this.fields[timer] = ~now
        this.fields[timer + 1] = UNLINKED
        this.size--
        expire(timer)
      } else {
        this.sink(timer, now)
      }
    }
  }

  /** @param {number} slot */
  pop (slot) {
    const end = this.ends[slot]
    const below = end < 0 ? EMPTY : this.below(end - 1)
    this.ends[slot] = below
    if (below === EMPTY) {
      this.balances[slot] = 0
      this.vacate(slot)
    }
    return end < 0 ? onlyEntry(end) : this.entries[end - 1]
  }

  /** @param {(timer: number) => void} expire */
  fireOverdue (expire) {
    const earliest = this.#overdue.pop()
    if (earliest === undefined) return
    const { timer, deadline } = earliest
    if (!this.isPending(timer) || this.fields[timer + 1] !== UNLINKED || this.deadlineOf(timer) !== deadline) return
    this.cancel(timer)
    expire(timer)
  }

  /**
   * Moves every timer of an open slot to its present slot. Cancelled timers leave.
   *
   * @type {(slot: number, opening: number) => void}
   */
  spread (slot, opening) {
    // The caller searches for the first slot afterwards, so nothing is compared with it here.
    this.firstSlot = NONE
    if (this.clock - this.movesSince >= REACH_PERIOD || this.clock < this.movesSince) this.chooseReach()
    let end = this.takeAll(slot)
    if (end < 0) this.sink(onlyEntry(end), opening)
    while (end > 0) {
      const first = ((end - 1) & -BLOCK) + 1
      for (let place = end - 1; place >= first; place--) {
        const timer = this.entries[place]
        if (this.fields[timer + 1] !== opening) continue
        const offset = this.fields[timer]
        const millisecond = offset & (SLOTS - 1)
        // Most timers get a slot of level 0 for themselves. Without calls, start and expiry take a fifth less time.
        if ((offset ^ opening) >>> BITS === 0 && this.ends[millisecond] === EMPTY) {
          this.fields[timer + 1] = offset
          this.ends[millisecond] = endWithOnly(timer)
          this.occupied[millisecond >> 5] |= 1 << millisecond
        } else {
          this.sink(timer, opening)
        }
      }
      end = this.below(first)
    }
    for (let word = 0; word < SLOTS / 32; word++) {
      if (this.occupied[word] !== 0) this.occupiedWords[0] |= 1 << word
    }
  }

  /**
   * Moves a timer of an open slot; a cancelled timer leaves, a stale entry does nothing.
   *
   * @type {(timer: number, opening: number) => void}
   */
  sink (timer, opening) {
    const fields = this.fields
    if (fields[timer + 1] !== opening) return
    const offset = fields[timer]
    if (offset < 0) fields[timer + 1] = UNLINKED
    else if (offset < SPAN) this.link(timer, Math.min(offset, this.clock + this.reach))
    else this.linkDistant(timer)
  }

  /**
   * Balances two kinds of moves: with reach r, a timer is moved by its slot every r ms, and moves earlier by itself
   * about r / c times in r ms, for some c that depends on the load. The sum of costs is lowest where both cost the
   * same. The moves of the last period tell c; after the clock began a new span, there are none. With 100 000 timers
   * that move earlier half of the time, the factor 8 takes 0.71 of the time that 1 takes.
   */
  chooseReach () {
    const msPerMove = ((this.clock - this.movesSince) * this.size) / this.moves
    const reach = Math.sqrt((Math.min(this.reach, LONGEST_REACH) * msPerMove) / EARLY_MOVE_COST)
    // NaN and Infinity compare as false.
    this.reach = reach < LONGEST_REACH ? Math.max(SLOTS, Math.floor(reach)) : SPAN
    this.moves = 0
    this.movesSince = this.clock
  }

  /** @param {number} timer */
  linkDistant (timer) {
    const deadline = this.deadlineOf(timer)
    this.fields[timer + 1] = UNLINKED
    if (deadline - this.spanStart < SPAN) this.#distant.delete(timer)
    this.move(timer, deadline)
  }

  findFirst () {
    if (this.#overdue.length > 0) {
      this.firstSlot = NONE
      this.firstOpening = OVERDUE
      return
    }
    // The first slot is empty by now. If many timers fire, the next slot is not, and no bitmap is searched.
    const next = this.firstSlot + 1
    const slot = next < SLOTS && this.ends[next] !== EMPTY ? next : this.firstOccupied()
    this.firstSlot = slot
    if (slot < FAR_SLOTS) {
      const shift = (slot >> BITS) * BITS
      this.firstOpening = (((this.clock >> shift) & -SLOTS) | (slot & (SLOTS - 1))) << shift
    } else {
      this.firstOpening = slot === NO_SLOT ? UNLINKED : SPAN
    }
  }

  /** @param {number} slot */
  farOpening (slot) {
    const width = SPAN * 2 ** (((slot >> BITS) - NEAR_LEVELS) * BITS)
    const revolution = width * SLOTS
    return Math.floor(this.spanStart / revolution) * revolution + (slot & (SLOTS - 1)) * width
  }

  firstOccupied () {
    const words = this.occupiedWords
    const summary = words[0] !== 0 ? 0 : 1
    if (words[summary] === 0) return NO_SLOT
    const word = summary * 32 + lowestBit(words[summary])
    return word * 32 + lowestBit(this.occupied[word])
  }

  /** @type {(slot: number, opening: number) => void} */
  occupy (slot, opening) {
    if (slot < this.firstSlot) {
      this.firstSlot = slot
      this.firstOpening = slot < FAR_SLOTS ? opening : SPAN
    }
    const word = slot >> 5
    this.occupied[word] |= 1 << slot
    this.occupiedWords[word >> 5] |= 1 << word
  }

  /** @param {number} slot */
  vacate (slot) {
    const word = slot >> 5
    this.occupied[word] &= ~(1 << slot)
    if (this.occupied[word] === 0) this.occupiedWords[word >> 5] &= ~(1 << word)
  }

  /** @param {number} handles  New capacity. */
  addHandles (handles) {
    this.fields = lengthened(this.fields, 2 * handles)
    // Appending would make V8 reserve half as much again.
    this.payloads = this.payloads.concat(new Array(handles - this.payloads.length))
  }

  addFarLevels () {
    const slots = LEVELS * SLOTS
    this.ends = lengthened(this.ends, slots)
    this.balances = lengthened(this.balances, slots)
  }
}
