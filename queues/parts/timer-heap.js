/**
 * Base of the heaps in typed arrays. Each timer knows its place, so cancelling needs no search. The subclass knows the arity: where
 * a timer starts, and how it percolates.
 *
 * Sentinels save comparing places: -Infinity before the root, Infinity after the last leaf.
 *
 * While a timer expires, the root stays vacant. A timer that starts in the callback, often the same one, percolates from there, and
 * the last leaf stays where it is.
 *
 * The members are public for speed: with private members and a method for the three stores of a move, timers took 1.2 to 1.4 times
 * as long to expire. The methods of a subclass with percolation read the arrays into variables first.
 */
import { lengthened } from './handles.js'

const IDLE = -1
/** Place of the root at the beginning; there is one place before it. */
export const FIRST_ROOT = 1
const CAPACITY = 64

/** @abstract */
export class TimerHeap {
  /** @type {unknown[]} */
  payloads = []
  /** Handles to use again, the last one first. @type {number[]} */
  released = []
  /** By timer. */
  placeOf = new Int32Array(CAPACITY).fill(IDLE)
  /** By place. */
  timers = new Int32Array(FIRST_ROOT + CAPACITY)
  /** By place; -Infinity before the root and at a vacant root, Infinity after the last leaf. */
  deadlines
  root = FIRST_ROOT
  /** The place after the last leaf. */
  end = FIRST_ROOT
  isRootVacant = false
  /** Deadline of the timer that fired last: expire may ask for it. */
  firedDeadline = 0

  /** @param {number} spare  Places after the last leaf that may be compared with their siblings. */
  constructor (spare) {
    this.spare = spare
    this.deadlines = new Float64Array(FIRST_ROOT + CAPACITY + spare).fill(Infinity)
    this.deadlines[FIRST_ROOT - 1] = -Infinity
  }

  get size () {
    return this.end - this.root - Number(this.isRootVacant)
  }

  /** @param {unknown} payload */
  createTimer (payload) {
    const timer = this.released.pop() ?? this.payloads.length
    this.payloads[timer] = payload
    if (timer === this.placeOf.length) this.lengthen(2 * timer)
    return timer
  }

  /** @param {number} timer */
  releaseTimer (timer) {
    this.payloads[timer] = undefined
    this.released.push(timer)
  }

  /** @type {(timer: number, deadline: number) => void} */
  insert (timer, deadline) {
    if (this.isRootVacant) {
      this.isRootVacant = false
      this.percolateDown(timer, deadline, this.root)
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
    // A callback that threw has left it vacant.
    if (this.isRootVacant) this.fillRoot()
    while (this.deadlines[this.root] <= now) {
      const { root } = this
      const timer = this.timers[root]
      this.firedDeadline = this.deadlines[root]
      this.placeOf[timer] = IDLE
      this.vacateRoot()
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

  vacateRoot () {
    this.deadlines[this.root] = -Infinity
    this.isRootVacant = true
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

  /** Called when the last timer has left. */
  startOver () {}

  /** @param {number} timers */
  lengthen (timers) {
    this.placeOf = lengthened(this.placeOf, timers, IDLE)
  }

  /** @param {number} places */
  lengthenHeap (places) {
    this.timers = lengthened(this.timers, places)
    this.deadlines = lengthened(this.deadlines, places + this.spare, Infinity)
  }

  /**
   * Puts a timer at a free place, or where it belongs above or below.
   *
   * @abstract
   * @type {(timer: number, deadline: number, place: number) => void}
   */
  settle (_timer, _deadline, _place) {
    throw new Error('a subclass must implement settle')
  }

  /**
   * Percolates from a free place, below which nothing is due earlier.
   *
   * @abstract
   * @type {(timer: number, deadline: number, place: number) => void}
   */
  percolateUp (_timer, _deadline, _place) {
    throw new Error('a subclass must implement percolateUp')
  }

  /**
   * Percolates from a free place, above which nothing is due later.
   *
   * @abstract
   * @type {(timer: number, deadline: number, place: number) => void}
   */
  percolateDown (_timer, _deadline, _place) {
    throw new Error('a subclass must implement percolateDown')
  }
}
