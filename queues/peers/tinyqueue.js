/** tinyqueue: a binary heap in an array, ordered by a comparator. It cannot remove an entry: see lazy-deletion. */
import TinyQueue from 'tinyqueue'
import { LazyDeletion, byDeadline, declared } from './lazy-deletion.js'

/** @import { Entry } from './lazy-deletion.js' */

export const meta = declared('tinyqueue', 'Binary heap')

export class TinyQueueTimers extends LazyDeletion {
  /** @type {TinyQueue<Entry>} */
  #heap = new TinyQueue([], byDeadline)

  /** @override */
  first () {
    return this.#heap.peek()
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
    const { data } = this.#heap
    this.#heap = new TinyQueue([], byDeadline)
    return data
  }
}
