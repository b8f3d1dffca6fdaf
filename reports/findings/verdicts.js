/** A comparison in words: what was found in a row, and in the whole. */
import { metrics } from '../../harness/model/metrics.js'
import { formatCount, formatPercent, placeOf } from '../../harness/model/numbers.js'

/**
 * @typedef {import('../../harness/compare.js').ComparisonRecord} ComparisonRecord
 * @typedef {import('../../harness/verdict.js').Comparison} Comparison
 */

/**
 * @param {Comparison} row
 * @returns {string}
 */
export function describeRow (row) {
  if (row.verdict === 'invalid') return `not measured: ${row.reason}`
  if (row.verdict === 'inconclusive') return `unclear, ${describeRange(row)}; ${describeNeed(row.morePairs)}`
  if (row.change === 'same') return row.exact ? 'the same' : 'no difference'
  const { worse, improved } = metrics[row.metric]
  const text = `${formatPercent(Math.abs(Number(row.ratio ?? 1) - 1))} ${row.change === 'slower' ? worse : improved}`
  return row.verdict === 'pass' && row.change === 'slower' ? `${text}, within the margin` : text
}

/** @param {ComparisonRecord} record */
export function describeWhole ({ verdict, comparisons, control, unmatched }) {
  const gating = comparisons.filter(({ gates }) => gates)
  if (control?.moved) {
    return `the base differs from itself by ${formatPercent(Math.abs(control.ratio - 1))}: the machine was disturbed, nothing can be concluded`
  }
  if (gating.length === 0) return unmatched.length > 0 ? 'nothing to compare: no cell matches' : 'nothing to compare'
  const rows = formatCount(gating.length, 'row')
  const decisive = gating.filter(row => row.verdict === verdict)
  const share = `${decisive.length} of ${rows}`
  switch (verdict) {
    case 'regression': return `${share}: ${decisive.map(row => `${describeCell(row)}: ${describeRow(row)}`).join('; ')}`
    case 'invalid': return `${share} could not be measured: ${describeCell(decisive[0])}: ${decisive[0].reason}`
    case 'inconclusive': return `${share} unclear; ${describeNeed(Math.max(...decisive.map(({ morePairs }) => morePairs ?? 1)))}`
  }
  const faster = gating.filter(({ change }) => change === 'faster').length
  return `no regression in ${rows}${faster > 0 ? `, ${faster} better` : ''}`
}

/**
 * Nothing changed: not worth a reader's time.
 *
 * @param {Comparison} row
 */
export function isQuiet ({ gates, verdict, change }) {
  return gates ? verdict === 'pass' && change === 'same' : change === 'same' || change === 'unclear'
}

/** @param {{queue: string, scenario: string, params: Record<string, number>}} cell */
export function describeCell ({ queue, scenario, params }) {
  return `${queue} on ${placeOf({ scenario, params })}`
}

/** @param {Comparison} row */
function describeRange ({ low, high, better }) {
  const worse = better === 'lower' ? Number(high) - 1 : 1 - Number(low)
  const gain = better === 'lower' ? 1 - Number(low) : Number(high) - 1
  const ends = [gain > 0 ? `${formatPercent(gain)} better` : `${formatPercent(-gain)} worse`, worse > 0 ? `${formatPercent(worse)} worse` : `${formatPercent(-worse)} better`]
  return ends.join(' to ')
}

/** @param {number | null} pairs */
const describeNeed = pairs => `about ${pairs ?? 1} more ${pairs === null || pairs === 1 ? 'pair' : 'pairs'} needed`
