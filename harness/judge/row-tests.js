/**
 * Tests of rows for a slowdown above the floor: signed ranks of the pairs, alpha spent over looks (alpha-spending.js),
 * p values adjusted for the number of rows (Holm).
 *
 * The tests assume that pairs are independent. Heats are: of 8 519 pairs of identical code, the lag-1 correlation was
 * between -0.07 and 0.14, and no gate drawn from them raised a false alarm (docs/calibration.md).
 */
import { median } from 'simple-statistics'
import { groupBy } from '../model/group-by.js'
import { isGuard, metrics } from '../model/metrics.js'
import { holm } from './statistics/holm.js'
import { signedRank } from './statistics/signed-rank.js'

/**
 * @import { Pair } from './pairs.js'
 * @import { Look, Row, Rules } from './verdict.js'
 *
 * @typedef {object} TestedRow  Slowdowns are logarithms: above zero is worse, whatever the metric.
 * @property {Row} row
 * @property {Rules} rules  Wider for noisier metrics.
 * @property {number[]} slowdowns  Slowdowns in the order of time.
 * @property {{slowdowns: number[], share: number}[]} looks  Pairs of each look.
 * @property {number} p  Adjusted for looks and rows.
 * @property {number} level  Part of alpha for this row, after Holm.
 * @property {number} firstLevel  Part of alpha for this row if no other row is slow.
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

/**
 * @param {Row[]} rows
 * @param {Look[]} looks
 * @param {Rules} rules
 * @returns {Map<Row, TestedRow>}
 */
export function testRows (rows, looks, rules) {
  const families = groupBy(rows, familyOf)
  const tested = [...families].flatMap(([family, members]) => {
    const share = family === 'guard' ? GUARDS_SHARE : family === 'main' && families.has('guard') ? 1 - GUARDS_SHARE : 1
    const untested = members.map(row => slowdownsIn(row, looks, rules))
    return family === 'shown'
      ? untested.flatMap(row => testFamily([row], rules.alpha, 1))
      : testFamily(untested, rules.alpha, share)
  })
  return new Map(tested.map(each => [each.row, each]))
}

/** @param {Row} row */
function familyOf ({ gates, metric }) {
  if (!gates) return 'shown'
  return isGuard(metric) ? 'guard' : 'main'
}

/** @param {Row} row */
function seriesOf ({ metric, pairs }) {
  const sign = metrics[metric].better === 'lower' ? 1 : -1
  return [...pairs]
    .sort((a, b) => a.round - b.round)
    .map(pair => ({ round: pair.round, slowdown: sign * Math.log(pairRatio(pair)) }))
}

/** @param {Pair} pair */
export const pairRatio = ({ base, head, ratio = head / base }) => ratio

/**
 * @param {{round: number, slowdown: number}[]} series
 * @param {number} rounds
 */
const before = (series, rounds) => series.filter(({ round }) => round < rounds).map(({ slowdown }) => slowdown)

/**
 * @param {Row} row
 * @param {Look[]} planned
 * @param {Rules} rules
 */
function slowdownsIn (row, planned, rules) {
  const { tolerance = 1 } = metrics[row.metric]
  const wider = { ...rules, floor: rules.floor * tolerance, margin: rules.margin * tolerance }
  const series = seriesOf(row)
  const looks = looksUntil(row.rounds, planned).map(({ rounds, share }) => ({
    slowdowns: before(series, rounds),
    share
  }))
  return { row, rules: wider, looks, slowdowns: before(series, row.rounds) }
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
 * @param {ReturnType<typeof slowdownsIn>[]} rows
 * @param {number} alpha
 * @param {number} familyShare
 * @returns {TestedRow[]}
 */
function testFamily (rows, alpha, familyShare) {
  // The p value of a look, divided by the look's share of alpha, holds for all looks together.
  const pOf = (/** @type {number[]} */ slowdowns, /** @type {number} */ floor) =>
    signedRank(slowdowns.map(slowdown => excessOf(slowdown, floor)))
  const pValues = rows.map(
    ({ looks, rules }) =>
      Math.min(...looks.map(({ slowdowns, share }) => pOf(slowdowns, Math.log1p(rules.floor)) / share)) / familyShare
  )
  const adjusted = holm(pValues)
  const rejected = adjusted.filter(p => p <= alpha).length
  // Holm tests the smallest p value most strictly, and stops at the first that is not rejected.
  const order = rows.map((_, i) => i).sort((a, b) => pValues[a] - pValues[b])
  return rows.map((row, i) => {
    const tests = Math.max(1, rows.length - Math.min(order.indexOf(i), rejected))
    return {
      ...row,
      p: adjusted[i],
      level: (alpha * familyShare) / tests,
      firstLevel: (alpha * familyShare) / rows.length
    }
  })
}

/**
 * @param {number} slowdown
 * @param {number} floor
 */
function excessOf (slowdown, floor) {
  return Math.abs(slowdown - floor) < ROUNDING ? 0 : slowdown - floor
}
