/**
 * The rules of all rows together: alpha is shared among them (Holm), and the worst verdict of a row that gates is that
 * of the whole. Pure.
 */
import { groupBy } from '../model/group-by.js'
import { isGuard } from '../model/metrics.js'
import { decide, detectableIn, judgeFailed, testsOf } from './row.js'
import { MOST_DIFFERENCES } from './statistics/signed-rank.js'

/**
 * @import { Comparison, ComparisonRecord, Look, Row, Rules, Verdict } from './records.js'
 * @import { RowTest, TestedRow } from './row.js'
 */

/** @type {Rules} */
export const DEFAULT_RULES = { floor: 0.02, margin: 0.05, alpha: 0.05 }

/** Part of alpha for all guards together. Guards search for gross slowdowns and need little. */
const GUARDS_SHARE = 0.2
/** @type {Verdict[]} */
const WORST_FIRST = ['regression', 'missed', 'invalid', 'inconclusive', 'pass']

/**
 * @param {Row[]} rows
 * @param {Look[]} looks  Planned; none: all rows are complete.
 * @param {Rules} rules
 * @returns {Comparison[]} of each row, in order
 */
export function judge (rows, looks, rules) {
  const tests = rows.flatMap(row => (whyInvalid(row) === null ? testsOf(row, looks, rules) : []))
  const families = groupBy(tests, ({ row }) => isGuard(row.metric))
  const shareOf = (/** @type {boolean} */ guards) => (guards ? GUARDS_SHARE : families.has(true) ? 1 - GUARDS_SHARE : 1)
  const tested = groupBy(
    [...families].flatMap(([guards, family]) => adjust(family, rules.alpha, shareOf(guards))),
    ({ row }) => row
  )
  const decided = rows.map(row => {
    const own = tested.get(row)
    return own ? combine(own.map(decide)) : judgeFailed({ ...row, failure: String(whyInvalid(row)) })
  })
  const reach = reachOf(decided, rows, looks)
  return decided.map((comparison, i) => ({
    ...comparison,
    detectable: detectableIn(tested.get(rows[i]) ?? [], looks, reach)
  }))
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
 * @param {RowTest[]} tests  Tests of one family.
 * @param {number} alpha
 * @param {number} share  Part of alpha for the family.
 * @returns {TestedRow[]}
 */
function adjust (tests, alpha, share) {
  const adjusted = holm(tests.map(({ p }) => p / share))
  const tails = holm(tests.map(({ tails }) => tails.p))
  const rejected = adjusted.filter(({ p }) => p <= alpha).length
  return tests.map((test, i) => {
    const { p, rank } = adjusted[i]
    return {
      ...test,
      p,
      tails: { ...test.tails, p: tails[i].p },
      // Holm tests the smallest p value most strictly, and stops at the first that is not rejected.
      level: (alpha * share) / (tests.length - Math.min(rank, rejected)),
      firstLevel: (alpha * share) / tests.length
    }
  })
}

/**
 * Adjusts p values for being many: if each is then compared with alpha, the chance of any false alarm among them is at
 * most alpha, however they depend on each other.
 *
 * Source: S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6(2),
 * 1979.
 *
 * @param {number[]} pValues
 * @returns {{p: number, rank: number}[]} in the same order; `rank`: from 0, the smallest
 */
export function holm (pValues) {
  const order = pValues.map((_, i) => i).sort((a, b) => pValues[a] - pValues[b])
  /** @type {{p: number, rank: number}[]} */
  const adjusted = []
  let p = 0
  order.forEach((index, rank) => {
    p = Math.max(p, Math.min(1, pValues[index] * (pValues.length - rank)))
    adjusted[index] = { p, rank }
  })
  return adjusted
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
 * Verdict of the whole: the worst of the rows that gate. No rows, no pass. A guard that is unclear does not count.
 *
 * @param {{gates: boolean, guard?: boolean, verdict: Verdict}[]} comparisons
 * @returns {Verdict}
 */
export function overallVerdict (comparisons) {
  const gating = comparisons.filter(({ gates }) => gates)
  const verdicts = gating.filter(row => !isUnclearGuard(row)).map(({ verdict }) => verdict)
  return WORST_FIRST.find(verdict => verdicts.includes(verdict)) ?? (gating.length > 0 ? 'inconclusive' : 'invalid')
}

/** @param {{guard?: boolean, verdict: Verdict}} row */
const isUnclearGuard = ({ guard, verdict }) => guard === true && verdict === 'inconclusive'

/**
 * @param {Comparison[]} comparisons
 * @param {ComparisonRecord['unmatched']} unmatched
 * @param {Rules} rules
 * @param {string[]} command
 */
export const recordOf = (comparisons, unmatched, rules, command) => ({
  format: /** @type {const} */ ('timerq-comparison/1'),
  verdict: overallVerdict(comparisons),
  rules,
  comparisons,
  unmatched,
  control: null,
  command
})
