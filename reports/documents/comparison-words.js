/** A comparison in words: what was found in a row, and in the whole. */
import { formatNumber, placeOf } from '../../harness/model/numbers.js'

/**
 * @typedef {import('../../harness/compare.js').ComparisonRecord} ComparisonRecord
 * @typedef {import('../../harness/verdict.js').Comparison} Comparison
 */

/** What worse and better are called. */
const WORDS = new Map(Object.entries({
  nsPerOp: { title: 'time', worse: 'slower', better: 'faster' },
  startNsPerTimer: { title: 'start', worse: 'slower', better: 'faster' },
  expireNsPerTimer: { title: 'expiry', worse: 'slower', better: 'faster' },
  nextExpiryNsPerCall: { title: 'next', worse: 'slower', better: 'faster' },
  advanceNsPerCall: { title: 'advance', worse: 'slower', better: 'faster' },
  workPerOp: { title: 'work', worse: 'more work', better: 'less work' },
  bytesPerTimer: { title: 'bytes', worse: 'more memory', better: 'less memory' },
  cpuMicrosPerRequest: { title: 'CPU', worse: 'more CPU', better: 'less CPU' },
  requestsPerSecond: { title: 'req/s', worse: 'fewer requests', better: 'more requests' },
  latencyP99Ms: { title: 'p99', worse: 'longer', better: 'shorter' }
}))

/** @param {string} metric */
export function metricTitle (metric) {
  return WORDS.get(metric)?.title ?? metric
}

/**
 * @param {Comparison} row
 * @returns {string}
 */
export function describeRow (row) {
  if (row.verdict === 'invalid') return `not measured: ${row.reason}`
  if (row.verdict === 'inconclusive') return `unclear, ${describeRange(row)}; ${formatPairs(row.morePairs ?? 1)} more would tell`
  if (row.change === 'same') return row.exact ? 'the same' : 'no difference'
  const words = /** @type {{worse: string, better: string}} */ (WORDS.get(row.metric))
  const text = `${formatPercent(Math.abs(Number(row.ratio ?? 1) - 1))} ${row.change === 'slower' ? words.worse : words.better}`
  return row.verdict === 'pass' && row.change === 'slower' ? `${text}, within the margin` : text
}

/** @param {ComparisonRecord} record */
export function describeWhole ({ verdict, comparisons, control, unmatched }) {
  const gating = comparisons.filter(({ gates }) => gates)
  const of = (/** @type {string} */ wanted) => gating.filter(({ verdict }) => verdict === wanted)
  if (control?.moved) {
    return `the base differs from itself by ${formatPercent(Math.abs(control.ratio - 1))}: the machine was disturbed, nothing can be concluded`
  }
  if (gating.length === 0) return unmatched.length > 0 ? 'nothing to compare: no cell matches' : 'nothing to compare'
  const many = `of ${gating.length} ${gating.length === 1 ? 'row' : 'rows'}`
  if (verdict === 'regression') return `${of('regression').length} ${many}: ${of('regression').map(row => `${describeCell(row)}: ${describeRow(row)}`).join('; ')}`
  if (verdict === 'invalid') return `${of('invalid').length} ${many} could not be measured: ${describeCell(of('invalid')[0])}: ${of('invalid')[0].reason}`
  if (verdict === 'inconclusive') {
    const more = Math.max(...of('inconclusive').map(({ morePairs }) => morePairs ?? 1))
    return `${of('inconclusive').length} ${many} unclear; about ${formatPairs(more)} more would tell`
  }
  const faster = gating.filter(({ change }) => change === 'faster').length
  return `no regression in ${gating.length} ${gating.length === 1 ? 'row' : 'rows'}${faster > 0 ? `, ${faster} better` : ''}`
}

/**
 * Not worth a reader's time.
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

/** @param {number} fraction */
export function formatPercent (fraction) {
  const percent = fraction * 100
  return `${percent >= 0.1 ? formatNumber(percent).replace(/^(\d+\.\d)\d+$/, '$1') : percent === 0 ? '0' : '<0.1'} %`
}

/** @param {Pick<Comparison, 'ratio' | 'low' | 'high'>} row */
export function formatRatioInterval ({ ratio, low, high }) {
  if (ratio === null) return '-'
  const three = (/** @type {number} */ value) => value < 9.995 ? value.toFixed(3) : formatNumber(value)
  return low === high ? three(ratio) : `${three(ratio)} (${three(Number(low))}–${three(Number(high))})`
}

/** @param {number | null} p */
export function formatP (p) {
  if (p === null) return ''
  return p < 0.001 ? '<0.001' : p.toFixed(3)
}

/** @param {Comparison} row */
export function formatDetectable ({ exact, detectable }) {
  if (exact) return ''
  return detectable === null ? 'nothing' : formatPercent(detectable)
}

/** @param {Comparison} row */
function describeRange ({ low, high, better }) {
  const worse = better === 'lower' ? Number(high) - 1 : 1 - Number(low)
  const gain = better === 'lower' ? 1 - Number(low) : Number(high) - 1
  const ends = [gain > 0 ? `${formatPercent(gain)} better` : `${formatPercent(-gain)} worse`, worse > 0 ? `${formatPercent(worse)} worse` : `${formatPercent(-worse)} better`]
  return ends.join(' to ')
}

/** @param {number} count */
const formatPairs = count => `${count} ${count === 1 ? 'pair' : 'pairs'}`
