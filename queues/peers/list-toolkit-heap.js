/**
 * list-toolkit's MinHeap: a binary heap in an array, ordered by a predicate. To remove an entry, it searches the whole
 * array, so nothing is removed: see lazy-deletion.
 */
import MinHeap from 'list-toolkit/heap/min-heap.js'
import { LazyDeletion, declared, isEarlier } from './lazy-deletion.js'

/** @import { Entry } from './lazy-deletion.js' */

export const meta = declared('list-toolkit-heap', 'Binary heap', 'list-toolkit')

export class ListToolkitHeapTimers extends LazyDeletion {
  /** @type {MinHeap<Entry>} */
  #heap = new MinHeap({ less: isEarlier })

  /** @override */
  first () {
    return this.#heap.top
  }

  /**
   * @override
   * @type {(entry: Entry) => void}
   */
  push (entry) {
    this.#heap.push(entry)
  }

  /** @override */
  pop () {
    this.#heap.pop()
  }

  /** @override */
  takeAll () {
    const entries = this.#heap.array
    this.#heap.clear()
    return entries
  }
}
