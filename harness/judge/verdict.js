/**
 * Verdicts: pairs of samples in, one of five verdicts out. Pure.
 *
 *   regression    significantly slower than the floor allows, adjusted for looks and rows
 *   pass          slowdowns of the margin or more are excluded, and wild pairs do not pile up on the slow side
 *   missed        the row was expected to be faster, or level, and is shown not to be (expectation.js)
 *   inconclusive  neither is shown: more pairs are needed
 *   invalid       nothing could be measured; never a pass
 *
 * Slowdowns below the floor count as noise; slowdowns above the margin must be noticed. Between the two, either verdict
 * is right (docs/reference/trust.md).
 */
import { metrics } from '../model/metrics.js'
import { comparisonOf, decide, detectableIn } from './decision.js'
import { testRows } from './row-tests.js'
import { MOST_DIFFERENCES } from './statistics/signed-rank.js'

/**
 * @import { CellPlace } from '../model/cell.js'
 * @import { Comparison, ComparisonRecord, Look, Row, RowKind, Rules, Verdict } from './records.js'
 */

/** @type {Rules} */
export const DEFAULT_RULES = { floor: 0.02, margin: 0.05, alpha: 0.05 }

/** Allowed increase in the share of failed requests. */
const ERRORS_ALLOWED = 0.01

/** Margins by which a count may grow: blocks differ in what they cost. */
const COUNT_MARGINS = 5
/** The work of a request repeats to the block, and bytes do not differ in what they cost. */
const AT_ONE_MARGIN = ['workPerRequest', 'allocatedBytesPerOp']
/** A block or byte that every count may grow by: zero has no margin. */
const UNNOTICED = 1

/**
 * @param {Row[]} rows
 * @param {Look[]} looks  Planned; none: all rows are complete.
 * @param {Rules} rules
 * @returns {Comparison[]} of each row, in order
 */
export function judge (rows, looks, rules) {
  const tested = testRows(
    rows.filter(row => whyInvalid(row) === null),
    looks,
    rules
  )
  const decided = rows.map(row => {
    const valid = tested.get(row)
    return valid ? combine(valid.map(decide)) : judgeFailed({ ...row, failure: String(whyInvalid(row)) })
  })
  const reach = reachOf(decided, rows, looks)
  return decided.map((comparison, i) => {
    const valid = tested.get(rows[i])
    if (!valid) return comparison
    const detectable = valid.map(test => detectableIn(test, looks, reach))
    return { ...comparison, detectable: detectable.includes(null) ? null : Math.max(...detectable.map(Number)) }
  })
}

/**
 * Both tests of a level row must exclude their direction; one that shows it decides.
 *
 * @param {Comparison[]} decided  Decisions on one row: of a single test, or for slower and faster.
 * @returns {Comparison}
 */
function combine (decided) {
  const [slower, faster = slower] = decided
  const missed = decided.find(({ verdict }) => verdict === 'missed')
  const [open] = decided
    .filter(({ verdict }) => verdict === 'inconclusive')
    .sort((a, b) => Number(b.morePairs) - Number(a.morePairs))
  return missed ?? { ...(open ?? slower), low: faster.low }
}

/**
 * @param {Row} row
 * @returns {string | null}
 */
function whyInvalid ({ failure, pairs }) {
  if (failure) return failure
  if (pairs.length > MOST_DIFFERENCES) {
    return `${pairs.length} pairs, at most ${MOST_DIFFERENCES} can be tested: compare runs of fewer rounds`
  }
  const isMeasured = (/** @type {number} */ value) => Number.isFinite(value) && value > 0
  return pairs.some(({ base, head }) => isMeasured(base) && isMeasured(head)) ? null : 'no pair of samples'
}

/**
 * Rounds of a row that no look decides: those planned, or those that the budget allowed. 0 without planned looks.
 *
 * @param {Comparison[]} comparisons
 * @param {Row[]} rows
 * @param {Look[]} looks
 */
function reachOf (comparisons, rows, looks) {
  if (looks.length === 0) return 0
  const wasCut = comparisons.some(row => row.gates && row.verdict === 'inconclusive' && !isUnclearGuard(row))
  return wasCut ? Math.max(...rows.map(({ rounds }) => rounds)) : looks[looks.length - 1].rounds
}

/**
 * Has a count grown so much that it is a cost? Any smaller difference is real, too, but no reason to fail a change.
 *
 * @param {string} metric
 * @param {number} base  Zero or less where the difference of two heaps is nothing.
 * @param {number} head
 * @param {number} margin
 */
export function hasGrown (metric, base, head, margin) {
  const before = Math.max(0, base)
  const margins = AT_ONE_MARGIN.includes(metric) ? 1 : COUNT_MARGINS
  return head - before > UNNOTICED && head > before * (1 + margins * margin)
}

/**
 * Counts are exact, so any difference is a change.
 *
 * @param {CellPlace & RowKind} row
 * @param {number} base
 * @param {number} head
 * @param {boolean} [isRegression]  Default: any worse count is one.
 * @returns {Comparison}
 */
export function judgeExact (row, base, head, isRegression) {
  const isMoreWorse = metrics[row.metric].better === 'lower'
  const ratio = base === 0 ? null : head / base
  const change = head === base ? 'same' : (head > base) === isMoreWorse ? 'slower' : 'faster'
  return comparisonOf(row, {
    base,
    head,
    ratio,
    low: ratio,
    high: ratio,
    pairs: 1,
    detectable: 0,
    change,
    exact: true,
    verdict: (isRegression ?? change === 'slower') ? 'regression' : 'pass'
  })
}

/**
 * Errors are a guard with a separate rule: the head may not fail noticeably more of its requests than the base.
 *
 * @param {CellPlace & {gates: boolean}} cell
 * @param {{errors: number, requests: number}} base  Totals of all samples.
 * @param {{errors: number, requests: number}} head
 * @returns {Comparison}
 */
export function judgeErrors (cell, base, head) {
  const shareOf = (/** @type {typeof base} */ { errors, requests }) => (errors === 0 ? 0 : errors / (errors + requests))
  const [before, now] = [base, head].map(shareOf)
  const row = { ...cell, metric: 'errors' }
  return { ...judgeExact(row, base.errors, head.errors, now - before > ERRORS_ALLOWED), guard: true }
}

/**
 * @param {Row & {failure: string}} row
 * @returns {Comparison}
 */
export function judgeFailed (row) {
  return comparisonOf(row, { pairs: row.pairs.length, verdict: 'invalid', reason: row.failure })
}

/**
 * Verdict of the whole: the worst of the rows that gate. No rows, no pass. A guard that is unclear does not count.
 *
 * @param {{gates: boolean, guard?: boolean, verdict: Verdict}[]} comparisons
 * @returns {Verdict}
 */
export function overallVerdict (comparisons) {
  const gating = comparisons.filter(({ gates }) => gates)
  const verdicts = gating.filter(row => !isUnclearGuard(row)).map(({ verdict }) => verdict)
  const worst = /** @type {const} */ (['regression', 'missed', 'invalid', 'inconclusive', 'pass']).find(verdict =>
    verdicts.includes(verdict)
  )
  return worst ?? (gating.length > 0 ? 'inconclusive' : 'invalid')
}

/** @param {{guard?: boolean, verdict: Verdict}} row */
export function isUnclearGuard ({ guard, verdict }) {
  return guard === true && verdict === 'inconclusive'
}

/**
 * @param {Comparison[]} comparisons
 * @param {ComparisonRecord['unmatched']} unmatched
 * @param {Rules} rules
 * @param {string[]} command
 */
export function recordOf (comparisons, unmatched, rules, command) {
  return {
    format: /** @type {const} */ ('timerq-comparison/1'),
    verdict: overallVerdict(comparisons),
    rules,
    comparisons,
    unmatched,
    control: null,
    command
  }
}
