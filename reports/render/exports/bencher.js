/** Bencher Metric Format, for `bencher run --adapter json`: a measure for each metric. */
import { cellId } from '../../../harness/model/cell.js'
import { costsOf, digits } from './dashboard.js'

/** @import { Summary } from '../../../harness/judge/records.js' */

/** @param {{summary: Summary}} report */
export function render ({ summary: { cells } }) {
  const benchmarks = cells.map(cell => [
    cellId(cell),
    Object.fromEntries(
      costsOf(cell).map(([metric, { median, low, high }]) => [
        kebab(metric),
        { value: digits(median), lower_value: digits(low), upper_value: digits(high) }
      ])
    )
  ])
  return JSON.stringify(Object.fromEntries(benchmarks), null, 2) + '\n'
}

/** @param {string} name */
const kebab = name => name.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
