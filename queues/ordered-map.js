/**
 * Ordered map of deadlines: a B+-tree in typed arrays (parts/b-plus-tree.js). Timers with one deadline form a ring, and
 * the tree has an entry for each ring: the timer that started first.
 *
 *   insert      O(log n)   O(1) when nothing is due later, unless a node must be split
 *   cancel      O(log n)   O(1) unless it leaves a node of the tree empty
 *   reschedule  O(log n)
 *   nextExpiry  O(1)
 *   advance     O(k log n) for k expired timers
 *
 * Timers fire by deadline, ties in the order started. When the arrays are full, one call copies all timers.
 * Source: R. Bayer and E. McCreight, "Organization and maintenance of large ordered indexes", Acta Informatica 1, 1972;
 * D. Comer, "The ubiquitous B-tree", ACM Computing Surveys 11(2), 1979; suggested in neqo pull request 1780.
 */
import { BPlusTree } from './parts/b-plus-tree.js'
import { Handles, lengthened } from './parts/handles.js'

/** @import { QueueMeta } from './contract.js' */

/** @type {QueueMeta} */
export const meta = {
  name: 'ordered-map',
  title: 'Ordered map of deadlines: a B+-tree in typed arrays',
  complexity: {
    insert: 'O(log n)',
    cancel: 'O(log n)',
    reschedule: 'O(log n)',
    nextExpiry: 'O(1)',
    advance: 'O(k log n)'
  },
  order: 'fifo',
  accuracy: 'exact',
  source: 'Bayer and McCreight, Acta Informatica 1, 1972; Comer, 1979; suggested in neqo pull request 1780'
}

/** In #next: the timer is not pending. */
const IDLE = -1

export class OrderedMap {
  size = 0
  #handles = new Handles()
  /** Deadline by timer: timers are small integers, the indices of these arrays. */
  #deadlines = new Float64Array(64)
  /** Links of the rings, in the order started; the first timer follows the last. */
  #next = new Int32Array(64).fill(IDLE)
  #previous = new Int32Array(64)
  /** First timer of each ring by deadline. */
  #firsts = new BPlusTree()

  /** @param {unknown} payload */
  createTimer (payload) {
    const timer = this.#handles.take(payload)
    if (timer === this.#next.length) this.#grow()
    return timer
  }

  /** @param {number} timer */
  releaseTimer (timer) {
    this.#handles.release(timer)
  }

  /** @type {(timer: number, deadline: number) => void} */
  insert (timer, deadline) {
    this.#link(timer, deadline)
    this.size++
  }

  /** @param {number} timer */
  cancel (timer) {
    if (this.#next[timer] === IDLE) return false
    this.#unlink(timer)
    this.#next[timer] = IDLE
    this.size--
    return true
  }

  /** @type {(timer: number, deadline: number) => void} */
  reschedule (timer, deadline) {
    if (this.#next[timer] === IDLE) return this.insert(timer, deadline)
    this.#unlink(timer)
    this.#link(timer, deadline)
  }

  nextExpiry () {
    return this.size === 0 ? Infinity : this.#firsts.lowestKey
  }

  /** @type {(now: number, expire: (timer: number) => void) => void} */
  advance (now, expire) {
    while (this.size > 0 && this.#firsts.lowestKey <= now) {
      const timer = this.#firsts.lowestValue
      this.cancel(timer)
      expire(timer)
    }
  }

  /** @param {number} timer */
  deadlineOf (timer) {
    return this.#deadlines[timer]
  }

  /** @param {number} timer */
  payloadOf (timer) {
    return this.#handles.payloadOf(timer)
  }

  /** @param {number} timer */
  isPending (timer) {
    return this.#next[timer] !== IDLE
  }

  /** @type {(timer: number, deadline: number) => void} */
  #link (timer, deadline) {
    this.#deadlines[timer] = deadline
    const first = this.#firsts.getOrInsert(deadline, timer)
    const next = this.#next
    const previous = this.#previous
    if (first === timer) {
      next[timer] = previous[timer] = timer
    } else {
      const last = previous[first]
      next[timer] = first
      previous[timer] = last
      next[last] = previous[first] = timer
    }
  }

  /** @param {number} timer */
  #unlink (timer) {
    const next = this.#next[timer]
    if (next === timer) {
      this.#firsts.remove(timer)
      return
    }
    const previous = this.#previous[timer]
    this.#next[previous] = next
    this.#previous[next] = previous
    if (this.#firsts.has(timer)) this.#firsts.replace(timer, next)
  }

  #grow () {
    const capacity = 2 * this.#next.length
    this.#deadlines = lengthened(this.#deadlines, capacity)
    this.#next = lengthened(this.#next, capacity, IDLE)
    this.#previous = lengthened(this.#previous, capacity)
    this.#firsts.reserve(capacity)
  }
}
