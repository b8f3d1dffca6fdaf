/**
 * Unordered linked list of timers, scanned as a whole when a timer may be due: the idle timers of Node 0.12.
 *
 *   insert      O(1)
 *   cancel      O(1)
 *   reschedule  O(1)
 *   nextExpiry  O(1)   the earliest deadline seen by the last scan or set since; its timer may have left
 *   advance     O(n)   one scan when a timer may be due, O(1) before
 *
 * Timers of one advance fire in the order in which they were started.
 * Source: Node.js 0.12, lib/timers.js, _unrefActive and unrefTimeout.
 */
import { createRing } from './parts/linked-timers.js'
import { ScannedRings } from './parts/scanned-rings.js'

/** @import { QueueMeta } from './contract.js' */
/** @import { ListTimer } from './parts/linked-timers.js' */

/** @type {QueueMeta} */
export const meta = {
  name: 'unordered-list',
  title: 'Unordered linked list, scanned when a timer may be due',
  complexity: { insert: 'O(1)', cancel: 'O(1)', reschedule: 'O(1)', nextExpiry: 'O(1)', advance: 'O(n)' },
  order: 'none',
  accuracy: 'exact',
  source: 'Node.js 0.12, lib/timers.js'
}

export class UnorderedList extends ScannedRings {
  #head = createRing()
  /** No timer is due earlier. */
  #wakeAt = Infinity

  /**
   * @override
   * @type {(timer: ListTimer, deadline: number) => void}
   */
  insert (timer, deadline) {
    this.insertAfter(timer, deadline, this.#head.previous)
    if (deadline < this.#wakeAt) this.#wakeAt = deadline
  }

  nextExpiry () {
    return this.size === 0 ? Infinity : this.#wakeAt
  }

  /** @type {(now: number, expire: (timer: ListTimer) => void) => void} */
  advance (now, expire) {
    if (this.#wakeAt > now) return
    // Stored after the scan: if a callback throws, the next advance scans again.
    this.#wakeAt = this.expireRing(this.#head, now, expire)
  }
}
