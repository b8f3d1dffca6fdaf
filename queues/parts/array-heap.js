/**
 * Base of the heaps in typed arrays. How many children a node has is up to the subclass, which does the percolation.
 *
 * A timer is a small integer. Deadlines lie in the order of the heap, so that siblings are neighbours, and each timer's place
 * is kept, so cancelling needs no search. While a timer expires, the root stays vacant: a timer that is started meanwhile, often
 * the same one, percolates from there, and the last leaf stays where it is.
 *
 * An array sorted by deadline is a heap. A subclass may make use of that: as long as timers only start in the order of their
 * deadlines, and expire, nothing percolates, and the place after the root is the next root.
 *
 *   insert      O(log n)   O(1) when nothing is due later
 *   cancel      O(log n)
 *   reschedule  O(log n)   one percolation, up or down
 *   nextExpiry  O(1)       O(log n) the first time after a timer expired
 *   advance     O(k log n) for k expired timers
 *
 * Timers fire by deadline; ties in any order. Not bounded: when the arrays are full, one insert copies all timers, or moves them
 * to the start where the order is used.
 */
import { Handles, lengthened } from './handles.js'

const IDLE = -1
/** Places after the last leaf that may be compared with their siblings. */
const SPARE = 3

/** @abstract */
export class ArrayHeap {
  #handles = new Handles()
  /** By timer. */
  #placeOf = new Int32Array(64).fill(IDLE)
  /**
   * By place.
   *
   * @protected
   */
  timers = new Int32Array(64)
  /**
   * By place; -Infinity at a vacant root, Infinity after the last leaf.
   *
   * @protected
   */
  deadlines = new Float64Array(64 + SPARE).fill(Infinity)
  /** @protected */
  root = 0
  /**
   * The place after the last leaf.
   *
   * @protected
   */
  end = 0
  #usesOrder
  #isSorted
  #isRootVacant = false
  /** Deadline of the timer that fired last: expire may ask for it. */
  #firedDeadline = 0

  /** @param {boolean} usesOrder  Whether nothing percolates as long as the array is sorted. */
  constructor (usesOrder) {
    this.#usesOrder = usesOrder
    this.#isSorted = usesOrder
  }

  /**
   * @abstract
   * @protected
   * @param {number} _timer
   * @param {number} _deadline
   * @param {number} _place  A free leaf.
   */
  percolateUp (_timer, _deadline, _place) {
    throw new Error('a subclass must implement percolateUp')
  }

  /**
   * Puts a timer at a free place, or where it belongs above or below.
   *
   * @abstract
   * @protected
   * @param {number} _timer
   * @param {number} _deadline
   * @param {number} _place
   */
  settle (_timer, _deadline, _place) {
    throw new Error('a subclass must implement settle')
  }

  get size () {
    return this.end - this.root - Number(this.#isRootVacant)
  }

  /** @param {unknown} payload */
  createTimer (payload) {
    const timer = this.#handles.take(payload)
    if (timer === this.#placeOf.length) this.#placeOf = lengthened(this.#placeOf, 2 * timer, IDLE)
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
    const place = this.end
    if (this.#isSorted && place < this.timers.length && (place === this.root || this.deadlines[place - 1] <= deadline)) {
      this.put(timer, deadline, place)
      this.end = place + 1
    } else {
      this.#insertIntoHeap(timer, deadline)
    }
  }

  /** @param {number} timer */
  cancel (timer) {
    const place = this.#placeOf[timer]
    if (place === IDLE) return false
    this.#placeOf[timer] = IDLE
    this.#vacate(place)
    return true
  }

  /**
   * @param {number} timer
   * @param {number} deadline
   */
  reschedule (timer, deadline) {
    const place = this.#placeOf[timer]
    if (place === IDLE) return this.insert(timer, deadline)
    this.#isSorted = false
    this.settle(timer, deadline, place)
  }

  nextExpiry () {
    if (this.#isRootVacant) {
      this.#isRootVacant = false
      this.#vacate(this.root)
    }
    return this.deadlines[this.root]
  }

  /**
   * @param {number} now
   * @param {(timer: number) => void} expire
   */
  advance (now, expire) {
    while (this.nextExpiry() <= now) {
      const { root } = this
      const timer = this.timers[root]
      this.#firedDeadline = this.deadlines[root]
      this.#placeOf[timer] = IDLE
      if (this.#isSorted) {
        this.deadlines[root] = Infinity
        this.root++
        if (this.root === this.end) this.root = this.end = 0
      } else {
        this.deadlines[root] = -Infinity
        this.#isRootVacant = true
      }
      expire(timer)
    }
  }

  /** @param {number} timer */
  deadlineOf (timer) {
    const place = this.#placeOf[timer]
    return place === IDLE ? this.#firedDeadline : this.deadlines[place]
  }

  /** @param {number} timer */
  payloadOf (timer) {
    return this.#handles.payloadOf(timer)
  }

  /** @param {number} timer */
  isPending (timer) {
    return this.#placeOf[timer] !== IDLE
  }

  /**
   * @protected
   * @param {number} timer
   * @param {number} deadline
   * @param {number} place
   */
  put (timer, deadline, place) {
    this.timers[place] = timer
    this.deadlines[place] = deadline
    this.#placeOf[timer] = place
  }

  /**
   * @param {number} timer
   * @param {number} deadline
   */
  #insertIntoHeap (timer, deadline) {
    if (this.#isRootVacant) {
      this.#isRootVacant = false
      this.settle(timer, deadline, this.root)
      return
    }
    if (this.end === this.timers.length) this.#makeRoom()
    if (this.end > this.root && deadline < this.deadlines[this.end - 1]) this.#isSorted = false
    this.percolateUp(timer, deadline, this.end++)
  }

  /**
   * Fills the place of a timer that has left with the last leaf.
   *
   * @param {number} place
   */
  #vacate (place) {
    const last = --this.end
    const deadline = this.deadlines[last]
    this.deadlines[last] = Infinity
    if (place !== last) {
      this.#isSorted = false
      // The last leaf may come from another subtree, so it can belong above the place or below it.
      this.settle(this.timers[last], deadline, place)
    } else if (place === this.root) {
      this.root = this.end = 0
      this.#isSorted = this.#usesOrder
    }
  }

  /** Moves the heap to the start of the arrays where half of them is free, or else lengthens them. */
  #makeRoom () {
    const { timers, deadlines, root } = this
    const capacity = timers.length
    if (2 * root < capacity) {
      this.timers = lengthened(timers, 2 * capacity)
      this.deadlines = lengthened(deadlines, 2 * capacity + SPARE, Infinity)
      return
    }
    for (let place = root; place < capacity; place++) {
      this.put(timers[place], deadlines[place], place - root)
      deadlines[place] = Infinity
    }
    this.root = 0
    this.end -= root
  }
}
