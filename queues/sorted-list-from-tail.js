/**
 * Sorted linked list, searched from the latest deadline.
 *
 *   insert      O(n)   O(1) when no pending timer expires later, as with one common duration
 *   cancel      O(1)
 *   reschedule  O(n)   O(1) likewise
 *   nextExpiry  O(1)
 *   advance     O(k) for k expired timers
 *
 * Timers fire by deadline, ties in the order started. The list of Node 0.10, searched from the other end: its worst
 * case becomes the best case. Mixed durations still cost a walk.
 * Source: G. Varghese and T. Lauck, "Hashed and Hierarchical Timing Wheels", SOSP 1987, scheme 2.
 */
import { SortedLinkedList } from './parts/sorted-linked-list.js'

/** @import { QueueMeta } from './contract.js' */
/** @import { Linked } from './parts/linked-timers.js' */

/** @type {QueueMeta} */
export const meta = {
  name: 'sorted-list-from-tail',
  title: 'Sorted linked list, searched from the latest deadline',
  complexity: { insert: 'O(n)', cancel: 'O(1)', reschedule: 'O(n)', nextExpiry: 'O(1)', advance: 'O(k)' },
  order: 'fifo',
  accuracy: 'exact',
  source: 'Varghese and Lauck, "Hashed and Hierarchical Timing Wheels", SOSP 1987, scheme 2'
}

export class SortedListFromTail extends SortedLinkedList {
  /**
   * @protected
   * @override
   * @type {(deadline: number) => Linked}
   */
  predecessorOf (deadline) {
    const { head } = this
    let { previous } = head
    while (previous !== head && previous.deadline > deadline) previous = previous.previous
    return previous
  }
}
