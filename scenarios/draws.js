/** Random draws of workloads. They are made before the clock starts: a timed part draws no random number. */
const FEWEST = 1 << 14
const MOST = 1 << 21

/**
 * Number of random draws that a workload makes beforehand and then repeats. A power of two: enough to reach nearly
 * every timer and to defeat branch prediction, few enough that drawing takes less time than measuring.
 *
 * A cycle continues where the last one ended, and reads that position as an integer, `next | 0`. Otherwise V8 keeps it
 * on the stack, which made a lazy wheel 1.7 times as slow in one process in eight.
 *
 * @param {number} size  Pending timers.
 */
export function drawsFor (size) {
  let draws = FEWEST
  while (draws < MOST && draws < 2 * size) draws *= 2
  return draws
}

/**
 * Draws a number from 0 up to, but not including, 1.
 *
 * @param {(limit: number) => number} random
 */
export const drawUnit = random => random(1 << 24) / (1 << 24)

/**
 * Draws timers, not their numbers: a program has its timer at hand, in a socket. Looking numbers up took 0.7 ns of a
 * refresh. In one process in ten, the processor also took the lookups for loads of what the queue had just stored, and
 * a lazy wheel took up to 1.5 times as long.
 *
 * @param {any[]} timers
 * @param {(limit: number) => number} random
 */
export const drawFrom = (timers, random) =>
  Array.from({ length: drawsFor(timers.length) }, () => timers[random(timers.length)])

/**
 * Draws each timer at least once: others would all expire together.
 *
 * @type {(timers: any[], random: (limit: number) => number) => any[]}
 */
export function drawEach (timers, random) {
  const drawn = Array.from(
    { length: drawsFor(timers.length) },
    (_, i) => timers[i < timers.length ? i : random(timers.length)]
  )
  shuffle(drawn, random)
  return drawn
}

/**
 * Shuffles in place (Fisher and Yates).
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
