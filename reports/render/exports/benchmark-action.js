/** Values for github-action-benchmark, `tool: customSmallerIsBetter`. */
import { cellId } from '../../../harness/model/cell.js'
import { costsOf, digits } from './dashboard.js'

/** @import { Summary } from '../../../harness/judge/records.js' */

/** @param {{summary: Summary}} report */
export function render ({ summary: { cells } }) {
  const entries = cells.flatMap(cell =>
    costsOf(cell).map(([metric, { unit, median, low, high, n }]) => ({
      name: `${cellId(cell)} ${metric}`,
      unit,
      value: digits(median),
      range: `± ${digits(Math.max(high - median, median - low)) ?? '∞'}`,
      extra: `median of ${n} ${n === 1 ? 'process' : 'processes'}, from ${digits(low)} to ${digits(high) ?? '∞'}`
    }))
  )
  return JSON.stringify(entries, null, 2) + '\n'
}
