/** What the words of `--expect` want of each row. By default, a head must not be slower. */
import { countedMetrics, isGuard, metrics } from '../model/metrics.js'

/**
 * @import { Wanted } from '../judge/records.js'
 * @import { CellPlace } from '../model/cell.js'
 *
 * @typedef {object} Expected  A word of `--expect`.
 * @property {Wanted['change'] | 'not-slower'} change
 * @property {number} [floor]
 * @property {string} [rows]  Pattern of scenarios or queues, in which * stands for anything. Default: all rows.
 */

/**
 * The last word that names a row holds for it, else the last that names no rows.
 *
 * @param {CellPlace & {metric: string}} row
 * @param {Expected[]} [expected]
 * @returns {Wanted | undefined} undefined: not slower. Noisy metrics are never expected to improve.
 */
export function wantedOf (row, expected = []) {
  const { change = 'not-slower', floor } =
    expected.findLast(({ rows }) => rows !== undefined && isMeant(row, rows)) ??
    expected.findLast(({ rows }) => rows === undefined) ??
    {}
  if (isGuard(row.metric) || change === 'not-slower') return undefined
  return { change, ...(floor !== undefined && { floor }) }
}

/**
 * Words whose rows are not there: they would be met by nothing.
 *
 * @param {CellPlace[]} rows
 * @param {Expected[]} [expected]
 */
export const lostAmong = (rows, expected = []) =>
  expected.filter(
    ({ change, rows: pattern }) =>
      pattern !== undefined &&
      !rows.some(row => isMeant(row, pattern)) &&
      !(change === 'not-slower' && countedMetrics.some(metric => metrics[metric].short === pattern))
  )

/**
 * @param {CellPlace} row
 * @param {string} pattern
 */
export function isMeant ({ scenario, queue }, pattern) {
  const parts = pattern.split('*').map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const named = new RegExp(`^${parts.join('.*')}$`)
  return named.test(scenario) || named.test(queue)
}
