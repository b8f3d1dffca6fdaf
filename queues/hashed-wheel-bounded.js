/**
 * Hashed timer wheel that looks only into the slots between its cursor and now.
 *
 *   insert      O(1)
 *   cancel      O(1)
 *   reschedule  O(1)
 *   nextExpiry  O(n)   looks into the slots from now on until one holds a timer of this revolution
 *   advance     O(n)   looks into one slot for each millisecond passed, at most all 16 384
 *
 * Expired timers fire in no particular order. The only difference from hashed-wheel is the optimisation of neqo's pull
 * request 1780: faster with few timers and long pauses between polls, slower in some other cases.
 * Source: neqo pull request 1780 (2024).
 */
import { HashedSlots } from './parts/hashed-slots.js'

/** @type {import('./contract.js').QueueMeta} */
export const meta = {
  name: 'hashed-wheel-bounded',
  title: 'Hashed wheel of 16 384 slots, looked into from cursor to now',
  complexity: { insert: 'O(1)', cancel: 'O(1)', reschedule: 'O(1)', nextExpiry: 'O(n)', advance: 'O(n)' },
  order: 'none',
  accuracy: 'exact',
  source: 'neqo pull request 1780 (2024)'
}

export class HashedWheelBounded extends HashedSlots {
  /**
   * @param {number} now
   * @param {(timer: import('./parts/hashed-slots.js').ListTimer) => void} expire
   */
  advance (now, expire) {
    this.expireSlots(this.slotsUntil(now), now, expire)
  }
}
