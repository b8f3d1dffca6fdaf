/** What the intervals of two medians show. */

/** @typedef {import('../../harness/summary.js').MetricSummary} MetricSummary */

/**
 * Whether a cost is shown to be lower than another: their intervals are apart. One sample has no interval and shows nothing.
 *
 * @param {MetricSummary} cheap
 * @param {MetricSummary} dear
 */
export const isApart = (cheap, dear) => cheap.n > 1 && dear.n > 1 && cheap.high < dear.low
