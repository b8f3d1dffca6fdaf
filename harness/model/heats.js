/** Limits of what heats can show, for all rooms. */

/** Fewer heats give no interval to act on: the spread of two values is itself hardly known. */
export const FEWEST_HEATS = 3
/** A ratio whose interval ends within 3 % of it is known well enough for a choice. */
export const PRECISION = 0.03
