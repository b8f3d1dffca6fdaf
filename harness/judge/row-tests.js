/**
 * Tests of rows for a slowdown above the floor: signed ranks of the pairs, alpha spent over looks (alpha-spending.js), p values adjusted
 * for the number of rows (Holm). Where pairs depend on each other, blocks of neighbours are tested in their place.
 */
import { median } from 'simple-statistics'
import { groupBy } from '../model/group-by.js'
import { isGuard, metrics } from '../model/metrics.js'
import { holm } from './statistics/holm.js'
import { blockLength, inBlocks } from './statistics/serial-correlation.js'
import { signedRank } from './statistics/signed-rank.js'

/**
 * @import { Pair } from './pairs.js'
 * @import { Look, Row, Rules } from './verdict.js'
 */

/**
 * @typedef {ReturnType<typeof blockLength>} Block
 *
 * @typedef {object} TestedRow  Slowdowns are logarithms: above zero is worse, whatever the metric.
 * @property {Row} row
 * @property {Rules} rules  Wider for noisier metrics.
 * @property {number[]} slowdowns  All pairs, in the order of time.
 * @property {{slowdowns: number[], share: number}[]} looks  Blocks of pairs, where pairs depend on each other.
 * @property {Block} block
 * @property {number} p  Adjusted for looks and rows.
 * @property {number} level  The part of alpha at which the row is tested, after Holm.
 * @property {number} firstLevel  The part of alpha at which the row would be tested as the only slow one.
 */

/** Part of alpha that all guards together may spend. They look for gross slowdowns and need little. */
const GUARDS_SHARE = 0.2
/** Differences closer than this are equal but for rounding: a head that is exactly 2 % slower is at the floor, not above. */
export const ROUNDING = 1e-9
/** Share of the margin: pairs whose spread is less hardly differ. */
const SETTLED = 0.5
/** Turns the median absolute deviation of normal values into their standard deviation. */
const MAD_TO_SD = 1.4826

/** @param {Row[]} rows @param {Look[]} looks @param {Rules} rules @returns {Map<Row, TestedRow>} */
export function testRows (rows, looks, rules) {
  const families = groupBy(rows, familyOf)
  // One series a cell: its metrics are measured in the same heats, and their series are about the same.
  const blockAt = createBlocks(families.get('main') ?? rows)
  const tested = [...families].flatMap(([family, members]) => {
    const share = family === 'guard' ? GUARDS_SHARE : family === 'main' && families.has('guard') ? 1 - GUARDS_SHARE : 1
    const untested = members.map(row => slowdownsIn(row, looks, rules, blockAt))
    return family === 'shown' ? untested.flatMap(row => testFamily([row], rules.alpha, 1)) : testFamily(untested, rules.alpha, share)
  })
  return new Map(tested.map(each => [each.row, each]))
}

/** @param {Row} row */
function familyOf ({ gates, metric }) {
  if (!gates) return 'shown'
  return isGuard(metric) ? 'guard' : 'main'
}

/**
 * How far pairs resemble their neighbours, after each number of rounds: the correlations of all rows are pooled.
 *
 * @param {Row[]} rows
 * @returns {(rounds: number) => Block}
 */
function createBlocks (rows) {
  const allSeries = rows.map(seriesOf)
  /** @type {Map<number, Block>} */
  const blocks = new Map()
  return rounds => {
    const block = blocks.get(rounds) ?? blockLength(allSeries.map(series => before(series, rounds)))
    blocks.set(rounds, block)
    return block
  }
}

/** @param {Row} row */
function seriesOf ({ metric, pairs }) {
  const sign = metrics[metric].better === 'lower' ? 1 : -1
  return [...pairs].sort((a, b) => a.round - b.round).map(pair => ({ round: pair.round, slowdown: sign * Math.log(pairRatio(pair)) }))
}

/** @param {Pair} pair */
export const pairRatio = ({ base, head, ratio = head / base }) => ratio

/** @param {{round: number, slowdown: number}[]} series @param {number} rounds */
const before = (series, rounds) => series.filter(({ round }) => round < rounds).map(({ slowdown }) => slowdown)

/** @param {Row} row @param {Look[]} planned @param {Rules} rules @param {(rounds: number) => Block} blockAt */
function slowdownsIn (row, planned, rules, blockAt) {
  const { tolerance = 1 } = metrics[row.metric]
  const wider = { ...rules, floor: rules.floor * tolerance, margin: rules.margin * tolerance }
  const series = seriesOf(row)
  const blockOf = (/** @type {number} */ rounds) =>
    isBeyondDrift(before(series, rounds), Math.log1p(wider.margin)) ? { ...blockAt(rounds), length: 1 } : blockAt(rounds)
  const looks = looksUntil(row.rounds, planned)
  const last = looks[looks.length - 1].rounds
  return {
    row,
    rules: wider,
    looks: looks.map(({ rounds, share }) => ({ slowdowns: inBlocks(before(series, rounds), blockOf(rounds).length), share })),
    slowdowns: before(series, last),
    block: blockOf(last)
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
 * Drift hardly makes pairs that all lie above the margin and hardly differ: of 8 500 pairs of identical code in heats, no
 * five neighbours all lay 3 % off. Nor does it make pairs that lie further above the margin than from each other.
 *
 * @param {number[]} slowdowns @param {number} margin
 */
function isBeyondDrift (slowdowns, margin) {
  const [low, high] = [Math.min(...slowdowns), Math.max(...slowdowns)]
  if (low === Infinity || low - margin > high - low) return true
  return low > margin && spreadOf(slowdowns) < margin * SETTLED
}

/** Standard deviation of most values, however far off the others are. @param {number[]} logRatios @param {number} [middle] */
export function spreadOf (logRatios, middle = median(logRatios)) {
  return MAD_TO_SD * median(logRatios.map(logRatio => Math.abs(logRatio - middle)))
}

/** @param {ReturnType<typeof slowdownsIn>[]} rows @param {number} alpha @param {number} familyShare @returns {TestedRow[]} */
function testFamily (rows, alpha, familyShare) {
  // The p value of a look, divided by what the look may spend, is good for all looks together.
  const pOf = (/** @type {number[]} */ slowdowns, /** @type {number} */ floor) => signedRank(slowdowns.map(slowdown => excessOf(slowdown, floor)))
  const pValues = rows.map(({ looks, rules }) =>
    Math.min(...looks.map(({ slowdowns, share }) => pOf(slowdowns, Math.log1p(rules.floor)) / share)) / familyShare)
  const adjusted = holm(pValues)
  const rejected = adjusted.filter(p => p <= alpha).length
  // Holm tests the smallest p value most strictly, and stops at the first that is not rejected.
  const order = rows.map((_, i) => i).sort((a, b) => pValues[a] - pValues[b])
  return rows.map((row, i) => {
    const tests = Math.max(1, rows.length - Math.min(order.indexOf(i), rejected))
    return { ...row, p: adjusted[i], level: alpha * familyShare / tests, firstLevel: alpha * familyShare / rows.length }
  })
}

/** @param {number} slowdown @param {number} floor */
function excessOf (slowdown, floor) {
  return Math.abs(slowdown - floor) < ROUNDING ? 0 : slowdown - floor
}
