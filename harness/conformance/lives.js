/**
 * Long lives of a queue: many timers pending at once, or few timers started very often. They find what breaks only
 * when an array grows, a table is resized, a slot of many timers cascades or a counter wraps around.
 *
 * Every step does the same to all timers of a crowd, so that a life of 200 000 timers is a few lines of code.
 *
 * @typedef {import('./sequences.js').Sequence} Sequence
 * @typedef {import('./sequences.js').Step} Step
 *
 * @typedef {object} Life
 * @property {number} largest  The largest n that it is tried with.
 * @property {(n: number) => Step[]} steps
 */

/** A life is tried at all sizes up to its largest. The small ones show how fast the queue is. */
export const SIZES = [200, 2000, 20_000, 200_000]

/** Timers that are started again and again. */
const FEW = 50

/** @type {Life[]} */
export const lives = [
  {
    // Every kind of operation on n timers. They come in crowds, so that arrays grow while timers are pending.
    largest: 200_000,
    steps: n => [
      { kind: 'crowd', count: n / 8, spread: 'apart' },
      { kind: 'crowd', count: n / 4, spread: 'dense' },
      { kind: 'crowd', count: n * 5 / 8, spread: 'apart' },
      { kind: 'moveCrowd', every: 3, spread: 'dense' },
      { kind: 'thinCrowd', every: 4 },
      { kind: 'stride', count: 8, ms: 1009 },
      { kind: 'moveCrowd', every: 2, spread: 'apart' },
      { kind: 'stride', count: 64, ms: 2048 }
    ]
  },
  {
    // Durations of all magnitudes: timers cascade through the levels of a wheel by the thousand.
    largest: 20_000,
    steps: n => [
      { kind: 'crowd', count: n, spread: 'wide' },
      { kind: 'stride', count: 20, ms: 97 },
      { kind: 'moveCrowd', every: 2, spread: 'wide' },
      { kind: 'stride', count: 64, ms: 1021 },
      { kind: 'stride', count: 33, ms: 2 ** 25 }
    ]
  },
  {
    // Many timers in one slot, then one timer per slot, the latest first.
    largest: 20_000,
    steps: n => [
      { kind: 'crowd', count: n, spread: 'together' },
      { kind: 'stride', count: 1, ms: 1 },
      { kind: 'moveCrowd', every: 1, spread: 'falling' },
      { kind: 'stride', count: 33, ms: Math.ceil(n / 32) }
    ]
  },
  {
    // Woken by nextExpiry alone.
    largest: 2000,
    steps: n => [
      { kind: 'crowd', count: n, spread: 'wide' },
      { kind: 'drain' },
      { kind: 'moveCrowd', every: 1, spread: 'falling' },
      { kind: 'drain' }
    ]
  },
  {
    // Timers of which some expire before they are moved, n starts in all.
    largest: 200_000,
    steps: n => [
      { kind: 'crowd', count: FEW, spread: 'dense' },
      { kind: 'rounds', count: n / FEW, ms: 1 },
      { kind: 'drain' }
    ]
  },
  {
    // Timers that are always moved in time, n starts in all.
    largest: 200_000,
    steps: n => [
      { kind: 'crowd', count: FEW, spread: 'dense' },
      { kind: 'rounds', count: n / FEW, ms: n },
      { kind: 'drain' }
    ]
  },
  {
    // Handles that are released one by one, and by the thousand.
    largest: 200_000,
    steps: n => [
      { kind: 'crowd', count: FEW, spread: 'dense' },
      { kind: 'reuse', count: n / 2 },
      { kind: 'crowd', count: n / 8, spread: 'apart' },
      { kind: 'releaseCrowd' },
      { kind: 'crowd', count: n / 8, spread: 'apart' },
      { kind: 'releaseCrowd' },
      { kind: 'crowd', count: n / 4, spread: 'apart' },
      { kind: 'stride', count: 8, ms: 16_384 }
    ]
  }
]
