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
 * Timers, to be used one after the other: a program has its timer at hand, in the socket that it belongs to. Numbers of timers would have
 * to be looked up. That took 0.7 ns of a refresh; and in one process in ten, the lookups seemed to the processor to load what the queue
 * had just stored, and a lazy wheel took up to 1.5 times as long (docs/heats-measured.md, "What makes heats scatter").
 *
 * @param {any[]} timers
 * @param {(limit: number) => number} random
 */
export const drawFrom = (timers, random) => Array.from({ length: drawsFor(timers.length) }, () => timers[random(timers.length)])

/**
 * The same, each at least once: one that is never refreshed would expire, and all of those together.
 *
 * @param {any[]} timers
 * @param {(limit: number) => number} random
 */
export function drawEach (timers, random) {
  const drawn = Array.from({ length: drawsFor(timers.length) }, (_, i) => timers[i < timers.length ? i : random(timers.length)])
  shuffle(drawn, random)
  return drawn
}

/**
 * Puts them into a random order (Fisher & Yates).
 *
 * @param {any[] | Uint32Array} values
 * @param {(limit: number) => number} random
 */
export function shuffle (values, random) {
  for (let i = values.length - 1; i > 0; i--) {
    const j = random(i + 1)
    const moved = values[i]
    values[i] = values[j]
    values[j] = moved
  }
}
