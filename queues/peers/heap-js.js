/**
 * heap-js: a binary heap in an array, ordered by a comparator. To remove an entry, it searches the whole array, so
 * nothing is removed: see lazy-deletion.
 */
import { Heap } from 'heap-js'
import { LazyDeletion, byDeadline, declared } from './lazy-deletion.js'

/** @import { Entry } from './lazy-deletion.js' */

export const meta = declared('heap-js', 'Binary heap')

export class HeapJsTimers extends LazyDeletion {
  /** @type {Heap<Entry>} */
  #heap = new Heap(byDeadline)

  /** @override */
  first () {
    return this.#heap.peek()
  }

  /**
   * @override
   * @type {(entry: Entry) => void}
   */
  push (entry) {
    this.#heap.add(entry)
  }

  /** @override */
  pop () {
    this.#heap.pop()
  }

  /** @override */
  takeAll () {
    const entries = this.#heap.heapArray
    this.#heap.heapArray = []
    return entries
  }
}
