/**
 * Turns a tested row into its comparison: bounds, verdict, doubts, and what more pairs would show. The bounds are those
 * of the test: the lower one is above the floor where its direction is shown, and only there; the upper one is below
 * the margin where it is excluded.
 */
import { median, probit } from 'simple-statistics'
import { placeOfCell } from '../model/cell.js'
import { isGuard, metrics } from '../model/metrics.js'
import { verdictsOf } from './expectation.js'
import { looksUntil, ROUNDING, spreadOf } from './row-tests.js'
import { tQuantile } from './statistics/interval.js'
import { boundsOf, pseudoMedian } from './statistics/pseudo-median.js'
import { MOST_DIFFERENCES } from './statistics/signed-rank.js'
import { compareTails } from './statistics/sign-test.js'

/**
 * @import { CellPlace } from '../model/cell.js'
 * @import { TestedRow } from './row-tests.js'
 * @import { Comparison, Look, Lost, RowFindings, RowKind } from './verdict.js'
 */

/** Standard deviations: one normal pair in 370 is as wild. */
const WILD = 3
/** A row does not pass when its wild pairs are mostly slow and chance is less likely than this to place them so. */
const TAIL_LEVEL = 0.1
/** Share of repetitions in which a detectable slowdown is found. */
const POWER = 0.8
/** Confidence of the interval that gives the standard error: inside this interval, few pairs still look normal. */
const ERROR_CONFIDENCE = 0.68

/**
 * @param {TestedRow} tested
 * @returns {Comparison} without power
 */
export function decide (tested) {
  const { row, direction, rules, shifts, p } = tested
  const isShown = p <= rules.alpha
  const { estimate, low, high, isLowKnown, isHighKnown } = boundsIn(tested, isShown)
  const spread = spreadOf(shifts, estimate)
  const isExcluded = isHighKnown && high < Math.log1p(rules.margin)
  const outcome = verdictsOf(row.expect)
  const found = isShown ? outcome.shown : isExcluded ? outcome.excluded : 'inconclusive'
  // A regression or a missed expectation needs no second thought.
  const doubt =
    found === 'pass' || (found === 'inconclusive' && !row.expect)
      ? doubtOf(tested, estimate, { spread, isExcluded: isExcluded && !isShown, isBlind: isShown && !isHighKnown })
      : null
  const [first, second] = direction === 'slower' ? [low, high] : [-high, -low]
  const [from, to] = metrics[row.metric].better === 'lower' ? [first, second] : [-second, -first]
  const middle = (metrics[row.metric].better === 'lower') === (direction === 'slower') ? estimate : -estimate
  const opposite = direction === 'slower' ? 'faster' : 'slower'
  return comparisonOf(row, {
    base: medianOf(row.pairs.map(({ base }) => base)),
    head: medianOf(row.pairs.map(({ head }) => head)),
    ratio: finite(Math.exp(middle)),
    low: finite(Math.exp(from)),
    high: finite(Math.exp(to)),
    p,
    pairs: row.pairs.length,
    spread: finite(spread),
    change: isLowKnown && low > 0 ? direction : !isHighKnown ? 'unclear' : high < 0 ? opposite : 'same',
    verdict: doubt ? 'inconclusive' : found,
    ...(doubt && { reason: doubt })
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
 * anything: they would miss slow processes.
 *
 * @param {TestedRow} tested
 * @param {number} estimate
 * @param {{spread: number, isExcluded: boolean, isBlind: boolean}} row  `isBlind`: no pairs could exclude anything.
 */
function doubtOf ({ row, rules, looks, shifts }, estimate, { spread, isExcluded, isBlind }) {
  const isEarly = looks.reduce((sum, { share }) => sum + share, 0) < 1 - ROUNDING
  if (isEarly && isBlind) return 'too few pairs so far to pass'
  // In a test for a gain, the slow pairs lie below.
  const sign = row.expect?.change === 'faster' ? -1 : 1
  const far = Math.max(Math.log1p(rules.margin), WILD * spread)
  const { above, below, p } = compareTails(
    shifts.map(shift => sign * shift),
    sign * estimate,
    far
  )
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
 * `detectable` and `morePairs` (see verdict.js), by the normal approximation, from the standard error of the estimate.
 *
 * Source: J. M. Bloom, "Minimum detectable effects", Evaluation Review 19(5), 1995.
 *
 * @param {TestedRow} tested
 * @param {Look[]} planned
 * @param {number} reach  Rounds that there might have been.
 * @returns {{detectable: number | null, morePairs: number}}
 */
export function powerOf ({ row, direction, rules, looks, shifts, firstLevel }, planned, reach) {
  const [floor, margin] = [Math.log1p(rules.floor), Math.log1p(rules.margin)]
  const rounds = Math.max(row.rounds, reach)
  const pairs = (rounds * shifts.length) / Math.max(1, row.rounds)
  const { estimate, error } = standardErrorOf(shifts)
  // The smallest p value of n pairs is 2^-n.
  const fewest = (/** @type {number} */ level) => Math.ceil(-Math.log2(level))
  const errors = (/** @type {number} */ level) => probit(1 - level) + probit(POWER)
  const lastLevel = firstLevel * (looksUntil(rounds, planned).at(-1)?.share ?? 1)
  const freedom = Math.max(1, Math.floor(pairs) - 1)
  const shift =
    floor + (tQuantile(1 - lastLevel, freedom) + tQuantile(POWER, freedom)) * error * Math.sqrt(shifts.length / pairs)
  return {
    detectable:
      shifts.length < 2 || pairs < fewest(lastLevel)
        ? null
        : finite(direction === 'slower' ? Math.expm1(shift) : -Math.expm1(-shift)),
    morePairs: morePairs()
  }

  function morePairs () {
    const { length } = shifts
    const { share } = looks[looks.length - 1]
    const needed = fewest(Math.min(firstLevel, rules.alpha / 2) * share)
    if (length < 2 || !Number.isFinite(error)) return Math.max(1, needed - length)
    // The further end of the band between floor and margin is the one that can be shown.
    const distance = Math.max(margin - estimate, estimate - floor)
    const enough = Math.ceil(length * ((errors(firstLevel * share) * error) / distance) ** 2)
    return Math.max(Math.min(enough, MOST_DIFFERENCES), needed, length + 1) - length
  }
}

/**
 * Read off the interval of an estimate that is about normally distributed.
 *
 * @param {number[]} values
 */
function standardErrorOf (values) {
  const { estimate, low, high, coverage } = pseudoMedian(values, ERROR_CONFIDENCE)
  return { estimate, error: (high - low) / (2 * probit((1 + coverage) / 2)) }
}
