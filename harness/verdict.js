/**
 * Verdicts: pairs of samples in, one of three states out. Pure.
 *
 *   regression    significantly slower than the floor allows, adjusted for looks and rows
 *   pass          the interval's bad end lies below the margin: whatever the truth is, it is less than that
 *   inconclusive  neither is shown: more pairs would tell
 *   invalid       nothing could be measured; never a pass
 *
 * The floor is what nobody minds and no machine keeps still to; the margin what a change may cost at most before it must
 * be known. Between them either verdict is right. See docs/statistics.md.
 */
import { median } from 'simple-statistics'
import { metrics } from './model/metrics.js'
import { detectableShift, pairsToDetect, standardErrorOf } from './statistics/detectable.js'
import { holm } from './statistics/holm.js'
import { pseudoMedian } from './statistics/pseudo-median.js'
import { signedRank } from './statistics/signed-rank.js'

/**
 * @typedef {'regression' | 'pass' | 'inconclusive' | 'invalid'} Verdict
 *
 * @typedef {object} Rules
 * @property {number} floor  0.02: slowdowns up to 2 % are no regression, however significant.
 * @property {number} margin  0.05: to pass, a slowdown of 5 % must be excluded.
 * @property {number} alpha  Chance of one false alarm or more in all rows and looks together.
 *
 * @typedef {import('./model/cell.js').CellPlace} RowCell
 *
 * @typedef {object} RowKind
 * @property {string} metric
 * @property {boolean} gates  Counts for the verdict of the whole; else it is shown beside.
 *
 * @typedef {object} RowPairs
 * @property {{round: number, base: number, head: number}[]} pairs  Of fresh processes, each measured side by side in time.
 * @property {number} rounds  Tried, including pairs that failed.
 * @property {string} [failure]  Why nothing valid can be said.
 *
 * @typedef {RowCell & RowKind & RowPairs} Row
 *
 * @typedef {{rounds: number, share: number}} Look  After this many rounds; the share of alpha that it may spend.
 *
 * @typedef {object} RowFindings
 * @property {string} unit
 * @property {'lower' | 'higher'} better
 * @property {number | null} base  Median.
 * @property {number | null} head  Median.
 * @property {number | null} ratio  Head to base.
 * @property {number | null} low  Of its interval, which holds at all looks together.
 * @property {number | null} high
 * @property {number | null} p  Of pairs such as these, were the head no slower than the floor; adjusted. null: nothing by chance.
 * @property {number} pairs
 * @property {number | null} spread  Of the pairs: standard deviation of the log ratio, by their median deviation.
 * @property {number | null} detectable  Smallest slowdown that would have been called a regression four times in five.
 * @property {number | null} morePairs  What an inconclusive row would take, about.
 * @property {'slower' | 'faster' | 'same' | 'unclear'} change  Which the interval shows.
 * @property {boolean} exact
 * @property {Verdict} verdict
 * @property {string} [reason]  Of an invalid row.
 *
 * @typedef {RowCell & RowKind & RowFindings} Comparison
 */

/** @type {Rules} */
export const DEFAULT_RULES = { floor: 0.02, margin: 0.05, alpha: 0.05 }

/** Turns the median absolute deviation of normal values into their standard deviation. */
const MAD_TO_SD = 1.4826

/**
 * @param {Row[]} rows
 * @param {Look[]} looks  Planned; a row that stopped between two of them spends there what is left.
 * @param {Rules} rules
 * @returns {Comparison[]}
 */
export function judge (rows, looks, rules) {
  const weighed = rows.map(row => weigh(row, looksOf(row, looks), rules))
  const gating = weighed.filter(({ row, evidence }) => row.gates && evidence)
  const adjusted = holm(gating.map(({ evidence }) => /** @type {Evidence} */ (evidence).p))
  gating.forEach(({ evidence }, i) => { /** @type {Evidence} */ (evidence).p = adjusted[i] })
  const decided = weighed.map(({ row, evidence }) => evidence ? decide(row, evidence, rules) : judgeFailed(row))
  const reach = reachOf(decided, rows, looks)
  return decided.map((comparison, i) => {
    const { row, evidence } = weighed[i]
    return evidence ? withPower(comparison, evidence, rules, { rows: row.gates ? gating.length : 1, reach }) : comparison
  })
}

/**
 * Counted, not timed: nothing is left to chance, so any difference is one.
 *
 * @param {RowCell & RowKind} row
 * @param {number} base
 * @param {number} head
 * @param {number} [tolerance]  Relative; for counts of different workloads.
 * @returns {Comparison}
 */
export function judgeExact (row, base, head, tolerance = 0) {
  const { unit, better } = metrics[row.metric]
  const ratio = base === 0 ? null : head / base
  const isSame = Math.abs(head - base) <= tolerance * Math.abs(base)
  const change = isSame ? 'same' : (head > base) === (better === 'lower') ? 'slower' : 'faster'
  return {
    ...identityOf(row),
    unit,
    better,
    base,
    head,
    ratio,
    low: ratio,
    high: ratio,
    p: null,
    pairs: 1,
    spread: null,
    detectable: tolerance,
    morePairs: null,
    change,
    exact: true,
    verdict: change === 'slower' ? 'regression' : 'pass'
  }
}

/**
 * Of the whole: the worst of the rows that gate. No rows, no pass.
 *
 * @param {{gates: boolean, verdict: Verdict}[]} comparisons
 * @returns {Verdict}
 */
export function overallVerdict (comparisons) {
  const verdicts = comparisons.filter(({ gates }) => gates).map(({ verdict }) => verdict)
  const worst = /** @type {const} */ (['regression', 'invalid', 'inconclusive', 'pass']).find(verdict => verdicts.includes(verdict))
  return worst ?? 'invalid'
}

/**
 * @typedef {object} Evidence  In logarithms of slowdown: above zero is worse, whatever the metric.
 * @property {number} p
 * @property {ReturnType<typeof pseudoMedian>} interval
 * @property {number} spread
 * @property {number} share  Of alpha, spent by the last look.
 * @property {boolean} enough  Pairs to reach the confidence asked for.
 */

/**
 * @param {Row} row
 * @param {Look[]} looks  Reached.
 * @param {Rules} rules
 * @returns {{row: Row, evidence: Evidence | null}}
 */
function weigh (row, looks, { floor, alpha }) {
  if (row.failure || row.pairs.length === 0) return { row, evidence: null }
  const sign = metrics[row.metric].better === 'lower' ? 1 : -1
  const slowdownsUntil = (/** @type {Look} */ { rounds }) =>
    row.pairs.filter(({ round }) => round < rounds).map(({ base, head }) => sign * Math.log(head / base))
  // One look's p value, divided by what that look may spend, is good for all looks together.
  const pValues = looks.map(look =>
    signedRank(slowdownsUntil(look).map(slowdown => slowdown - Math.log1p(floor))).greater / look.share)
  const last = /** @type {Look} */ (looks.at(-1))
  const slowdowns = slowdownsUntil(last)
  const confidence = 1 - alpha * last.share
  const interval = pseudoMedian(slowdowns, confidence)
  const evidence = { p: Math.min(1, ...pValues), interval, spread: spreadOf(slowdowns, interval.estimate), share: last.share, enough: interval.coverage >= confidence }
  return { row, evidence }
}

/**
 * The standard deviation of most, whatever the wild ones do.
 *
 * @param {number[]} logRatios
 * @param {number} [middle]
 */
export function spreadOf (logRatios, middle = median(logRatios)) {
  return MAD_TO_SD * median(logRatios.map(logRatio => Math.abs(logRatio - middle)))
}

/**
 * @param {Row} row
 * @param {Evidence} evidence
 * @param {Rules} rules
 * @returns {Comparison}
 */
function decide (row, { p, interval, spread, enough }, { margin, alpha }) {
  const { unit, better } = metrics[row.metric]
  const ends = [interval.low, interval.high].map(Math.exp)
  const [low, high] = better === 'lower' ? ends : [1 / ends[1], 1 / ends[0]]
  return {
    ...identityOf(row),
    unit,
    better,
    base: median(row.pairs.map(({ base }) => base)),
    head: median(row.pairs.map(({ head }) => head)),
    ratio: Math.exp(better === 'lower' ? interval.estimate : -interval.estimate),
    low,
    high,
    p,
    pairs: row.pairs.length,
    spread,
    detectable: null,
    morePairs: null,
    change: !enough ? 'unclear' : interval.low > 0 ? 'slower' : interval.high < 0 ? 'faster' : 'same',
    exact: false,
    verdict: p <= alpha ? 'regression' : enough && interval.high < Math.log1p(margin) ? 'pass' : 'inconclusive'
  }
}

/**
 * The rounds that a row would have seen, had it not been decided earlier: all that were planned, or as many as there was
 * time for. Where no look is planned no row is decided early: each has seen what it could.
 *
 * @param {Comparison[]} comparisons
 * @param {Row[]} rows
 * @param {Look[]} looks
 */
function reachOf (comparisons, rows, looks) {
  if (looks.length === 0) return 0
  const wasCut = comparisons.some(({ gates, verdict }) => gates && verdict === 'inconclusive')
  return wasCut ? Math.max(...rows.map(({ rounds }) => rounds)) : looks[looks.length - 1].rounds
}

/**
 * What the row could have seen, and what it would take.
 *
 * @param {Comparison} comparison
 * @param {Evidence} evidence
 * @param {Rules} rules
 * @param {{rows: number, reach: number}} gate  Among how many rows p was adjusted, and how many rounds there might be.
 * @returns {Comparison}
 */
function withPower (comparison, { interval, share }, { floor, margin, alpha }, { rows, reach }) {
  const { pairs, verdict } = comparison
  const reached = Math.max(pairs, reach)
  const level = alpha * share / rows
  // The smallest p value of n pairs is 2^-n.
  const leastPairs = Math.ceil(-Math.log2(level))
  const standardError = standardErrorOf(interval)
  const shift = detectableShift(standardError * Math.sqrt(pairs / reached), level)
  return {
    ...comparison,
    // Of one pair nobody knows how uncertain it is.
    detectable: pairs < 2 || reached < leastPairs ? null : Math.expm1(Math.log1p(floor) + shift),
    morePairs: verdict === 'inconclusive' ? morePairs() : null
  }

  /** Whichever side of the band between floor and margin is further away is the one that can be shown. */
  function morePairs () {
    if (pairs < 2) return leastPairs
    const distance = Math.max(Math.log1p(margin) - interval.estimate, interval.estimate - Math.log1p(floor))
    return Math.max(pairsToDetect(pairs, standardError, level, distance), leastPairs, pairs + 1) - pairs
  }
}

/**
 * @param {Row} row
 * @returns {Comparison}
 */
export function judgeFailed (row) {
  const { unit, better } = metrics[row.metric]
  return {
    ...identityOf(row),
    unit,
    better,
    base: null,
    head: null,
    ratio: null,
    low: null,
    high: null,
    p: null,
    pairs: row.pairs.length,
    spread: null,
    detectable: null,
    morePairs: null,
    change: 'unclear',
    exact: false,
    verdict: 'invalid',
    reason: row.failure ?? 'no pair of samples'
  }
}

/**
 * @param {Row} row
 * @param {Look[]} looks
 */
function looksOf ({ rounds }, looks) {
  const reached = looks.filter(look => look.rounds <= rounds)
  const last = reached.at(-1)?.rounds ?? 0
  const left = 1 - reached.reduce((sum, { share }) => sum + share, 0)
  return rounds > last && left > 0 ? [...reached, { rounds, share: left }] : reached
}

/** @param {RowCell & RowKind} row */
function identityOf ({ scenario, params, queue, runtime, metric, gates }) {
  return { scenario, params, queue, runtime, metric, gates }
}
