/**
 * Hashed timer wheel that searches only the slots between its cursor and now.
 *
 *   insert      O(1)
 *   cancel      O(1)
 *   reschedule  O(1)
 *   nextExpiry  O(n)   searches the slots from now on for a timer of this revolution
 *   advance     O(n)   searches one slot for each millisecond passed, at most all 16 384
 *
 * Expired timers fire in no particular order. The only difference from hashed-wheel is the optimisation of neqo's pull
 * request 1780: faster with few timers and long pauses between polls, slower in some other cases.
 * Source: neqo pull request 1780 (2024).
 */
import { HashedSlots } from './parts/hashed-slots.js'

/** @import { QueueMeta } from './contract.js' */
/** @import { ListTimer } from './parts/linked-timers.js' */

/** @type {QueueMeta} */
export const meta = {
  name: 'hashed-wheel-bounded',
  title: 'Hashed wheel of 16 384 slots, looked into from cursor to now',
  complexity: { insert: 'O(1)', cancel: 'O(1)', reschedule: 'O(1)', nextExpiry: 'O(n)', advance: 'O(n)' },
  order: 'none',
  accuracy: 'exact',
  source: 'neqo pull request 1780 (2024)'
}

export class HashedWheelBounded extends HashedSlots {
  /** @type {(now: number, expire: (timer: ListTimer) => void) => void} */
  advance (now, expire) {
    this.expireSlots(this.slotsUntil(now), now, expire)
  }
}
