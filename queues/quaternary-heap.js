/**
 * Min-heap of timers by deadline with four children per node, in typed arrays. Each timer knows its place, so
 * cancelling needs no search.
 *
 * It is half as deep as a binary heap, and the four children that a percolation compares lie side by side in one array
 * of deadlines, usually in one cache line. Sentinels save comparing places: -Infinity before the root, Infinity after
 * the last leaf.
 *
 * While a timer expires, the root stays vacant: a timer that starts in the callback, often the same one, percolates
 * from there, and the last leaf stays.
 *
 * An array sorted by deadline is a heap. While timers start in the order of their deadlines and expire, nothing
 * percolates: the place after the root is the next root.
 *
 *   insert      O(log n)   O(1) when nothing is due later
 *   cancel      O(log n)
 *   reschedule  O(log n)   one percolation, up or down
 *   nextExpiry  O(1)       O(log n) the first time in a callback
 *   advance     O(k log n) for k expired timers, O(k) while the array is sorted
 *
 * Timers fire by deadline; ties in any order. Not bounded: when the arrays are full, one insert copies all timers, or
 * moves them to the start.
 * Source: D. B. Johnson, "Priority queues with update and finding minimum spanning trees", IPL 4(3), 1975; A. LaMarca
 * and R. Ladner, "The influence of caches on the performance of heaps", 1996.
 */
import { lengthened } from './parts/handles.js'

/** @import { QueueMeta } from './contract.js' */

/** @type {QueueMeta} */
export const meta = {
  name: 'quaternary-heap',
  title: 'Heap of four children a node, deadlines in a typed array',
  complexity: {
    insert: 'O(log n)',
    cancel: 'O(log n)',
    reschedule: 'O(log n)',
    nextExpiry: 'O(1)',
    advance: 'O(k log n)'
  },
  order: 'deadline',
  accuracy: 'exact',
  source: 'D. B. Johnson, Information Processing Letters 4(3), 1975; LaMarca and Ladner, 1996'
}

const IDLE = -1
/** Place of the root until the first timer expires in order. There is one place before it. */
const FIRST_ROOT = 1
/** Places after the last leaf that may be compared with their siblings. */
const SPARE = 3

/**
 * Most members outside the contract are public for speed, as in binary-heap, which also explains why there is no base
 * class.
 */
export class QuaternaryHeap {
  /** @type {unknown[]} */
  payloads = []
  /**
   * Handles to use again, the last one first.
   *
   * @type {number[]}
   */
  #released = []
  /** Place by timer. */
  placeOf = new Int32Array(64).fill(IDLE)
  /** Timer by place. */
  timers = new Int32Array(FIRST_ROOT + 64)
  /** Deadline by place; -Infinity before the root and at a vacant root, Infinity after the last leaf. */
  deadlines = new Float64Array(FIRST_ROOT + 64 + SPARE).fill(Infinity)
  root = FIRST_ROOT
  /** The place after the last leaf. */
  end = FIRST_ROOT
  isSorted = true
  isRootVacant = false
  /** Deadline of the timer that fired last: expire may ask for it. */
  firedDeadline = 0

  constructor () {
    this.deadlines[FIRST_ROOT - 1] = -Infinity
  }

  get size () {
    return this.end - this.root - Number(this.isRootVacant)
  }

  /** @param {unknown} payload */
  createTimer (payload) {
    const timer = this.#released.pop() ?? this.payloads.length
    this.payloads[timer] = payload
    if (timer === this.placeOf.length) this.placeOf = lengthened(this.placeOf, 2 * timer, IDLE)
    return timer
  }

  /** @param {number} timer */
  releaseTimer (timer) {
    this.payloads[timer] = undefined
    this.#released.push(timer)
  }

  /** @type {(timer: number, deadline: number) => void} */
  insert (timer, deadline) {
    const place = this.end
    if (this.isSorted && place < this.timers.length && this.deadlines[place - 1] <= deadline) {
      this.timers[place] = timer
      this.deadlines[place] = deadline
      this.placeOf[timer] = place
      this.end = place + 1
    } else {
      this.insertIntoHeap(timer, deadline)
    }
  }

  /** @param {number} timer */
  cancel (timer) {
    const place = this.placeOf[timer]
    if (place === IDLE) return false
    this.placeOf[timer] = IDLE
    const last = --this.end
    const deadline = this.deadlines[last]
    this.deadlines[last] = Infinity
    // The last leaf may come from another subtree, so it can belong above the place or below it.
    if (place !== last) this.settle(this.timers[last], deadline, place)
    else if (last === this.root) this.startOver()
    return true
  }

  /** @type {(timer: number, deadline: number) => void} */
  reschedule (timer, deadline) {
    const place = this.placeOf[timer]
    if (place === IDLE) this.insert(timer, deadline)
    else this.settle(timer, deadline, place)
  }

  nextExpiry () {
    if (this.isRootVacant) this.fillRoot()
    return this.deadlines[this.root]
  }

  /** @type {(now: number, expire: (timer: number) => void) => void} */
  advance (now, expire) {
    // A callback that threw has left the root vacant.
    if (this.isRootVacant) this.fillRoot()
    while (this.deadlines[this.root] <= now) {
      const { root } = this
      const timer = this.timers[root]
      this.firedDeadline = this.deadlines[root]
      this.placeOf[timer] = IDLE
      if (this.isSorted) {
        this.leaveRoot()
      } else {
        this.deadlines[root] = -Infinity
        this.isRootVacant = true
      }
      expire(timer)
      if (this.isRootVacant) this.fillRoot()
    }
  }

  /** @param {number} timer */
  deadlineOf (timer) {
    const place = this.placeOf[timer]
    return place === IDLE ? this.firedDeadline : this.deadlines[place]
  }

  /** @param {number} timer */
  payloadOf (timer) {
    return this.payloads[timer]
  }

  /** @param {number} timer */
  isPending (timer) {
    return this.placeOf[timer] !== IDLE
  }

  /** @type {(timer: number, deadline: number) => void} */
  insertIntoHeap (timer, deadline) {
    if (this.isRootVacant) {
      this.isRootVacant = false
      this.percolateDown(timer, deadline, this.root)
      return
    }
    if (this.end === this.timers.length) this.makeRoom()
    if (deadline < this.deadlines[this.end - 1]) this.isSorted = false
    this.percolateUp(timer, deadline, this.end++)
  }

  /** Removes the root of a sorted array: the place after it is the next root. */
  leaveRoot () {
    const { deadlines, root } = this
    if (root + 1 === this.end) {
      deadlines[root] = Infinity
      this.startOver()
    } else {
      deadlines[root - 1] = Infinity
      deadlines[root] = -Infinity
      this.root = root + 1
    }
  }

  /** Called when the last timer has left. */
  startOver () {
    this.deadlines[this.root - 1] = Infinity
    this.deadlines[FIRST_ROOT - 1] = -Infinity
    this.root = this.end = FIRST_ROOT
    this.isSorted = true
  }

  /** The last leaf percolates from the root. */
  fillRoot () {
    this.isRootVacant = false
    const last = --this.end
    const deadline = this.deadlines[last]
    this.deadlines[last] = Infinity
    if (last > this.root) this.percolateDown(this.timers[last], deadline, this.root)
    else this.startOver()
  }

  /**
   * Puts a timer at a free place, or where it belongs above or below.
   *
   * @type {(timer: number, deadline: number, place: number) => void}
   */
  settle (timer, deadline, place) {
    this.isSorted = false
    if (deadline < this.deadlines[(place + 3 * this.root - 1) >> 2]) this.percolateUp(timer, deadline, place)
    else this.percolateDown(timer, deadline, place)
  }

  /**
   * Percolates from a free place, below which nothing is due earlier.
   *
   * @type {(timer: number, deadline: number, place: number) => void}
   */
  percolateUp (timer, deadline, place) {
    const { deadlines, timers, placeOf } = this
    const shift = 3 * this.root - 1
    for (;;) {
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

  /**
   * Percolates from a free place, above which nothing is due later.
   *
   * @type {(timer: number, deadline: number, place: number) => void}
   */
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
      this.timers = lengthened(timers, 2 * capacity)
      this.deadlines = lengthened(deadlines, 2 * capacity + SPARE, Infinity)
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
 * Branches on nothing, since nothing can be predicted.
 *
 * @type {(deadlines: Float64Array, first: number) => number}
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
