/**
 * js-priority-queue: a binary heap in an array, its default strategy, ordered by a comparator. It cannot remove an
 * entry: see lazy-deletion.
 */
// @ts-expect-error It comes without types.
import PriorityQueue from 'js-priority-queue'
import { LazyDeletion, byDeadline, declared } from './lazy-deletion.js'

/** @import { Entry } from './lazy-deletion.js' */

export const meta = declared('js-priority-queue', 'Binary heap')

export class JsPriorityQueueTimers extends LazyDeletion {
  #heap = new PriorityQueue({ comparator: byDeadline })

  /** @override */
  first () {
    return this.#heap.length > 0 ? this.#heap.peek() : undefined
  }

  /**
   * @override
   * @type {(entry: Entry) => void}
   */
  push (entry) {
    this.#heap.queue(entry)
  }

  /** @override */
  pop () {
    this.#heap.dequeue()
  }

  /** @override */
  takeAll () {
    const entries = this.#heap.priv.data.slice()
    this.#heap.clear()
    return entries
  }
}
