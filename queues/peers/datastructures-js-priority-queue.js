/**
 * @datastructures-js/priority-queue: a binary heap in an array, ordered by a comparator. To remove an entry, it pops
 * everything and pushes it back, so nothing is removed: see lazy-deletion.
 */
import { PriorityQueue } from '@datastructures-js/priority-queue'
import { LazyDeletion, byDeadline, declared } from './lazy-deletion.js'

/** @import { Entry } from './lazy-deletion.js' */

export const meta = declared('datastructures-js-priority-queue', 'Binary heap', '@datastructures-js/priority-queue')

export class DatastructuresPriorityQueueTimers extends LazyDeletion {
  /** @type {PriorityQueue<Entry>} */
  #heap = new PriorityQueue(byDeadline)

  /** @override */
  first () {
    return this.#heap.front()
  }

  /**
   * @override
   * @type {(entry: Entry) => void}
   */
  push (entry) {
    this.#heap.enqueue(entry)
  }

  /** @override */
  pop () {
    this.#heap.dequeue()
  }

  /** @override */
  takeAll () {
    // Its public methods list entries in sorted order only, which would cost more than popping and pushing them all.
    const entries = /** @type {any} */ (this.#heap)._heap.toArray()
    this.#heap.clear()
    return entries
  }
}
