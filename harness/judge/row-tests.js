/**
 * Tests of rows for a slowdown above the floor, or for a gain (expectation.js): signed ranks of the pairs, alpha spent
 * over looks (alpha-spending.js), p values adjusted for the number of rows (Holm).
 *
 * The tests assume that pairs are independent. Heats are: of 8 519 pairs of identical code, the lag-1 correlation was
 * between -0.07 and 0.14, and no gate drawn from them raised a false alarm (lab/notebook/calibration.md).
 */
import { median } from 'simple-statistics'
import { groupBy } from '../model/group-by.js'
import { isGuard, metrics } from '../model/metrics.js'
import { directionsOf, rulesFor } from './expectation.js'
import { holm } from './statistics/holm.js'
import { pseudoMedian } from './statistics/pseudo-median.js'
import { signedRank } from './statistics/signed-rank.js'
import { compareTails } from './statistics/sign-test.js'

/**
 * @import { Direction } from './expectation.js'
 * @import { Look, Row, Rules } from './records.js'
 *
 * @typedef {object} TestedRow  A row and one direction. Shifts are logarithms: above zero is the direction of the test.
 * @property {Row} row
 * @property {Direction} direction
 * @property {number} sign  Turns a shift into the logarithm of head to base, and back.
 * @property {Rules} rules  Wider for noisier metrics.
 * @property {number[]} shifts
 * @property {{shifts: number[], share: number}[]} looks  Pairs of each look.
 * @property {number} p  Adjusted for looks and rows.
 * @property {number} level  Part of alpha for this row, after Holm.
 * @property {number} firstLevel  Part of alpha for this row if no other row is slow.
 * @property {number} spread  See verdict.js.
 * @property {Tails} tails
 *
 * @typedef {object} Tails
 * @property {number} above  Pairs that are far slower than the rest, or far faster where the test looks for that.
 * @property {number} below  Pairs that are as far off on the other side.
 * @property {number} p  Probability that chance puts this many above, adjusted for rows.
 */

/** Part of alpha for all guards together. Guards search for gross slowdowns and need little. */
const GUARDS_SHARE = 0.2
/**
 * Differences closer than this are equal but for rounding: a head that is exactly 2 % slower is at the floor, not
 * above.
 */
export const ROUNDING = 1e-9
/** Turns the median absolute deviation of normal values into their standard deviation. */
const MAD_TO_SD = 1.4826
/** Standard deviations: one normal pair in 370 is as wild. */
const WILD = 3

/**
 * @param {Row[]} rows
 * @param {Look[]} looks
 * @param {Rules} rules
 * @returns {Map<Row, TestedRow[]>} a test, or one for each direction
 */
export function testRows (rows, looks, rules) {
  const families = groupBy(rows, ({ metric }) => isGuard(metric))
  const tested = [...families].flatMap(([guards, members]) => {
    const share = guards ? GUARDS_SHARE : families.has(true) ? 1 - GUARDS_SHARE : 1
    const untested = members.flatMap(row =>
      directionsOf(row.expect).map(direction => shiftsIn(row, direction, looks, rules))
    )
    return testFamily(untested, rules.alpha, share)
  })
  return groupBy(tested, ({ row }) => row)
}

/**
 * @param {Row} row
 * @param {Direction} direction
 * @param {Look[]} planned
 * @param {Rules} rules
 */
function shiftsIn (row, direction, planned, rules) {
  const { tolerance = 1, better } = metrics[row.metric]
  const wider = { ...rules, floor: rules.floor * tolerance, margin: rules.margin * tolerance }
  const sign = (better === 'lower') === (direction === 'slower') ? 1 : -1
  const shiftsBefore = (/** @type {number} */ end) =>
    row.pairs.filter(({ round }) => round < end).map(({ ratio }) => sign * Math.log(ratio))
  return {
    row,
    direction,
    sign,
    rules: rulesFor(wider, direction, row.expect),
    looks: looksUntil(row.rounds, planned).map(({ rounds, share }) => ({ shifts: shiftsBefore(rounds), share })),
    shifts: shiftsBefore(row.rounds)
  }
}

/**
 * Looks that a row has had. A row that stopped between two looks spends there what is left of alpha.
 *
 * @param {number} rounds
 * @param {Look[]} planned
 */
export function looksUntil (rounds, planned) {
  const reached = planned.filter(look => look.rounds <= rounds)
  const last = reached.at(-1)?.rounds ?? 0
  const left = 1 - reached.reduce((sum, { share }) => sum + share, 0)
  return rounds > last && left > 0 ? [...reached, { rounds, share: left }] : reached
}

/**
 * Robust standard deviation, from the median deviation.
 *
 * @param {number[]} logRatios
 * @param {number} [middle]
 */
export function spreadOf (logRatios, middle = median(logRatios)) {
  return MAD_TO_SD * median(logRatios.map(logRatio => Math.abs(logRatio - middle)))
}

/**
 * @param {ReturnType<typeof shiftsIn>[]} rows
 * @param {number} alpha
 * @param {number} familyShare
 * @returns {TestedRow[]}
 */
function testFamily (rows, alpha, familyShare) {
  // The p value of a look, divided by the look's share of alpha, holds for all looks together.
  const pOf = (/** @type {number[]} */ shifts, /** @type {number} */ floor) =>
    signedRank(shifts.map(shift => excessOf(shift, floor)))
  const pValues = rows.map(
    ({ looks, rules }) =>
      Math.min(...looks.map(({ shifts, share }) => pOf(shifts, Math.log1p(rules.floor)) / share)) / familyShare
  )
  const adjusted = holm(pValues)
  const rejected = adjusted.filter(p => p <= alpha).length
  const own = alpha * familyShare
  // Holm tests the smallest p value most strictly, and stops at the first that is not rejected.
  const order = rows.map((_, i) => i).sort((a, b) => pValues[a] - pValues[b])
  const scatter = rows.map(scatterOf)
  const tailPs = holm(scatter.map(({ tails }) => tails.p))
  return rows.map((row, i) => {
    const tests = Math.max(1, rows.length - Math.min(order.indexOf(i), rejected))
    const { spread, tails } = scatter[i]
    return {
      ...row,
      p: adjusted[i],
      level: own / tests,
      firstLevel: own / rows.length,
      spread,
      tails: { ...tails, p: tailPs[i] }
    }
  })
}

/**
 * A pair is wild if it lies beyond the margin, where a slowdown must be noticed, and far from the rest. Chance places
 * such pairs as often as far on the other side of the estimate.
 *
 * @param {ReturnType<typeof shiftsIn>} row
 */
function scatterOf ({ row, rules, looks }) {
  const { shifts } = looks[looks.length - 1]
  const { estimate } = pseudoMedian(shifts)
  const spread = spreadOf(shifts, estimate)
  // In a test for an expected gain, the slow pairs lie below: they are no gain.
  const turn = row.expect?.change === 'faster' ? -1 : 1
  const far = Math.max(turn * (Math.log1p(rules.margin) - estimate), WILD * spread)
  const slower = shifts.map(shift => turn * shift)
  return { spread, tails: compareTails(slower, turn * estimate, far) }
}

/**
 * @param {number} shift
 * @param {number} floor
 */
function excessOf (shift, floor) {
  return Math.abs(shift - floor) < ROUNDING ? 0 : shift - floor
}
