const FEWEST = 1 << 14
const MOST = 1 << 21

/**
 * How many random numbers to draw beforehand; they are then used again and again. A power of two: enough to reach nearly
 * every timer and to defeat branch prediction, few enough that drawing them takes less time than measuring.
 *
 * A cycle that goes on where the last one ended reads its place as an integer, `next | 0`: otherwise V8 keeps it on the stack, and
 * in one process in eight that made a lazy wheel 1.7 times as slow (docs/heats-measured.md, "What makes heats scatter").
 *
 * @param {number} size  Pending timers.
 */
export function drawsFor (size) {
  let draws = FEWEST
  while (draws < MOST && draws < 2 * size) draws *= 2
  return draws
}

/**
 * A number from 0 to 1, without 1.
 *
 * @param {(limit: number) => number} random
 */
export const drawUnit = random => random(1 << 24) / (1 << 24)

/**
 * Timers in a random order, each at least once: one that is never refreshed would expire, and all of those together.
 *
 * @param {number} size  Pending timers.
 * @param {(limit: number) => number} random
 */
export function drawEach (size, random) {
  const draws = Uint32Array.from({ length: drawsFor(size) }, (_, i) => i < size ? i : random(size))
  shuffle(draws, random)
  return draws
}

/**
 * Puts numbers into a random order (Fisher & Yates).
 *
 * @param {Uint32Array} numbers
 * @param {(limit: number) => number} random
 */
export function shuffle (numbers, random) {
  for (let i = numbers.length - 1; i > 0; i--) {
    const j = random(i + 1)
    const moved = numbers[i]
    numbers[i] = numbers[j]
    numbers[j] = moved
  }
}
