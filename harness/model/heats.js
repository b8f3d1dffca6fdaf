/** Limits of what heats can show, for all rooms. */

/** Fewer heats give no interval to act on: the spread of two values is itself hardly known. */
export const FEWEST_HEATS = 3
/**
 * Heats before a ratio counts as known. From five on, optional stopping costs at most 4 points of the 95 %
 * (docs/reference/trust.md).
 */
export const KNOWN_HEATS = 5
/** Fewer pairs of a gate decide almost nothing. */
export const FEWEST_PAIRS = 8
/** A ratio whose interval ends within 3 % of it is known well enough for a choice. */
export const PRECISION = 0.03
/** Differences up to this ratio are not worth a change of queue. */
export const LEVEL = 1.05
