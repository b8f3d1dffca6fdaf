/**
 * Verdicts: pairs of samples in, one of four verdicts out. Pure.
 *
 *   regression    significantly slower than the floor allows, adjusted for looks and rows
 *   pass          slowdowns of the margin or more are excluded, and wild pairs do not pile up on the slow side
 *   inconclusive  neither is shown: more pairs are needed
 *   invalid       nothing could be measured; never a pass
 *
 * Slowdowns below the floor are ignored as noise; slowdowns above the margin must be found. Between the two either verdict
 * is right. See docs/statistics.md.
 */
import { median } from 'simple-statistics'
import { placeOfCell } from '../model/cell.js'
import { groupBy } from '../model/group-by.js'
import { isGuard, metrics } from '../model/metrics.js'
import { detectableShift, pairsToDetect, standardErrorOf } from './statistics/detectable.js'
import { holm } from './statistics/holm.js'
import { boundsOf, pseudoMedian } from './statistics/pseudo-median.js'
import { blockLength, inBlocks } from './statistics/serial-correlation.js'
import { signedRank } from './statistics/signed-rank.js'
import { compareTails } from './statistics/tails.js'

/**
 * @typedef {'regression' | 'pass' | 'inconclusive' | 'invalid'} Verdict
 *
 * @typedef {object} Rules
 * @property {number} floor  0.02: slowdowns up to 2 % are not a regression, however significant.
 * @property {number} margin  0.05: to pass, a slowdown of 5 % must be excluded.
 * @property {number} alpha  Chance of one false alarm or more in all rows and looks together.
 *
 * @typedef {import('../model/cell.js').CellPlace} RowCell
 *
 * @typedef {object} RowKind
 * @property {string} metric
 * @property {boolean} gates  The verdict of the whole depends on it; else it is only shown.
 *
 * @typedef {{base: number, head: number}} Lost  Samples of each side.
 *
 * @typedef {object} RowPairs
 * @property {import('./pairs.js').Pair[]} pairs  Of fresh processes, each measured side by side in time.
 * @property {number} rounds  Tried, including pairs that failed.
 * @property {Lost} [lost]
 * @property {string} [failure]  Why nothing valid can be said.
 *
 * @typedef {RowCell & RowKind & RowPairs} Row
 *
 * @typedef {{rounds: number, share: number}} Look  After this many rounds; the share of alpha that it may spend.
 *
 * @typedef {object} RowFindings
 * @property {string} unit
 * @property {'lower' | 'higher'} better
 * @property {boolean} [guard]  It can fail the whole, but being unclear it does not keep the whole from passing.
 * @property {number | null} base  Median.
 * @property {number | null} head  Median.
 * @property {number | null} ratio  Head to base.
 * @property {number | null} low  Of its interval. The end towards slower than the floor is the bound of the test for a
 *   regression, the other end the bound that must not reach the margin. null: so many samples were lost that it has none.
 * @property {number | null} high
 * @property {number | null} p  Probability of such pairs if the head were no slower than the floor, adjusted for looks and
 *   rows. null: nothing was left to chance.
 * @property {number} pairs
 * @property {number | null} spread  Of the pairs: standard deviation of the log ratio, estimated from their median deviation.
 * @property {number | null} detectable  Smallest slowdown that would have been called a regression four times in five.
 * @property {number | null} morePairs  About as many more would decide an inconclusive row.
 * @property {Lost} [lost]  Absent: no sample was lost.
 * @property {'slower' | 'faster' | 'same' | 'unclear'} change  Which the interval shows.
 * @property {boolean} exact
 * @property {Verdict} verdict
 * @property {string} [reason]  Why a row is invalid, or why it is inconclusive where its interval does not say so.
 *
 * @typedef {RowCell & RowKind & RowFindings} Comparison
 */

/** @type {Rules} */
export const DEFAULT_RULES = { floor: 0.02, margin: 0.05, alpha: 0.05 }

/** Turns the median absolute deviation of normal values into their standard deviation. */
const MAD_TO_SD = 1.4826
/** The standard error of a Hodges-Lehmann estimate of n normal values is this times sd / sqrt(n): sqrt(pi / 3). */
const HODGES_LEHMANN_ERROR = 1.023
/** Of this interval: inside, few pairs still look normal. */
const ERROR_CONFIDENCE = 0.68
/** Guards together may spend this part of alpha. They look for gross slowdowns and need little. */
const GUARDS_SHARE = 0.2
/** Differences closer than this are equal but for rounding: a head that is exactly 2 % slower is at the floor, not above. */
const ROUNDING = 1e-9
/** Of the margin: pairs whose spread is less hardly differ. */
const SETTLED = 0.5
/** In standard deviations: of normal pairs, one in 370 is as wild. */
const WILD = 3
/** Wild pairs that are mostly slow keep a row from passing where chance alone is less likely than this to place them so. */
const TAIL_LEVEL = 0.1
/** Of all requests: as many may fail more than before. */
const ERRORS_ALLOWED = 0.01

/**
 * @typedef {object} Evidence  In logarithms of slowdown: above zero is worse, whatever the metric.
 * @property {{slowdowns: number[], share: number}[]} looks  In blocks where pairs depend on each other.
 * @property {number[]} slowdowns  Of all pairs.
 * @property {Block} block
 *
 * @typedef {ReturnType<typeof blockLength>} Block
 *
 * @typedef {object} Family  Rows that share a part of alpha.
 * @property {number} share
 * @property {number} size
 *
 * @typedef {object} Weighed
 * @property {Row} row
 * @property {Rules} rules
 * @property {() => Evidence} gather  Each time again: the evidence of all rows together may not fit into memory.
 * @property {Family} family
 * @property {number} p  Adjusted.
 * @property {number} level  The part of alpha at which the row is tested, after Holm.
 */

/**
 * @param {Row[]} rows
 * @param {Look[]} looks  Planned; a row that stopped between two of them spends there what is left.
 * @param {Rules} rules
 * @returns {Comparison[]}
 */
export function judge (rows, looks, rules) {
  const weighed = weighRows(rows, looks, rules)
  const decided = decideRows(rows, weighed)
  const reach = reachOf(decided, rows, looks)
  return decided.map((comparison, i) => {
    const found = weighed.get(rows[i])
    return found ? withPower(comparison, found, looks, reach) : comparison
  })
}

/**
 * Judges rows alike, but without `detectable` and `morePairs`: those are simulated, and take most of the time.
 *
 * @param {Row[]} rows
 * @param {Look[]} looks
 * @param {Rules} rules
 * @returns {Comparison[]}
 */
export function judgeBriefly (rows, looks, rules) {
  return decideRows(rows, weighRows(rows, looks, rules))
}

/**
 * @param {Row[]} rows
 * @param {Look[]} looks
 * @param {Rules} rules
 * @returns {Map<Row, Weighed>} the valid ones
 */
function weighRows (rows, looks, rules) {
  const valid = rows.filter(row => whyInvalid(row) === null)
  const families = [...groupBy(valid, familyOf)]
  // One series a cell: its metrics are measured in the same heats, and their series are about the same.
  const mainRows = valid.filter(row => familyOf(row) === 'main')
  const blockAt = createBlocks(mainRows.length > 0 ? mainRows : valid)
  const hasGuards = families.some(([family]) => family === 'guard')
  return new Map(families.flatMap(([family, members]) => {
    const share = family === 'guard' ? GUARDS_SHARE : family === 'main' && hasGuards ? 1 - GUARDS_SHARE : 1
    return weighFamily(members, looks, rules, { share, size: family === 'shown' ? 1 : members.length }, blockAt)
  }).map(found => [found.row, found]))
}

/**
 * @param {Row[]} rows
 * @param {Map<Row, Weighed>} weighed
 */
function decideRows (rows, weighed) {
  return rows.map(row => {
    const found = weighed.get(row)
    return found ? decide(found) : judgeFailed({ ...row, failure: whyInvalid(row) ?? undefined })
  })
}

/**
 * Counted, not timed: nothing is left to chance, so any difference is one.
 *
 * @param {RowCell & RowKind} row
 * @param {number} base
 * @param {number} head
 * @returns {Comparison}
 */
export function judgeExact (row, base, head) {
  const { unit, better } = metrics[row.metric]
  const ratio = base === 0 ? null : head / base
  const change = head === base ? 'same' : (head > base) === (better === 'lower') ? 'slower' : 'faster'
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
    detectable: 0,
    morePairs: null,
    change,
    exact: true,
    verdict: change === 'slower' ? 'regression' : 'pass'
  }
}

/**
 * Errors are a guard with a rule of its own: the head may not fail noticeably more of its requests than the base does.
 *
 * @param {RowCell & {gates: boolean}} cell
 * @param {{errors: number, requests: number}} base  In all samples together.
 * @param {{errors: number, requests: number}} head
 * @returns {Comparison}
 */
export function judgeErrors (cell, base, head) {
  const shareOf = (/** @type {typeof base} */ { errors, requests }) => errors === 0 ? 0 : errors / (errors + requests)
  const [before, now] = [base, head].map(shareOf)
  const counted = judgeExact({ ...cell, metric: 'errors' }, base.errors, head.errors)
  return { ...counted, guard: true, verdict: now - before > ERRORS_ALLOWED ? 'regression' : 'pass' }
}

/**
 * Of the whole: the worst of the rows that gate. No rows, no pass. A guard that is unclear does not count.
 *
 * @param {{gates: boolean, guard?: boolean, verdict: Verdict}[]} comparisons
 * @returns {Verdict}
 */
export function overallVerdict (comparisons) {
  const gating = comparisons.filter(({ gates }) => gates)
  const verdicts = gating.filter(row => !isUnclearGuard(row)).map(({ verdict }) => verdict)
  const worst = /** @type {const} */ (['regression', 'invalid', 'inconclusive', 'pass']).find(verdict => verdicts.includes(verdict))
  return worst ?? (gating.length > 0 ? 'inconclusive' : 'invalid')
}

/** @param {{guard?: boolean, verdict: Verdict}} row */
export function isUnclearGuard ({ guard, verdict }) {
  return guard === true && verdict === 'inconclusive'
}

/** @param {Row} row */
function familyOf ({ gates, metric }) {
  if (!gates) return 'shown'
  return isGuard(metric) ? 'guard' : 'main'
}

/**
 * @param {Row} row
 * @returns {string | null}
 */
function whyInvalid ({ failure, pairs }) {
  if (failure) return failure
  const isMeasured = (/** @type {number} */ value) => Number.isFinite(value) && value > 0
  if (!pairs.some(({ base, head }) => isMeasured(base) && isMeasured(head))) return 'no pair of samples'
  const bad = pairs.find(pair => Number.isNaN(ratioOf(pair)) || pair.base < 0 || pair.head < 0)
  return bad ? `no ratio in round ${bad.round}: base ${bad.base}, head ${bad.head}` : null
}

/** @param {import('./pairs.js').Pair} pair */
const ratioOf = ({ base, head, ratio = head / base }) => ratio

/**
 * How far pairs resemble their neighbours, after each number of rounds: their correlations in time are pooled.
 *
 * @param {Row[]} rows
 * @returns {(rounds: number) => Block}
 */
function createBlocks (rows) {
  /** @type {Map<number, Block>} */
  const blocks = new Map()
  return rounds => {
    const block = blocks.get(rounds) ?? blockLength(seriesUntil(rounds))
    blocks.set(rounds, block)
    return block
  }

  /** @param {number} rounds */
  function * seriesUntil (rounds) {
    for (const row of rows) yield slowdownsUntil(slowdownsOf(row), rounds)
  }
}

/**
 * Rows of one family are adjusted for being many.
 *
 * @param {Row[]} rows
 * @param {Look[]} looks
 * @param {Rules} rules
 * @param {Family} family
 * @param {(rounds: number) => Block} blockAt
 * @returns {Weighed[]}
 */
function weighFamily (rows, looks, rules, family, blockAt) {
  const found = rows.map(row => {
    const { tolerance = 1 } = metrics[row.metric]
    const own = { ...rules, floor: rules.floor * tolerance, margin: rules.margin * tolerance }
    const gather = () => gatherEvidence(row, looks, own, blockAt)
    return { row, rules: own, gather, p: chanceOf(gather(), own) / family.share }
  })
  const pValues = found.map(({ p }) => p)
  const adjusted = family.size > 1 ? holm(pValues) : pValues
  const rejected = adjusted.filter(p => p <= rules.alpha).length
  // Holm tests the smallest p value most strictly, and stops at the first that is not rejected.
  const places = placesOf(pValues)
  return found.map((one, i) => {
    const tests = Math.max(1, family.size - Math.min(places[i], rejected))
    return { ...one, p: Math.min(1, adjusted[i]), family, level: rules.alpha * family.share / tests }
  })
}

/**
 * @param {number[]} values
 * @returns {number[]} the index of each among them all, sorted
 */
function placesOf (values) {
  const places = new Array(values.length)
  const order = values.map((_, i) => i).sort((a, b) => values[a] - values[b])
  for (const [place, i] of order.entries()) places[i] = place
  return places
}

/** @param {Row} row */
function slowdownsOf ({ metric, pairs }) {
  const sign = metrics[metric].better === 'lower' ? 1 : -1
  return [...pairs].sort((a, b) => a.round - b.round).map(pair => ({ round: pair.round, slowdown: sign * Math.log(ratioOf(pair)) }))
}

/**
 * @param {{round: number, slowdown: number}[]} series
 * @param {number} rounds
 */
const slowdownsUntil = (series, rounds) => series.filter(({ round }) => round < rounds).map(({ slowdown }) => slowdown)

/**
 * @param {Row} row
 * @param {Look[]} planned
 * @param {Rules} rules
 * @param {(rounds: number) => Block} blockAt
 * @returns {Evidence}
 */
function gatherEvidence (row, planned, { margin }, blockAt) {
  const series = slowdownsOf(row)
  const ownBlock = (/** @type {number} */ rounds) =>
    isBeyondDrift(slowdownsUntil(series, rounds), Math.log1p(margin)) ? { ...blockAt(rounds), length: 1 } : blockAt(rounds)
  const looks = looksOf(row, planned)
  const last = looks[looks.length - 1].rounds
  return {
    looks: looks.map(({ rounds, share }) => ({ slowdowns: inBlocks(slowdownsUntil(series, rounds), ownBlock(rounds).length), share })),
    slowdowns: slowdownsUntil(series, last),
    block: ownBlock(last)
  }
}

/**
 * One look's p value, divided by what that look may spend, is good for all looks together.
 *
 * @param {Evidence} evidence
 * @param {Rules} rules
 */
function chanceOf ({ looks }, { floor }) {
  return Math.min(...looks.map(({ slowdowns, share }) => signedRank(slowdowns.map(slowdown => excessOf(slowdown, Math.log1p(floor)))) / share))
}

/**
 * Drift hardly makes pairs that all lie above the margin and hardly differ: of 8 500 pairs of identical code in heats, no
 * five neighbours all lay 3 % off. Nor does it make pairs that lie further above the margin than from each other.
 *
 * @param {number[]} slowdowns
 * @param {number} margin
 */
function isBeyondDrift (slowdowns, margin) {
  // A call takes no more than about 100 000 arguments.
  const low = slowdowns.reduce((low, slowdown) => Math.min(low, slowdown), Infinity)
  const high = slowdowns.reduce((high, slowdown) => Math.max(high, slowdown), -Infinity)
  if (low === Infinity || low - margin > high - low) return true
  return low > margin && spreadOf(slowdowns) < margin * SETTLED
}

/**
 * @param {number} slowdown
 * @param {number} floor
 */
function excessOf (slowdown, floor) {
  return Math.abs(slowdown - floor) < ROUNDING ? 0 : slowdown - floor
}

/**
 * The standard deviation of most values, whatever the wild ones do.
 *
 * @param {number[]} logRatios
 * @param {number} [middle]
 */
export function spreadOf (logRatios, middle = median(logRatios)) {
  return MAD_TO_SD * median(logRatios.map(logRatio => Math.abs(logRatio - middle)))
}

/**
 * The bounds are those of the tests: the lower one is above the floor where the row is a regression, and only there; the
 * upper one is below the margin where it may pass.
 *
 * @param {Weighed} weighed
 * @returns {Comparison}
 */
function decide ({ row, rules, gather, p, level }) {
  const { unit, better } = metrics[row.metric]
  const evidence = gather()
  const { block, slowdowns } = evidence
  const floor = Math.log1p(rules.floor)
  const isRegression = p <= rules.alpha
  const bounds = evidence.looks.filter(({ slowdowns }) => slowdowns.length > 0)
    .map(({ slowdowns, share }) => ({ share, ...boundsOf(slowdowns, { low: level * share, high: rules.alpha * share / 2 }) }))
  const last = bounds.at(-1) ?? { share: 1, ...boundsOf(slowdowns, { low: 0, high: 0 }) }
  const isLowKnown = bounds.some(({ share, chance }) => chance.low <= level * share)
  // Where not one block is complete, the range of the pairs is no evidence.
  const isHighKnown = bounds.length > 0 && last.chance.high <= rules.alpha * last.share / 2
  const lowest = Math.max(...bounds.map(({ low }) => low), bounds.length > 0 ? -Infinity : last.low)
  // The test counts ties and looks with too few pairs a little differently: it decides.
  const low = isRegression ? Math.max(lowest, floor) : Math.min(lowest, floor)
  const high = Math.max(last.high, low)
  const spread = spreadOf(slowdowns, last.estimate)
  const mayPass = isHighKnown && high < Math.log1p(rules.margin)
  const doubt = isRegression ? null : doubtOf()
  const ends = [low, high].map(Math.exp)
  const [first, second] = better === 'lower' ? ends : [1 / ends[1], 1 / ends[0]]
  const verdict = isRegression ? 'regression' : mayPass && !doubt ? 'pass' : 'inconclusive'
  const reason = verdict === 'inconclusive' ? doubt ?? dependence() : null
  return {
    ...identityOf(row),
    unit,
    better,
    ...(isGuard(row.metric) ? { guard: true } : {}),
    base: medianOf(row.pairs.map(({ base }) => base)),
    head: medianOf(row.pairs.map(({ head }) => head)),
    ratio: finite(Math.exp(better === 'lower' ? last.estimate : -last.estimate)),
    low: finite(first),
    high: finite(second),
    p,
    pairs: row.pairs.length,
    spread: finite(spread),
    detectable: null,
    morePairs: null,
    ...(row.lost && row.lost.base + row.lost.head > 0 ? { lost: row.lost } : {}),
    change: isLowKnown && low > 0 ? 'slower' : !isHighKnown ? 'unclear' : high < 0 ? 'faster' : 'same',
    exact: false,
    verdict,
    ...(reason ? { reason } : {})
  }

  /**
   * What a bound below the margin does not see: that every tenth process is slow, or that the next look may show a slowdown
   * above the floor. An early look, which only saves time, lets neither pass.
   */
  function doubtOf () {
    const isEarly = evidence.looks.reduce((sum, { share }) => sum + share, 0) < 1 - ROUNDING
    const { above, below, p } = compareTails(slowdowns, last.estimate, Math.max(Math.log1p(rules.margin), WILD * spread))
    if (isEarly ? above > below : p <= TAIL_LEVEL) return `${above} of ${slowdowns.length} pairs are far slower than the rest, ${below} far faster`
    return mayPass && isEarly && last.estimate > floor + ROUNDING ? 'slower than the floor so far: more pairs may show it' : null
  }

  function dependence () {
    return block.length > 1
      ? `consecutive pairs resemble each other (correlation ${block.correlation.toFixed(2)}), so blocks of ${block.length} count as one`
      : null
  }
}

/**
 * Of what was measured.
 *
 * @param {number[]} values
 */
function medianOf (values) {
  return median(values.filter(value => Number.isFinite(value) && value > 0))
}

/** @param {number} value */
const finite = value => Number.isFinite(value) ? value : null

/**
 * The rounds that a row would have seen if it had not been decided earlier: all that were planned, or as many as there was
 * time for. Where no look is planned, no row is decided early: each has seen what it could.
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
 * What the row could have seen, and how many more pairs would decide it.
 *
 * @param {Comparison} comparison
 * @param {Weighed} weighed
 * @param {Look[]} planned
 * @param {number} reach  The rounds that there might have been.
 * @returns {Comparison}
 */
function withPower (comparison, { row, rules, gather, family }, planned, reach) {
  const evidence = gather()
  const { slowdowns, block } = evidence
  const { floor, margin, alpha } = { ...rules, floor: Math.log1p(rules.floor), margin: Math.log1p(rules.margin) }
  // The row is taken for the only slow one: it is tested first.
  const level = alpha * family.share / family.size
  const { share } = evidence.looks[evidence.looks.length - 1]
  // The smallest p value of n pairs is 2^-n.
  const fewestPairs = block.length * Math.ceil(-Math.log2(Math.min(level, alpha / 2) * share))
  const blocks = inBlocks(slowdowns, block.length)
  const estimate = pseudoMedian(blocks.length > 0 ? blocks : slowdowns, ERROR_CONFIDENCE)
  const standardError = standardErrorOf(estimate)
  return {
    ...comparison,
    detectable: row.pairs.length < 2 ? null : detectable(),
    morePairs: comparison.verdict === 'inconclusive' ? morePairs() : null
  }

  function detectable () {
    const pairsIn = (/** @type {number} */ rounds) => Math.round(rounds * row.pairs.length / row.rounds)
    const looks = looksOf({ rounds: Math.max(row.rounds, reach) }, planned)
      .map(({ rounds, share }) => ({ pairs: Math.floor(pairsIn(rounds) / block.length), low: level * share, high: alpha * share / 2 }))
    const spread = standardError * Math.sqrt(blocks.length) / HODGES_LEHMANN_ERROR
    if (!Number.isFinite(spread)) return null
    return finite(Math.expm1(detectableShift(looks, { spread, floor, margin })))
  }

  /** The further end of the band between floor and margin is the one that can be shown. */
  function morePairs () {
    const { length } = slowdowns
    if (length < 2 || !Number.isFinite(standardError)) return Math.max(1, fewestPairs - length)
    const distance = Math.max(margin - estimate.estimate, estimate.estimate - floor)
    return Math.max(pairsToDetect(length, standardError, level * share, distance), fewestPairs, length + 1) - length
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
    ...(isGuard(row.metric) ? { guard: true } : {}),
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
    ...(row.lost && row.lost.base + row.lost.head > 0 ? { lost: row.lost } : {}),
    change: 'unclear',
    exact: false,
    verdict: 'invalid',
    reason: row.failure ?? 'no pair of samples'
  }
}

/**
 * @param {{rounds: number}} row
 * @param {Look[]} looks
 */
function looksOf ({ rounds }, looks) {
  const reached = looks.filter(look => look.rounds <= rounds)
  const last = reached.at(-1)?.rounds ?? 0
  const left = 1 - reached.reduce((sum, { share }) => sum + share, 0)
  return rounds > last && left > 0 ? [...reached, { rounds, share: left }] : reached
}

/** @param {RowCell & RowKind} row */
function identityOf ({ metric, gates, ...cell }) {
  return { ...placeOfCell(cell), metric, gates }
}
