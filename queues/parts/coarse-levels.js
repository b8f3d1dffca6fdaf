/** Levels of wheels that never cascade: the longer the duration, the coarser the slot (table in coarse-wheel.js). */

export const SLOTS = 64
export const WIDTH_RATIO = 8
export const LEVELS = 17
/** Width of the slots in milliseconds, by level. */
export const WIDTHS = Array.from({ length: LEVELS }, (_, level) => WIDTH_RATIO ** level)

/**
 * The finest level whose slots reach this far.
 *
 * @param {number} duration  Milliseconds.
 */
export function levelOf (duration) {
  let level = 0
  while (level < LEVELS - 1 && duration >= SLOTS * WIDTHS[level]) level++
  return level
}
