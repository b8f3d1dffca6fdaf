/**
 * The quaternary heap, if a timer did not know its place: whatever moves or leaves must be searched for.
 *
 *   insert      O(log n)
 *   cancel      O(n)
 *   reschedule  O(n)
 *   nextExpiry  O(1)
 *   advance     O(k log n) for k expired timers
 *
 * Timers fire by deadline; ties in any order.
 * Source: the heap that crystal-lang/crystal pull request 15206 (2024) tried and gave up for a pairing heap.
 */
import { meta as heapMeta, QuaternaryHeap } from './quaternary-heap.js'

/** @import { QueueMeta } from './contract.js' */

/** @type {QueueMeta} */
export const meta = {
  ...heapMeta,
  name: 'searched-heap',
  title: 'Heap of four children a node that searches for a timer to cancel',
  complexity: { ...heapMeta.complexity, cancel: 'O(n)', reschedule: 'O(n)' },
  source: 'crystal-lang/crystal pull request 15206 (2024)'
}

export class SearchedHeap extends QuaternaryHeap {
  /**
   * @override
   * @param {number} timer
   */
  cancel (timer) {
    this.#search(timer)
    return super.cancel(timer)
  }

  /**
   * @override
   * @type {(timer: number, deadline: number) => void}
   */
  reschedule (timer, deadline) {
    this.#search(timer)
    super.reschedule(timer, deadline)
  }

  /** @param {number} timer */
  #search (timer) {
    if (this.isPending(timer)) this.placeOf[timer] = this.timers.indexOf(timer, this.root)
  }
}
