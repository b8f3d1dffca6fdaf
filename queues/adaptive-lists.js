/**
 * A FIFO list of timers per duration, as in duration-lists, and an adaptive queue of the lists: an array of up to nine
 * lists, or a quaternary heap.
 *
 * Most programs have few durations. To find the earliest of a few lists, an array needs no order: the place of the
 * earliest is cached, and searched for again after a list has left or the earliest wakes up later. Between six and ten
 * lists neither is converted, so a list that comes and goes does not cause a conversion each time.
 *
 *   insert      O(log n)   amortised; O(1) when its list exists; the queue has one entry per duration
 *   cancel      O(log n)   O(1) unless its list becomes empty
 *   reschedule  O(log n)   amortised, likewise
 *   nextExpiry  O(1)       the time when a list wakes up; its first timer may be due later
 *   advance     O(k log n) amortised for k expired timers; a list that was refreshed sinks when it wakes up
 *
 * Timers fire list by list, in no particular order.
 * Source: Node.js pull request 60189 (2025), which was closed without a decision.
 */
import { DurationLists, meta as listsMeta } from './duration-lists.js'
import { NOT_IN_HEAP } from './parts/indexed-heap.js'

/** @import { QueueMeta } from './contract.js' */
/** @import { HeapEntry } from './parts/indexed-heap.js' */

/** @type {QueueMeta} */
export const meta = {
  ...listsMeta,
  name: 'adaptive-lists',
  title: 'A FIFO list per duration, the lists in an array, from ten on in a quaternary heap',
  source: 'Node.js pull request 60189 (2025)'
}

/** An array that grows to this many lists becomes a heap. */
const HEAP_AT = 10
/** A heap that shrinks to this many lists becomes an array again. */
const ARRAY_AT = 6
/** Stands for the place of the earliest entry while it is unknown. */
const UNKNOWN = -1

/**
 * Priority queue by deadline, an array or a quaternary heap, with the interface of IndexedHeap.
 *
 * @template {HeapEntry} E
 */
class AdaptivePriorityQueue {
  /** @type {E[]} */
  #entries = []
  #isHeap = false
  /** Place of the earliest entry; 0 in a heap. */
  #earliest = UNKNOWN

  get size () {
    return this.#entries.length
  }

  /** The entry with the earliest deadline. The queue must not be empty. */
  get first () {
    if (this.#earliest === UNKNOWN) this.#earliest = this.#placeOfEarliest(0, this.#entries.length)
    return this.#entries[this.#earliest]
  }

  /** @param {E} entry */
  push (entry) {
    const place = this.#entries.length
    this.#put(entry, place)
    if (this.#isHeap) this.#percolateUp(entry, place)
    else if (place + 1 === HEAP_AT) this.#becomeHeap()
    else this.#trackEarliest(entry)
  }

  /** @param {E} entry */
  remove (entry) {
    const hole = entry.index
    const last = /** @type {E} */ (this.#entries.pop())
    entry.index = NOT_IN_HEAP
    if (this.#isHeap) {
      if (last !== entry) this.#settle(last, hole)
      if (this.#entries.length === ARRAY_AT) this.#isHeap = false
    } else {
      if (last !== entry) this.#put(last, hole)
      this.#earliest = UNKNOWN
    }
  }

  /**
   * Restores the order after the entry's deadline has changed.
   *
   * @param {E} entry
   */
  moved (entry) {
    if (this.#isHeap) this.#settle(entry, entry.index)
    else if (entry.index === this.#earliest) this.#earliest = UNKNOWN
    else this.#trackEarliest(entry)
  }

  /** @param {E} entry  An entry of the array whose deadline is new. */
  #trackEarliest (entry) {
    const earliest = this.#earliest
    if (earliest !== UNKNOWN && entry.deadline < this.#entries[earliest].deadline) this.#earliest = entry.index
  }

  #becomeHeap () {
    const sorted = this.#entries.toSorted((a, b) => a.deadline - b.deadline)
    sorted.forEach((entry, place) => this.#put(entry, place))
    this.#isHeap = true
    this.#earliest = 0
  }

  /** @type {(entry: E, place: number) => void} */
  #put (entry, place) {
    this.#entries[place] = entry
    entry.index = place
  }

  /** @type {(entry: E, place: number) => void} */
  #settle (entry, place) {
    if (place > 0 && entry.deadline < this.#entries[(place - 1) >> 2].deadline) this.#percolateUp(entry, place)
    else this.#percolateDown(entry, place)
  }

  /** @type {(entry: E, place: number) => void} */
  #percolateUp (entry, place) {
    while (place > 0) {
      const parent = (place - 1) >> 2
      if (this.#entries[parent].deadline <= entry.deadline) break
      this.#put(this.#entries[parent], place)
      place = parent
    }
    this.#put(entry, place)
  }

  /** @type {(entry: E, place: number) => void} */
  #percolateDown (entry, place) {
    const size = this.#entries.length
    for (let first = 4 * place + 1; first < size; first = 4 * place + 1) {
      const child = this.#placeOfEarliest(first, Math.min(first + 4, size))
      if (this.#entries[child].deadline >= entry.deadline) break
      this.#put(this.#entries[child], place)
      place = child
    }
    this.#put(entry, place)
  }

  /**
   * Place of the earliest entry from a start to an end.
   *
   * @param {number} start
   * @param {number} end  Place after the last one.
   */
  #placeOfEarliest (start, end) {
    let earliest = start
    for (let place = start + 1; place < end; place++) {
      if (this.#entries[place].deadline < this.#entries[earliest].deadline) earliest = place
    }
    return earliest
  }
}

export class AdaptiveLists extends DurationLists {
  constructor () {
    super(new AdaptivePriorityQueue())
  }
}
