/**
 * fastpriorityqueue: a binary heap in an array, ordered by a predicate. To remove an entry, it searches the whole
 * array, so nothing is removed: see lazy-deletion.
 */
import FastPriorityQueue from 'fastpriorityqueue'
import { FEW, LazyDeletion, declared, isEarlier } from './lazy-deletion.js'

/** @import { Entry } from './lazy-deletion.js' */

export const meta = declared('fastpriorityqueue', 'Binary heap')

export class FastPriorityQueueTimers extends LazyDeletion {
  /** @type {FastPriorityQueue<Entry>} */
  #heap = new FastPriorityQueue(isEarlier)

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
    this.#heap.poll()
  }

  /** @override */
  takeAll () {
    // Not in its types, but a plain property that has always been there.
    const { array, size } = /** @type {any} */ (this.#heap)
    this.#heap.heapify([])
    return array.slice(0, size)
  }

  /** @override */
  shrink () {
    const { array, size } = /** @type {any} */ (this.#heap)
    if (array.length > 2 * size + FEW) this.#heap.trim()
  }
}
