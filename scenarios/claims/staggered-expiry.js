/** Growth of costs with the number of timers when all expire, after 0, 1, 2 ... ms: a claim of several sources. */

/** @import { CellSpec, Condition, Preset } from './claim.js' */

const SIZES = { quick: [1000, 10_000], documented: [10_000, 100_000] }

/** Limits of e in cost ~ n ** e, for costs in proportion to n. */
export const LINEAR = { above: 0.7, below: 1.3 }
/** From 1000 to 10 000, log n grows like n ** 0.12. */
export const LOGARITHMIC = { below: 0.2 }
/** Growth too small to show between two sizes. */
export const CONSTANT = { below: 0.3 }
/** Times beside the exact counts that decide. */
export const SHOWN = {}

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
