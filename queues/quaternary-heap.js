/**
 * Min-heap of timers by deadline with four children per node, in typed arrays.
 *
 * It is half as deep as a binary heap, and the four children that a sift compares lie side by side in one array of
 * deadlines, usually in one cache line. A timer is a small integer; its position in the heap is kept, so cancelling needs
 * no search.
 *
 *   insert      O(log n)
 *   cancel      O(log n)
 *   reschedule  O(log n)   one sift, up or down
 *   nextExpiry  O(1)
 *   advance     O(k log n) for k expired timers
 *
 * Timers fire by deadline; ties in any order.
 * Source: D. B. Johnson, "Priority queues with update and finding minimum spanning trees", IPL 4(3), 1975;
 * A. LaMarca and R. Ladner, "The influence of caches on the performance of heaps", 1996.
 */
import { Handles, lengthened } from './parts/handles.js'

/** @type {import('./contract.js').QueueMeta} */
export const meta = {
  name: 'quaternary-heap',
  title: 'Heap of four children a node, deadlines in a typed array',
  complexity: { insert: 'O(log n)', cancel: 'O(log n)', reschedule: 'O(log n)', nextExpiry: 'O(1)', advance: 'O(k log n)' },
  order: 'deadline',
  accuracy: 'exact',
  source: 'D. B. Johnson, Information Processing Letters 4(3), 1975; LaMarca and Ladner, 1996'
}

const IDLE = -1

export class QuaternaryHeap {
  size = 0
  #handles = new Handles()
  /** By timer. */
  #positionOf = new Int32Array(64).fill(IDLE)
  /** By position. Deadlines beyond the last timer are Infinity, so a sift need not count the children. */
  #timers = new Int32Array(68)
  #deadlines = new Float64Array(68).fill(Infinity)
  /** Deadline of the timer that fired last: expire may ask for it. */
  #firedDeadline = 0

  /** @param {unknown} payload */
  createTimer (payload) {
    const timer = this.#handles.take(payload)
    if (timer === this.#positionOf.length) this.#grow()
    return timer
  }

  /** @param {number} timer */
  releaseTimer (timer) {
    this.#handles.release(timer)
  }

  /**
   * @param {number} timer
   * @param {number} deadline
   */
  insert (timer, deadline) {
    this.#percolateUp(timer, deadline, this.size++)
  }

  /** @param {number} timer */
  cancel (timer) {
    const hole = this.#positionOf[timer]
    if (hole === IDLE) return false
    const lastPosition = --this.size
    const last = this.#timers[lastPosition]
    const deadline = this.#deadlines[lastPosition]
    this.#deadlines[lastPosition] = Infinity
    this.#positionOf[timer] = IDLE
    // The last leaf may come from another subtree, so it can belong above the hole or below it.
    if (last !== timer) this.#settle(last, deadline, hole)
    return true
  }

  /**
   * @param {number} timer
   * @param {number} deadline
   */
  reschedule (timer, deadline) {
    const position = this.#positionOf[timer]
    if (position === IDLE) return this.insert(timer, deadline)
    this.#settle(timer, deadline, position)
  }

  nextExpiry () {
    return this.#deadlines[0]
  }

  /**
   * @param {number} now
   * @param {(timer: number) => void} expire
   */
  advance (now, expire) {
    while (this.#deadlines[0] <= now) {
      const timer = this.#timers[0]
      this.#firedDeadline = this.#deadlines[0]
      this.cancel(timer)
      expire(timer)
    }
  }

  /** @param {number} timer */
  deadlineOf (timer) {
    const position = this.#positionOf[timer]
    return position === IDLE ? this.#firedDeadline : this.#deadlines[position]
  }

  /** @param {number} timer */
  payloadOf (timer) {
    return this.#handles.payloadOf(timer)
  }

  /** @param {number} timer */
  isPending (timer) {
    return this.#positionOf[timer] !== IDLE
  }

  /**
   * @param {number} timer
   * @param {number} deadline
   * @param {number} position  A free place, which may break the order of the heap.
   */
  #settle (timer, deadline, position) {
    if (position > 0 && deadline < this.#deadlines[(position - 1) >> 2]) this.#percolateUp(timer, deadline, position)
    else this.#percolateDown(timer, deadline, position)
  }

  /**
   * @param {number} timer
   * @param {number} deadline
   * @param {number} position
   */
  #percolateUp (timer, deadline, position) {
    const deadlines = this.#deadlines
    while (position > 0) {
      const parent = (position - 1) >> 2
      if (deadlines[parent] <= deadline) break
      this.#place(this.#timers[parent], deadlines[parent], position)
      position = parent
    }
    this.#place(timer, deadline, position)
  }

  /**
   * @param {number} timer
   * @param {number} deadline
   * @param {number} position
   */
  #percolateDown (timer, deadline, position) {
    const deadlines = this.#deadlines
    for (let first = 4 * position + 1; first < this.size; first = 4 * position + 1) {
      const left = deadlines[first + 1] < deadlines[first] ? first + 1 : first
      const right = deadlines[first + 3] < deadlines[first + 2] ? first + 3 : first + 2
      const child = deadlines[right] < deadlines[left] ? right : left
      if (deadlines[child] >= deadline) break
      this.#place(this.#timers[child], deadlines[child], position)
      position = child
    }
    this.#place(timer, deadline, position)
  }

  /**
   * @param {number} timer
   * @param {number} deadline
   * @param {number} position
   */
  #place (timer, deadline, position) {
    this.#timers[position] = timer
    this.#deadlines[position] = deadline
    this.#positionOf[timer] = position
  }

  #grow () {
    const capacity = 2 * this.#positionOf.length
    this.#positionOf = lengthened(this.#positionOf, capacity, IDLE)
    this.#timers = lengthened(this.#timers, capacity + 4)
    this.#deadlines = lengthened(this.#deadlines, capacity + 4, Infinity)
  }
}
