/**
 * Hashed timer wheel: one level of 16 384 slots of a millisecond each. The deadline modulo the number of slots gives
 * the slot, so a slot holds timers of this revolution and of later ones.
 *
 *   insert      O(1)
 *   cancel      O(1)
 *   reschedule  O(1)
 *   nextExpiry  O(n)   searches the slots from now on for a timer of this revolution
 *   advance     O(n)   searches every slot, each time
 *
 * Expired timers fire in no particular order. neqo's wheel also searched all slots, which took 5 to 10 microseconds a
 * poll with a single timer pending. Compare hashed-wheel-bounded.
 * Source: G. Varghese and T. Lauck, "Hashed and Hierarchical Timing Wheels", SOSP 1987, scheme 6; neqo before pull
 * request 1780.
 */
import { HashedSlots, SLOTS } from './parts/hashed-slots.js'

/** @import { QueueMeta } from './contract.js' */
/** @import { ListTimer } from './parts/linked-timers.js' */

/** @type {QueueMeta} */
export const meta = {
  name: 'hashed-wheel',
  title: 'Hashed wheel of 16 384 slots, all looked into',
  complexity: { insert: 'O(1)', cancel: 'O(1)', reschedule: 'O(1)', nextExpiry: 'O(n)', advance: 'O(n)' },
  order: 'none',
  accuracy: 'exact',
  source: 'Varghese and Lauck, SOSP 1987, scheme 6; neqo before pull request 1780'
}

export class HashedWheel extends HashedSlots {
  /** @type {(now: number, expire: (timer: ListTimer) => void) => void} */
  advance (now, expire) {
    this.expireSlots(SLOTS, now, expire)
  }
}
