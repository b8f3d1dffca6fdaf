/**
 * Turns a tested row into its comparison: bounds, verdict, doubts, and what more pairs would show. The bounds are those
 * of the test: the lower one is above the floor where its direction is shown, and only there; the upper one is below
 * the margin where it is excluded.
 */
import { median, probit } from 'simple-statistics'
import { placeOfCell } from '../model/cell.js'
import { isGuard, metrics } from '../model/metrics.js'
import { verdictsOf } from './expectation.js'
import { looksUntil, ROUNDING } from './row-tests.js'
import { tQuantile } from './statistics/interval.js'
import { boundsOf, pseudoMedian } from './statistics/pseudo-median.js'
import { MOST_DIFFERENCES } from './statistics/signed-rank.js'

/**
 * @import { CellPlace } from '../model/cell.js'
 * @import { TestedRow } from './row-tests.js'
 * @import { Comparison, Look, Lost, RowFindings, RowKind } from './records.js'
 */

/** Level of wild pairs that are mostly slow, which keep a row from passing, for all rows together. */
const TAIL_LEVEL = 0.1
/** Share of repetitions in which a detectable slowdown is found. */
const POWER = 0.8
/** Confidence of the interval that gives the standard error: inside this interval, few pairs still look normal. */
const ERROR_CONFIDENCE = 0.68

/**
 * @param {TestedRow} tested
 * @returns {Comparison} without `detectable`
 */
export function decide (tested) {
  const { row, direction, sign, rules, spread, p } = tested
  const isShown = p <= rules.alpha
  const { estimate, low, high, isLowKnown, isHighKnown } = boundsIn(tested, isShown)
  const isExcluded = isHighKnown && high < Math.log1p(rules.margin)
  const outcome = verdictsOf(row.expect)
  const found = isShown ? outcome.shown : isExcluded ? outcome.excluded : 'inconclusive'
  // A regression or a missed expectation needs no second thought.
  const doubt =
    found === 'pass' || (found === 'inconclusive' && !row.expect)
      ? doubtOf(tested, estimate, { isExcluded: isExcluded && !isShown, isBlind: isShown && !isHighKnown })
      : null
  const verdict = doubt ? 'inconclusive' : found
  const needed = verdict === 'inconclusive' ? pairsNeeded(tested, isShown || isExcluded) : 0
  const reason = doubt ?? (needed > MOST_DIFFERENCES ? `more than ${MOST_DIFFERENCES} pairs needed` : null)
  const [from, to] = sign > 0 ? [low, high] : [-high, -low]
  const opposite = direction === 'slower' ? 'faster' : 'slower'
  return comparisonOf(row, {
    base: medianOf(row.pairs.map(({ base }) => base)),
    head: medianOf(row.pairs.map(({ head }) => head)),
    ratio: finite(Math.exp(sign * estimate)),
    low: finite(Math.exp(from)),
    high: finite(Math.exp(to)),
    p,
    pairs: row.pairs.length,
    spread: finite(spread),
    change: isLowKnown && low > 0 ? direction : !isHighKnown ? 'unclear' : high < 0 ? opposite : 'same',
    morePairs: needed > row.pairs.length && needed <= MOST_DIFFERENCES ? needed - row.pairs.length : null,
    verdict,
    ...(reason && { reason })
  })
}

/** @type {Omit<RowFindings, 'unit' | 'better' | 'verdict'>} */
const UNKNOWN = {
  base: null,
  head: null,
  ratio: null,
  low: null,
  high: null,
  p: null,
  pairs: 0,
  spread: null,
  detectable: null,
  morePairs: null,
  change: 'unclear',
  exact: false
}

/**
 * @param {CellPlace & RowKind & {lost?: Lost}} row
 * @param {Partial<RowFindings> & Pick<RowFindings, 'pairs' | 'verdict'>} findings  Anything else is unknown.
 * @returns {Comparison}
 */
export function comparisonOf (row, findings) {
  const { metric, gates, lost, expect } = row
  const { unit, better } = metrics[metric]
  return {
    ...placeOfCell(row),
    metric,
    gates,
    unit,
    better,
    ...(isGuard(metric) && { guard: true }),
    ...(expect && { expect }),
    ...(lost && lost.base + lost.head > 0 && { lost }),
    ...UNKNOWN,
    ...findings
  }
}

/**
 * @param {TestedRow} tested
 * @param {boolean} isShown
 */
function boundsIn ({ rules, looks, level }, isShown) {
  const bounds = looks
    .filter(({ shifts }) => shifts.length > 0)
    .map(({ shifts, share }) => ({
      share,
      ...boundsOf(shifts, { low: level * share, high: (rules.alpha * share) / 2 })
    }))
  const last = bounds[bounds.length - 1]
  const lowest = Math.max(...bounds.map(({ low }) => low))
  const floor = Math.log1p(rules.floor)
  // The test counts ties and looks with too few pairs a little differently: it decides.
  const low = isShown ? Math.max(lowest, floor) : Math.min(lowest, floor)
  return {
    estimate: last.estimate,
    low,
    high: Math.max(last.high, low),
    isLowKnown: bounds.some(({ share, chance }) => chance.low <= level * share),
    isHighKnown: last.chance.high <= (rules.alpha * last.share) / 2
  }
}

/**
 * Reasons to doubt a pass: the bound misses that every tenth process is slow, or that the next look may show a slowdown
 * above the floor. An early look only saves time, so neither passes there, nor does a gain in too few pairs to exclude
 * anything: they would miss slow processes. By the last look's rule at every look, 66 % of simulated heads passed of
 * which every tenth process is twice as slow, in place of 32 %.
 *
 * @param {TestedRow} tested
 * @param {number} estimate
 * @param {{isExcluded: boolean, isBlind: boolean}} row  `isBlind`: no pairs could exclude anything.
 */
function doubtOf ({ rules, looks, shifts, tails: { above, below, p } }, estimate, { isExcluded, isBlind }) {
  const isEarly = looks.reduce((sum, { share }) => sum + share, 0) < 1 - ROUNDING
  if (isEarly && isBlind) return 'too few pairs so far to pass'
  if (isEarly ? above > below : p <= TAIL_LEVEL) {
    return `${above} of ${shifts.length} pairs are far slower than the rest, ${below} far faster`
  }
  return isExcluded && isEarly && estimate > Math.log1p(rules.floor) + ROUNDING
    ? 'slower than the floor so far: more pairs may show it'
    : null
}

/** @param {number[]} values */
function medianOf (values) {
  return median(values.filter(value => Number.isFinite(value) && value > 0))
}

/** @param {number} value */
const finite = value => (Number.isFinite(value) ? value : null)

/**
 * The smallest slowdown or gain that would be shown (see verdict.js), by the normal approximation, from the standard
 * error of the estimate.
 *
 * Source: J. M. Bloom, "Minimum detectable effects", Evaluation Review 19(5), 1995.
 *
 * @param {TestedRow} tested
 * @param {Look[]} planned
 * @param {number} reach  Rounds that there might have been.
 * @returns {number | null}
 */
export function detectableIn ({ row, direction, rules, shifts, firstLevel }, planned, reach) {
  const rounds = Math.max(row.rounds, reach)
  const pairs = (rounds * shifts.length) / Math.max(1, row.rounds)
  const [{ share }] = looksUntil(rounds, planned).slice(-1)
  const lastLevel = firstLevel * share
  if (shifts.length < 2 || pairs < fewestPairs(lastLevel)) return null
  const { error } = standardErrorOf(shifts)
  const freedom = Math.max(1, Math.floor(pairs) - 1)
  const shift =
    Math.log1p(rules.floor) +
    (tQuantile(1 - lastLevel, freedom) + tQuantile(POWER, freedom)) * error * Math.sqrt(shifts.length / pairs)
  return finite(direction === 'slower' ? Math.expm1(shift) : -Math.expm1(-shift))
}

/**
 * About the pairs that would decide a row, by the same approximation.
 *
 * @param {TestedRow} tested
 * @param {boolean} isSettled  The interval has decided. Nothing tells how many pairs would settle a doubt.
 */
function pairsNeeded ({ rules, looks, shifts, firstLevel }, isSettled) {
  const { share } = looks[looks.length - 1]
  const fewest = fewestPairs(Math.min(firstLevel, rules.alpha / 2) * share)
  if (isSettled || shifts.length < 2) return fewest
  const { estimate, error } = standardErrorOf(shifts)
  if (!Number.isFinite(error)) return fewest
  // The further end of the band between floor and margin is the one that can be shown.
  const distance = Math.max(Math.log1p(rules.margin) - estimate, estimate - Math.log1p(rules.floor))
  const errors = probit(1 - firstLevel * share) + probit(POWER)
  return Math.max(fewest, Math.ceil(shifts.length * ((errors * error) / distance) ** 2))
}

/**
 * The smallest p value of n pairs is 2^-n.
 *
 * @param {number} level
 */
const fewestPairs = level => Math.ceil(-Math.log2(level))

/**
 * Read off the interval of an estimate that is about normally distributed.
 *
 * @param {number[]} values
 */
function standardErrorOf (values) {
  const { estimate, low, high, coverage } = pseudoMedian(values, ERROR_CONFIDENCE)
  return { estimate, error: (high - low) / (2 * probit((1 + coverage) / 2)) }
}
