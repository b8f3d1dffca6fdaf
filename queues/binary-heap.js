/**
 * Binary min-heap of timers by deadline, in typed arrays. Each timer knows its place, so cancelling needs no search.
 *
 * The root is at place 1: the children of a place are at twice the place and after it, its parent at half of it.
 * Sentinels save comparing places: -Infinity before the root, Infinity after the last leaf.
 *
 * While a timer expires, the root stays vacant: a timer that starts in the callback, often the same one, percolates
 * from there, and the last leaf stays.
 *
 *   insert      O(log n)   O(1) when nothing is due later
 *   cancel      O(log n)
 *   reschedule  O(log n)   one percolation, up or down
 *   nextExpiry  O(1)       O(log n) the first time in a callback
 *   advance     O(k log n) for k expired timers
 *
 * Timers fire by deadline; ties in any order. createTimer copies the arrays when they are full. Other heaps are
 * compared with this one, so it percolates as the textbook says, even if its array is sorted (see quaternary-heap).
 * Source: J. W. J. Williams, "Algorithm 232: Heapsort", CACM 7(6), 1964; the Node wiki, "Optimizing _unrefActive",
 * 2014, second alternative.
 */
import { lengthened } from './parts/handles.js'

/** @import { QueueMeta } from './contract.js' */

/** @type {QueueMeta} */
export const meta = {
  name: 'binary-heap',
  title: 'Binary heap of timers that know their index',
  complexity: {
    insert: 'O(log n)',
    cancel: 'O(log n)',
    reschedule: 'O(log n)',
    nextExpiry: 'O(1)',
    advance: 'O(k log n)'
  },
  order: 'deadline',
  accuracy: 'exact',
  source: 'J. W. J. Williams, "Algorithm 232: Heapsort", CACM 7(6), 1964'
}

const IDLE = -1
const ROOT = 1
/** Places after the last leaf, which may have no sibling to be compared with. */
const SPARE = 1

/**
 * Most members outside the contract are public, and percolation reads the arrays into variables: with private members
 * and a method for the three stores of a move, timers took 1.2 to 1.4 times as long to expire. quaternary-heap repeats
 * the contract's methods, since a base class of both made timers expire more slowly (heats, staggered-expiry at 1000
 * timers: 11 % here, 8 % there).
 */
export class BinaryHeap {
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
  timers = new Int32Array(ROOT + 64)
  /** Deadline by place; -Infinity before the root and at a vacant root, Infinity after the last leaf. */
  deadlines = new Float64Array(ROOT + 64 + SPARE).fill(Infinity)
  /** The place after the last leaf. */
  end = ROOT
  isRootVacant = false
  /** Deadline of the timer that fired last: expire may ask for it. */
  firedDeadline = 0

  constructor () {
    this.deadlines[ROOT - 1] = -Infinity
  }

  get size () {
    return this.end - ROOT - Number(this.isRootVacant)
  }

  /** @param {unknown} payload */
  createTimer (payload) {
    const timer = this.#released.pop() ?? this.payloads.length
    this.payloads[timer] = payload
    if (timer === this.placeOf.length) this.lengthen(2 * timer)
    return timer
  }

  /** @param {number} timer */
  releaseTimer (timer) {
    this.payloads[timer] = undefined
    this.#released.push(timer)
  }

  /** @type {(timer: number, deadline: number) => void} */
  insert (timer, deadline) {
    if (this.isRootVacant) {
      this.isRootVacant = false
      this.percolateDown(timer, deadline, ROOT)
    } else {
      this.percolateUp(timer, deadline, this.end++)
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
    return this.deadlines[ROOT]
  }

  /** @type {(now: number, expire: (timer: number) => void) => void} */
  advance (now, expire) {
    // A callback that threw has left the root vacant.
    if (this.isRootVacant) this.fillRoot()
    while (this.deadlines[ROOT] <= now) {
      const timer = this.timers[ROOT]
      this.firedDeadline = this.deadlines[ROOT]
      this.placeOf[timer] = IDLE
      this.deadlines[ROOT] = -Infinity
      this.isRootVacant = true
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

  /** The last leaf percolates from the root. */
  fillRoot () {
    this.isRootVacant = false
    const last = --this.end
    const deadline = this.deadlines[last]
    this.deadlines[last] = Infinity
    if (last > ROOT) this.percolateDown(this.timers[last], deadline, ROOT)
  }

  /**
   * Puts a timer at a free place, or where it belongs above or below.
   *
   * @type {(timer: number, deadline: number, place: number) => void}
   */
  settle (timer, deadline, place) {
    if (deadline < this.deadlines[place >> 1]) this.percolateUp(timer, deadline, place)
    else this.percolateDown(timer, deadline, place)
  }

  /**
   * Percolates from a free place, below which nothing is due earlier.
   *
   * @type {(timer: number, deadline: number, place: number) => void}
   */
  percolateUp (timer, deadline, place) {
    const { deadlines, timers, placeOf } = this
    for (;;) {
      const parent = place >> 1
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
   * Percolates from a free place, above which nothing is due later. The earlier child cannot be predicted, so nothing
   * branches on it. For the same reason the earlier grandchild is found below both children: the time goes into waiting
   * for one comparison before the next.
   *
   * @type {(timer: number, deadline: number, place: number) => void}
   */
  percolateDown (timer, deadline, place) {
    const { deadlines, timers, placeOf, end } = this
    for (let left = place << 1; left < end; left = place << 1) {
      const isRight = Number(deadlines[left | 1] < deadlines[left])
      const child = left | isRight
      const childDeadline = deadlines[child]
      if (childDeadline >= deadline) break
      const moved = timers[child]
      timers[place] = moved
      deadlines[place] = childDeadline
      placeOf[moved] = place
      place = child

      const first = left << 1
      if ((first | 3) >= end) continue
      const ofLeft = Number(deadlines[first | 1] < deadlines[first])
      const ofRight = 2 | Number(deadlines[first | 3] < deadlines[first | 2])
      const grandchild = first | (ofLeft ^ ((ofLeft ^ ofRight) & -isRight))
      const grandchildDeadline = deadlines[grandchild]
      if (grandchildDeadline >= deadline) break
      const follower = timers[grandchild]
      timers[place] = follower
      deadlines[place] = grandchildDeadline
      placeOf[follower] = place
      place = grandchild
    }
    timers[place] = timer
    deadlines[place] = deadline
    placeOf[timer] = place
  }

  /** @param {number} timers  New capacity. */
  lengthen (timers) {
    this.placeOf = lengthened(this.placeOf, timers, IDLE)
    this.timers = lengthened(this.timers, ROOT + timers)
    this.deadlines = lengthened(this.deadlines, ROOT + timers + SPARE, Infinity)
  }
}
