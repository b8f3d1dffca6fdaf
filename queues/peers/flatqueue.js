/**
 * flatqueue: a binary heap in two flat arrays, one of priorities and one of entries. It cannot remove an entry: see
 * lazy-deletion.
 */
import FlatQueue from 'flatqueue'
import { FEW, LazyDeletion, declared } from './lazy-deletion.js'

/** @import { Entry } from './lazy-deletion.js' */

export const meta = declared('flatqueue', 'Binary heap in flat arrays')

export class FlatQueueTimers extends LazyDeletion {
  /** @type {FlatQueue<Entry>} */
  #heap = new FlatQueue()

  /** @override */
  first () {
    return this.#heap.peek()
  }

  /**
   * @override
   * @type {(entry: Entry) => void}
   */
  push (entry) {
    this.#heap.push(entry, entry.deadline)
  }

  /** @override */
  pop () {
    this.#heap.pop()
  }

  /** @override */
  takeAll () {
    const entries = this.#heap.ids.slice(0, this.#heap.length)
    this.#heap.clear()
    return entries
  }

  /** @override */
  shrink () {
    if (this.#heap.ids.length > 2 * this.#heap.length + FEW) this.#heap.shrink()
  }
}
