/**
 * The rules of one row: pairs of samples, or two counts, in; a verdict out. Pure.
 *
 *   regression    significantly slower than the floor allows, adjusted for looks and rows
 *   pass          slowdowns of the margin or more are excluded, and wild pairs do not pile up on the slow side
 *   missed        the row was wanted faster, or level, and is shown not to be
 *   inconclusive  neither is shown: more pairs are needed
 *   invalid       nothing could be measured; never a pass
 *
 * Slowdowns below the floor count as noise; slowdowns above the margin must be noticed. Between the two, either verdict
 * is right (docs/reference/trust.md). A row that is wanted
 *
 *   faster   passes when the head is shown to be faster by more than the floor; missed when it is shown not to be
 *   level    passes when the head is shown to be neither slower nor faster by the margin; missed when it is shown to be
 *            slower or faster by more than the floor
 *
 * The test ranks signed pairs and spends alpha over looks. It assumes that pairs are independent. Heats are: of 8 519
 * pairs of identical code, the lag-1 correlation was between -0.07 and 0.14, and no gate drawn from them raised a false
 * alarm (lab/notebook/calibration.md). The bounds of a row are those of its test: the lower one is above the floor
 * where its direction is shown, and only there; the upper one is below the margin where it is excluded.
 */
import { median, probit } from 'simple-statistics'
import { placeOfCell } from '../model/cell.js'
import { isGuard, metrics } from '../model/metrics.js'
import { tQuantile } from './statistics/interval.js'
import { boundsOf, pseudoMedian } from './statistics/pseudo-median.js'
import { MOST_DIFFERENCES, signedRank } from './statistics/signed-rank.js'

/**
 * @import { CellPlace } from '../model/cell.js'
 * @import { Comparison, Look, Lost, Row, RowFindings, RowKind, Rules } from './records.js'
 *
 * @typedef {object} RowTest  A row and one direction. Shifts are logarithms: above zero is the direction of the test.
 * @property {Row} row
 * @property {'slower' | 'faster'} direction
 * @property {number} sign  Turns a shift into the logarithm of head to base, and back.
 * @property {Rules} rules  Wider for noisier metrics.
 * @property {{shifts: number[], share: number}[]} looks  Pairs of each look.
 * @property {number[]} shifts  Pairs of the last look.
 * @property {number} p  Adjusted for looks.
 * @property {number} estimate
 * @property {number} error  Standard error of the estimate.
 * @property {number} spread  Standard deviation of a pair.
 * @property {Tails} tails
 *
 * @typedef {object} Tails
 * @property {number} above  Pairs that are far slower than the rest, or far faster where the test looks for that.
 * @property {number} below  Pairs that are as far off on the other side.
 * @property {number} p  Probability that chance puts this many above.
 *
 * @typedef {object} Levels  Parts of alpha.
 * @property {number} level  For this row, after Holm.
 * @property {number} firstLevel  For this row if no other row is slow.
 *
 * @typedef {RowTest & Levels} TestedRow  Its probabilities are adjusted for rows.
 */

/** Tests that a row needs, and its verdict where they show their direction by more than the floor, or exclude it. */
const WANTED = /** @type {const} */ ({
  'not-slower': { directions: ['slower'], shown: 'regression', excluded: 'pass' },
  faster: { directions: ['faster'], shown: 'pass', excluded: 'missed' },
  level: { directions: ['slower', 'faster'], shown: 'missed', excluded: 'pass' }
})
/** Level of wild pairs that are mostly slow, which keep a row from passing, for all rows together. */
const TAIL_LEVEL = 0.1
/** Share of repetitions in which a detectable slowdown is found. */
const POWER = 0.8
/** Confidence of the interval that gives the standard error: inside this interval, few pairs still look normal. */
const ERROR_CONFIDENCE = 0.68
/**
 * Differences closer than this are equal but for rounding: a head that is exactly 2 % slower is at the floor, not
 * above.
 */
const ROUNDING = 1e-9
/** Turns the median absolute deviation of normal values into their standard deviation. */
const MAD_TO_SD = 1.4826
/** Standard deviations: one normal pair in 370 is as wild. */
const WILD = 3
/** Allowed increase in the share of failed requests. */
const ERRORS_ALLOWED = 0.01
/** Margins by which a count may grow: blocks differ in what they cost. */
const COUNT_MARGINS = 5
/** The work of a request repeats to the block, and bytes do not differ in what they cost. */
const AT_ONE_MARGIN = ['workPerRequest', 'allocatedBytesPerOp']
/** A block or byte that every count may grow by: zero has no margin. */
const UNNOTICED = 1

/**
 * Both tests of a row that is wanted level must exclude their direction.
 *
 * @param {Row} row
 * @param {Look[]} planned
 * @param {Rules} rules
 * @returns {RowTest[]}
 */
export function testsOf (row, planned, rules) {
  const { tolerance = 1, better } = metrics[row.metric]
  const wider = { ...rules, floor: rules.floor * tolerance, margin: rules.margin * tolerance }
  return outcomeOf(row).directions.map(direction => {
    const sign = (better === 'lower') === (direction === 'slower') ? 1 : -1
    const own = direction === 'slower' ? wider : mirrored(wider, row)
    const floor = Math.log1p(own.floor)
    const looks = looksUntil(row.rounds, planned).map(({ rounds, share }) => ({
      shifts: row.pairs.filter(({ round }) => round < rounds).map(({ ratio }) => sign * Math.log(ratio)),
      share
    }))
    const { shifts } = looks[looks.length - 1]
    // The p value of a look, divided by the look's share of alpha, holds for all looks together.
    const p = Math.min(
      ...looks.map(({ shifts, share }) => signedRank(shifts.map(shift => excessOf(shift, floor))) / share)
    )
    return { row, direction, sign, rules: own, looks, shifts, p, ...scatterOf(row, shifts, own) }
  })
}

/** @param {Pick<Row, 'wanted'>} row */
const outcomeOf = ({ wanted }) => WANTED[wanted?.change ?? 'not-slower']

/**
 * The rules of a test for a gain, so that log1p of a bound is its distance from "as fast". A gain of 5 % takes 0.95
 * times as long, which is as far as a slowdown of 5.3 %.
 *
 * @param {Rules} rules
 * @param {Pick<Row, 'wanted'>} row
 */
function mirrored (rules, { wanted }) {
  const { floor = rules.floor } = wanted ?? {}
  // Nothing lies between faster and not faster: near the floor, a row stays open.
  const [near, far] = [floor, wanted?.change === 'faster' ? floor : rules.margin].map(gain => 1 / (1 - gain) - 1)
  return { ...rules, floor: near, margin: far }
}

/**
 * Looks that a row has had. A row that stopped between two looks spends there what is left of alpha.
 *
 * @param {number} rounds
 * @param {Look[]} planned
 */
function looksUntil (rounds, planned) {
  const reached = planned.filter(look => look.rounds <= rounds)
  const last = reached.at(-1)?.rounds ?? 0
  const left = 1 - reached.reduce((sum, { share }) => sum + share, 0)
  return rounds > last && left > 0 ? [...reached, { rounds, share: left }] : reached
}

/**
 * @param {number} shift
 * @param {number} floor
 */
const excessOf = (shift, floor) => (Math.abs(shift - floor) < ROUNDING ? 0 : shift - floor)

/**
 * A pair is wild if it lies beyond the margin, where a slowdown must be noticed, and far from the rest. A median does
 * not see a tenth of pairs that are far off. Of identical programs either may be the one that was disturbed, so chance
 * places wild pairs as often on the other side of the estimate.
 *
 * Source: J. Arbuthnot, "An argument for divine providence", Philosophical Transactions 27, 1710.
 *
 * @param {Row} row
 * @param {number[]} shifts
 * @param {Rules} rules
 */
function scatterOf ({ wanted }, shifts, rules) {
  const { estimate, low, high, coverage } = pseudoMedian(shifts, ERROR_CONFIDENCE)
  // Read off the interval of an estimate that is about normally distributed.
  const error = (high - low) / (2 * probit((1 + coverage) / 2))
  // Robust, from the median deviation.
  const spread = MAD_TO_SD * median(shifts.map(shift => Math.abs(shift - estimate)))
  // In a test for an expected gain, the slow pairs lie below: they are no gain.
  const turn = wanted?.change === 'faster' ? -1 : 1
  const far = Math.max(turn * (Math.log1p(rules.margin) - estimate), WILD * spread)
  const [above, below] = [turn, -turn].map(side => shifts.filter(shift => side * (shift - estimate) > far).length)
  return { estimate, error, spread, tails: { above, below, p: chanceOfHeads(above + below, above) } }
}

/**
 * Probability of this many heads or more.
 *
 * @param {number} tosses  Number of tosses, 1000 or fewer: single results of more tosses are too unlikely for a number.
 * @param {number} heads
 */
function chanceOfHeads (tosses, heads) {
  let probability = 0.5 ** tosses
  let sum = 0
  for (let exactly = tosses; exactly >= heads; exactly--) {
    sum += probability
    probability *= exactly / (tosses - exactly + 1)
  }
  return sum
}

/**
 * @param {TestedRow} tested
 * @returns {Comparison} without `detectable`
 */
export function decide (tested) {
  const { row, direction, sign, rules, estimate, spread, p } = tested
  const isShown = p <= rules.alpha
  const { low, high, isLowKnown, isHighKnown } = boundsIn(tested, isShown)
  const isExcluded = isHighKnown && high < Math.log1p(rules.margin)
  const outcome = outcomeOf(row)
  const found = isShown ? outcome.shown : isExcluded ? outcome.excluded : 'inconclusive'
  // A regression or a missed expectation needs no second thought.
  const doubt =
    found === 'pass' || (found === 'inconclusive' && !row.wanted)
      ? doubtOf(tested, { isExcluded: isExcluded && !isShown, isBlind: isShown && !isHighKnown })
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

/**
 * @param {TestedRow} tested
 * @param {boolean} isShown
 */
function boundsIn ({ rules, looks, level }, isShown) {
  const bounds = looks
    .filter(({ shifts }) => shifts.length > 0)
    .map(({ shifts, share }) => {
      const levels = { low: level * share, high: (rules.alpha * share) / 2 }
      return { levels, ...boundsOf(shifts, levels) }
    })
  const last = bounds[bounds.length - 1]
  const lowest = Math.max(...bounds.map(({ low }) => low))
  const floor = Math.log1p(rules.floor)
  // The test counts ties and looks with too few pairs a little differently: it decides.
  const low = isShown ? Math.max(lowest, floor) : Math.min(lowest, floor)
  return {
    low,
    high: Math.max(last.high, low),
    isLowKnown: bounds.some(({ levels, chance }) => chance.low <= levels.low),
    isHighKnown: last.chance.high <= last.levels.high
  }
}

/**
 * Reasons to doubt a pass: the bound misses that every tenth process is slow, or that the next look may show a slowdown
 * above the floor. An early look only saves time, so neither passes there, nor does a gain in too few pairs to exclude
 * anything: they would miss slow processes. By the last look's rule at every look, 66 % of simulated heads passed of
 * which every tenth process is twice as slow, in place of 32 %.
 *
 * @param {TestedRow} tested
 * @param {{isExcluded: boolean, isBlind: boolean}} row  `isBlind`: no pairs could exclude anything.
 */
function doubtOf ({ rules, looks, shifts, estimate, tails: { above, below, p } }, { isExcluded, isBlind }) {
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
const medianOf = values => median(values.filter(value => Number.isFinite(value) && value > 0))

/** @param {number} value */
const finite = value => (Number.isFinite(value) ? value : null)

/**
 * The smallest slowdown or gain that all tests of a row would show, by the normal approximation.
 *
 * Source: J. M. Bloom, "Minimum detectable effects", Evaluation Review 19(5), 1995.
 *
 * @param {TestedRow[]} tests  None: nothing was measured.
 * @param {Look[]} planned
 * @param {number} reach  Rounds that there might have been.
 */
export function detectableIn (tests, planned, reach) {
  const changes = tests.map(({ row, direction, rules, shifts, error, firstLevel }) => {
    const rounds = Math.max(row.rounds, reach)
    const pairs = (rounds * shifts.length) / Math.max(1, row.rounds)
    const [{ share }] = looksUntil(rounds, planned).slice(-1)
    const lastLevel = firstLevel * share
    if (shifts.length < 2 || pairs < fewestPairs(lastLevel)) return NaN
    const freedom = Math.max(1, Math.floor(pairs) - 1)
    const shift =
      Math.log1p(rules.floor) +
      (tQuantile(1 - lastLevel, freedom) + tQuantile(POWER, freedom)) * error * Math.sqrt(shifts.length / pairs)
    return direction === 'slower' ? Math.expm1(shift) : -Math.expm1(-shift)
  })
  return finite(Math.max(...changes))
}

/**
 * About the pairs that would decide a row, by the same approximation.
 *
 * @param {TestedRow} tested
 * @param {boolean} isSettled  The interval has decided. Nothing tells how many pairs would settle a doubt.
 */
function pairsNeeded ({ rules, looks, shifts, estimate, error, firstLevel }, isSettled) {
  const { share } = looks[looks.length - 1]
  const fewest = fewestPairs(Math.min(firstLevel, rules.alpha / 2) * share)
  if (isSettled || shifts.length < 2 || !Number.isFinite(error)) return fewest
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
 * Has a count grown so much that it is a cost? Any smaller difference is real, too, but no reason to fail a change.
 *
 * @param {string} metric
 * @param {number} base  Zero or less where the difference of two heaps is nothing.
 * @param {number} head
 * @param {number} margin
 */
export function countsAsRegression (metric, base, head, margin) {
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
 * @param {boolean} isRegression
 * @returns {Comparison}
 */
export function comparisonOfCounts (row, base, head, isRegression) {
  const isMoreWorse = metrics[row.metric].better === 'lower'
  const ratio = base === 0 ? null : head / base
  return comparisonOf(row, {
    base,
    head,
    ratio,
    low: ratio,
    high: ratio,
    pairs: 1,
    detectable: 0,
    change: head === base ? 'same' : (head > base) === isMoreWorse ? 'slower' : 'faster',
    exact: true,
    verdict: isRegression ? 'regression' : 'pass'
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
  const [before, now] = [base, head].map(({ errors, requests }) => (errors === 0 ? 0 : errors / (errors + requests)))
  const row = { ...cell, metric: 'errors' }
  return { ...comparisonOfCounts(row, base.errors, head.errors, now - before > ERRORS_ALLOWED), guard: true }
}

/**
 * @param {Row & {failure: string}} row
 * @returns {Comparison}
 */
export const judgeFailed = row =>
  comparisonOf(row, { pairs: row.pairs.length, verdict: 'invalid', reason: row.failure })

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
function comparisonOf (row, findings) {
  const { metric, gates, lost, wanted } = row
  const { unit, better } = metrics[metric]
  return {
    ...placeOfCell(row),
    metric,
    gates,
    unit,
    better,
    ...(isGuard(metric) && { guard: true }),
    ...(wanted && { expect: wanted }),
    ...(lost && lost.base + lost.head > 0 && { lost }),
    ...UNKNOWN,
    ...findings
  }
}
