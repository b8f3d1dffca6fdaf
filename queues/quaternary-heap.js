/**
 * Min-heap of timers by deadline with four children per node, in typed arrays. Each timer knows its place, so cancelling
 * needs no search. The heap is half as deep as a binary heap, and the four children that a percolation compares lie side by side in
 * one array of deadlines, usually in one cache line. parts/timer-heap.js has what both heaps share.
 *
 * An array sorted by deadline is a heap. As long as timers only start in the order of their deadlines, and expire, nothing
 * percolates, and the place after the root is the next root.
 *
 *   insert      O(log n)   O(1) when nothing is due later
 *   cancel      O(log n)
 *   reschedule  O(log n)   one percolation, up or down
 *   nextExpiry  O(1)       O(log n) the first time in a callback
 *   advance     O(k log n) for k expired timers; O(k) while timers only start in the order of their deadlines, and expire
 *
 * Timers fire by deadline; ties in any order. Not bounded: when the arrays are full, one insert copies all timers, or moves them
 * to the start.
 * Source: D. B. Johnson, "Priority queues with update and finding minimum spanning trees", IPL 4(3), 1975;
 * A. LaMarca and R. Ladner, "The influence of caches on the performance of heaps", 1996.
 */
import { FIRST_ROOT, TimerHeap } from './parts/timer-heap.js'

/** @import { QueueMeta } from './contract.js' */

/** @type {QueueMeta} */
export const meta = {
  name: 'quaternary-heap',
  title: 'Heap of four children a node, deadlines in a typed array',
  complexity: { insert: 'O(log n)', cancel: 'O(log n)', reschedule: 'O(log n)', nextExpiry: 'O(1)', advance: 'O(k log n)' },
  order: 'deadline',
  accuracy: 'exact',
  source: 'D. B. Johnson, Information Processing Letters 4(3), 1975; LaMarca and Ladner, 1996'
}

/** Places after the last leaf that may be compared with their siblings. */
const SPARE = 3

export class QuaternaryHeap extends TimerHeap {
  isSorted = true

  constructor () {
    super(SPARE)
  }

  /** @override @type {(timer: number, deadline: number) => void} */
  insert (timer, deadline) {
    const place = this.end
    if (this.isSorted && place < this.timers.length && this.deadlines[place - 1] <= deadline) {
      this.timers[place] = timer
      this.deadlines[place] = deadline
      this.placeOf[timer] = place
      this.end++
    } else {
      this.insertIntoHeap(timer, deadline)
    }
  }

  /** @type {(timer: number, deadline: number) => void} */
  insertIntoHeap (timer, deadline) {
    if (this.isRootVacant) return super.insert(timer, deadline)
    if (this.end === this.timers.length) this.makeRoom()
    if (deadline < this.deadlines[this.end - 1]) this.isSorted = false
    this.percolateUp(timer, deadline, this.end++)
  }

  /** In a sorted array the place after the root is the next root. @override */
  vacateRoot () {
    const { deadlines, root } = this
    if (!this.isSorted) {
      deadlines[root] = -Infinity
      this.isRootVacant = true
    } else if (root + 1 === this.end) {
      deadlines[root] = Infinity
      this.startOver()
    } else {
      deadlines[root - 1] = Infinity
      deadlines[root] = -Infinity
      this.root = root + 1
    }
  }

  /** @override */
  startOver () {
    this.deadlines[this.root - 1] = Infinity
    this.deadlines[FIRST_ROOT - 1] = -Infinity
    this.root = this.end = FIRST_ROOT
    this.isSorted = true
  }

  /** @override @type {(timer: number, deadline: number, place: number) => void} */
  settle (timer, deadline, place) {
    this.isSorted = false
    if (deadline < this.deadlines[(place + 3 * this.root - 1) >> 2]) this.percolateUp(timer, deadline, place)
    else this.percolateDown(timer, deadline, place)
  }

  /** @override @type {(timer: number, deadline: number, place: number) => void} */
  percolateUp (timer, deadline, place) {
    const { deadlines, timers, placeOf } = this
    const shift = 3 * this.root - 1
    for (; ;) {
      const parent = (place + shift) >> 2
      const parentDeadline = deadlines[parent]
      if (parentDeadline <= deadline) break
      const moved = timers[parent]
      timers[place] = moved
      deadlines[place] = parentDeadline
      placeOf[moved] = place
      place = parent
    }
    timers[place] = timer
    deadlines[place] = deadline
    placeOf[timer] = place
  }

  /** @override @type {(timer: number, deadline: number, place: number) => void} */
  percolateDown (timer, deadline, place) {
    const { deadlines, timers, placeOf, end } = this
    const shift = 3 * this.root - 1
    for (let first = 4 * place - shift; first < end; first = 4 * place - shift) {
      const child = earliestOfFour(deadlines, first)
      const childDeadline = deadlines[child]
      if (childDeadline >= deadline) break
      const moved = timers[child]
      timers[place] = moved
      deadlines[place] = childDeadline
      placeOf[moved] = place
      place = child
    }
    timers[place] = timer
    deadlines[place] = deadline
    placeOf[timer] = place
  }

  /** Moves the heap to the start of the arrays if half of them is free, or else lengthens them. */
  makeRoom () {
    const { timers, deadlines, placeOf, root, end } = this
    const capacity = timers.length
    if (2 * root < capacity) {
      this.lengthenHeap(2 * capacity)
      return
    }
    const distance = root - FIRST_ROOT
    for (let place = root; place < end; place++) {
      timers[place - distance] = timers[place]
      deadlines[place - distance] = deadlines[place]
      placeOf[timers[place]] = place - distance
    }
    deadlines.fill(Infinity, end - distance, end)
    deadlines[FIRST_ROOT - 1] = -Infinity
    this.root = FIRST_ROOT
    this.end = end - distance
  }
}

/**
 * The earliest cannot be predicted, so nothing branches on it, and no comparison waits for another.
 *
 * @param {Float64Array} deadlines
 * @param {number} first
 */
function earliestOfFour (deadlines, first) {
  const a = deadlines[first]
  const b = deadlines[first + 1]
  const c = deadlines[first + 2]
  const d = deadlines[first + 3]
  const isSecond = Number(b < a)
  const isThird = Number(c < a) & Number(c < b)
  const isFourth = Number(d < a) & Number(d < b) & Number(d < c)
  return first + ((3 * isFourth) | (2 * isThird) | (isSecond & (1 - isThird)))
}
