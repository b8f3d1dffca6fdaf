/**
 * How fast a core was while a heat ran, by a loop of additions (harness/micro/core-watch.js).
 *
 * @typedef {object} CoreSpeed
 * @property {number} loopMs  What the loop took at best, as the median of a turn.
 * @property {boolean} isSlow  Something else slowed the core down: some queue had fewer than half of its turns at full speed.
 */

/** Two cores at full speed differ by 3 %, and sharing one costs 15 % and more. */
const FULL_SPEED = 1.1

/**
 * @param {number} loopMs
 * @param {number} paceMs  What the loop takes at full speed.
 */
export function isFullSpeed (loopMs, paceMs) {
  return loopMs <= FULL_SPEED * paceMs
}
