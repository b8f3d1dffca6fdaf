/**
 * How fast a core was while a queue was measured in a heat, by a loop of loads and additions (harness/measure/micro/core-watch.js).
 *
 * @typedef {object} CoreSpeed
 * @property {number} loopMs  What the loop took at best in the heat: a tenth of the times of a turn were no longer.
 * @property {boolean} isSlow  Something else slowed the core down: the queue measured too little at full speed.
 */

/** Two cores at full speed differ by 3 %. With 1.2 instead, times come out 1 % longer, with 1.5 2 % (docs/heats-measured.md). */
const FULL_SPEED = 1.1

/**
 * @param {number} loopMs
 * @param {number} paceMs  What the loop takes at full speed.
 */
export function isFullSpeed (loopMs, paceMs) {
  return loopMs <= FULL_SPEED * paceMs
}
