/** Growth of costs where timers with durations of 0, 1, 2 ... ms all expire: several documents have claims about it. */

/** @import { CellSpec, Condition, Preset } from './claim.js' */

const SIZES = { quick: [1000, 10_000], documented: [10_000, 100_000] }

/** Limits of growth in proportion to n. */
export const LINEAR = { above: 0.7, below: 1.3 }
/** log n is n ** 0.12 from 1000 to 10 000. */
export const LOGARITHMIC = { below: 0.2 }
/** Growth that does not show between two sizes. */
export const CONSTANT = { below: 0.3 }

/** @param {Preset} preset */
export function staggeredExpiry (preset) {
  const [small, large] = SIZES[preset]
  const cell = (/** @type {string} */ queue, size = large) =>
    /** @type {CellSpec} */ ({ scenario: 'staggered-expiry', queue, params: { size } })
  /** @type {(queue: string, metric: string, limits: {above?: number, below?: number}) => Condition} */
  const growth = (queue, metric, limits) => ({
    metric,
    of: cell(queue),
    to: cell(queue, small),
    growth: large / small,
    ...limits
  })
  return { cell, growth }
}
