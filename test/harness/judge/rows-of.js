/** Rows of pairs made by hand, or drawn. */
import { normal } from './statistics/noise.js'

/** @typedef {import('../../../harness/judge/records.js').Row} Row */

/** A cell. */
export const CELL = { scenario: 'refresh', params: { size: 10 }, queue: 'heap', runtime: 'v20' }

/**
 * Ratios around a slowdown, all different, high and low in turn.
 *
 * @param {number} length
 * @param {number} slowdown
 * @param {number} step  Between neighbours in order of size, in logarithms.
 */
export function around (length, slowdown, step) {
  const half = Math.ceil(length / 2)
  const ranks = Array.from({ length }, (_, i) => (i % 2 === 0 ? i / 2 : half + (i - 1) / 2))
  return ranks.map(rank => slowdown * Math.exp(step * (rank - (length - 1) / 2) + 1e-4 * step * rank ** 2))
}

/**
 * @param {number[]} ratios
 * @param {Partial<Row>} [changed]
 * @returns {Row}
 */
export const rowOf = (ratios, changed) => ({
  ...CELL,
  metric: 'nsPerOp',
  gates: true,
  rounds: ratios.length,
  pairs: ratios.map((ratio, round) => ({ round, base: 50, head: 50 * ratio, ratio })),
  ...changed
})

/**
 * A row whose log ratios are normal.
 *
 * @param {object} options
 * @param {number} [options.slowdown]  1.05: the head takes 5 % longer.
 * @param {number} [options.spread]
 * @param {number} [options.pairs]
 * @param {number} [options.seed]
 * @param {string} [options.metric]
 */
export function drawnRow ({ slowdown = 1, spread = 0.02, pairs = 30, seed = 1, metric = 'nsPerOp' }) {
  // Neighbouring seeds draw similar numbers at first.
  const noise = normal(Math.imul(seed + 1, 0x9e3779b1))
  return rowOf(Array.from({ length: pairs }, () => slowdown * Math.exp(spread * noise())), { metric })
}
