/**
 * Sorted linked list, searched from the earliest deadline: the idle timers of Node 0.10 and 0.11.
 *
 *   insert      O(n)   walks past every timer that expires earlier
 *   cancel      O(1)
 *   reschedule  O(n)
 *   nextExpiry  O(1)
 *   advance     O(k) for k expired timers
 *
 * Timers fire by deadline, ties in the order started. With one common duration a new timer is always the latest, so
 * every refresh walks the whole list. In 2014 that took a third of an HTTP server's CPU time. Compare
 * sorted-list-from-tail.
 * Source: Node.js 0.10, lib/timers.js, _unrefActive.
 */
import { SortedLinkedList } from './parts/sorted-linked-list.js'

/** @import { QueueMeta } from './contract.js' */
/** @import { Linked } from './parts/linked-timers.js' */

/** @type {QueueMeta} */
export const meta = {
  name: 'sorted-list',
  title: 'Sorted linked list, searched from the earliest deadline',
  complexity: { insert: 'O(n)', cancel: 'O(1)', reschedule: 'O(n)', nextExpiry: 'O(1)', advance: 'O(k)' },
  order: 'fifo',
  accuracy: 'exact',
  source: 'Node.js 0.10, lib/timers.js'
}

export class SortedList extends SortedLinkedList {
  /**
   * @protected
   * @override
   * @type {(deadline: number) => Linked}
   */
  predecessorOf (deadline) {
    const { head } = this
    let previous = head
    while (previous.next !== head && previous.next.deadline <= deadline) previous = previous.next
    return previous
  }
}
