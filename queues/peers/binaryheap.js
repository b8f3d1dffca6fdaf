/**
 * binaryheap: a binary heap of linked nodes, by the author of the Node wiki's heap. What it removes from the middle it
 * only ever replaces downwards, which leaves a heap out of order, so nothing is removed: see lazy-deletion.
 */
// @ts-expect-error It comes without types.
import Heap from 'binaryheap'
import { LazyDeletion, declared } from './lazy-deletion.js'

/** @typedef {import('./lazy-deletion.js').Entry} Entry */

export const meta = declared('binaryheap', 'Binary heap of linked nodes')

export class BinaryheapTimers extends LazyDeletion {
  #heap = new Heap(true)

  /** @override */
  first () {
    return this.#heap.root
  }

  /**
   * @override
   * @param {Entry} entry
   */
  push (entry) {
    this.#heap.insert(entry, entry.deadline)
  }

  /** @override */
  pop () {
    this.#heap.pop()
  }
}
