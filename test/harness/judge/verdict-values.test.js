/**
 * Verdicts by exact values: each limit on both sides, each figure as worked out by hand or by the statistics alone, whose
 * own tests compare them with published tables. Cheap, so that mutation testing can try every change of verdict.js on it.
 */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { median } from 'simple-statistics'
import { DEFAULT_RULES, judge, judgeBriefly, judgeErrors, judgeExact, judgeFailed, overallVerdict, spreadOf } from '../../../harness/judge/verdict.js'
import { detectableShift, pairsToDetect, standardErrorOf } from '../../../harness/judge/statistics/detectable.js'
import { boundsOf, pseudoMedian } from '../../../harness/judge/statistics/pseudo-median.js'

/** @typedef {import('../../../harness/judge/verdict.js').Row} Row */

const CELL = { scenario: 'refresh', params: { size: 10 }, queue: 'heap', runtime: 'v20' }
const THREE_LOOKS = [10, 20, 30].map(rounds => ({ rounds, share: 1 / 3 }))
const { floor: FLOOR, margin: MARGIN } = { floor: Math.log(1.02), margin: Math.log(1.05) }
/** Turns the standard error of a Hodges-Lehmann estimate into a standard deviation: sqrt(pi / 3). */
const HODGES_LEHMANN_ERROR = 1.023

/**
 * @param {number[]} ratios
 * @param {Partial<Row>} [changed]
 * @returns {Row}
 */
const rowOf = (ratios, changed) =>
  ({ ...CELL, metric: 'nsPerOp', gates: true, rounds: ratios.length, pairs: ratios.map((ratio, round) => ({ round, base: 50, head: 50, ratio })), ...changed })

/**
 * Ratios around a slowdown, all different, high and low in turn: neighbours do not resemble each other.
 *
 * @param {number} length
 * @param {number} slowdown
 * @param {number} step  Between neighbours in order of size, in logarithms.
 */
function around (length, slowdown, step) {
  const half = Math.ceil(length / 2)
  const ranks = Array.from({ length }, (_, i) => i % 2 === 0 ? i / 2 : half + (i - 1) / 2)
  return ranks.map(rank => slowdown * Math.exp(step * (rank - (length - 1) / 2) + 1e-4 * step * rank ** 2))
}

/** @param {number[]} values */
const logs = values => values.map(Math.log)

/**
 * @param {number[]} ratios
 * @param {Partial<import('../../../harness/judge/verdict.js').Rules>} [rules]
 * @param {Partial<Row>} [changed]
 */
const judgeOne = (ratios, rules, changed) => judge([rowOf(ratios, changed)], [], { ...DEFAULT_RULES, ...rules })[0]

/**
 * @param {number | null} actual
 * @param {number} expected
 */
const assertClose = (actual, expected) => assert.ok(Math.abs(Number(actual) - expected) < 1e-12 * Math.max(1, Math.abs(expected)), `${actual}, expected ${expected}`)

test('a row says all of what was found', () => {
  const pairs = [0.99, 1.03, 1, 1.04, 1.01, 1.05].map((ratio, round) => ({ round, base: 100 + round, head: (100 + round) * ratio }))
  const rows = [rowOf([], { pairs: [...pairs, { round: 6, base: 0, head: 40, ratio: 1.02 }, { round: 7, base: 90, head: Infinity }], rounds: 8, lost: { base: 0, head: 1 } })]
  const [{ ratio, low, high, spread, p, detectable, morePairs, ...rest }] = judge(rows, [], { ...DEFAULT_RULES, alpha: 0.2 })
  assert.deepEqual(rest, {
    ...CELL, metric: 'nsPerOp', gates: true, unit: 'ns', better: 'lower', base: 102, head: 101 * 1.03, pairs: 8, lost: { base: 0, head: 1 }, change: 'slower', exact: false, verdict: 'inconclusive'
  })
  const slowdowns = logs([0.99, 1.03, 1, 1.04, 1.01, 1.05, 1.02, Infinity])
  const bounds = boundsOf(slowdowns, { low: 0.2, high: 0.1 })
  assertClose(ratio, Math.exp(bounds.estimate))
  assertClose(low, Math.min(1.02, Math.exp(bounds.low)))
  assertClose(high, Math.exp(bounds.high))
  assertClose(spread, 1.4826 * median(slowdowns.map(slowdown => Math.abs(slowdown - bounds.estimate))))
  assert.equal(p, 0.40625)
  assertClose(detectable, detectableAt([[8, 0.2, 0.1]], describe(slowdowns).spread))
  assert.equal(morePairs, 1)
})

test('spread is the median deviation from the middle, times what makes it a standard deviation', () => {
  assertClose(spreadOf([1, 2, 4, 8, 100]), 1.4826 * 3)
  assertClose(spreadOf([1, 2, 4, 8, 100], 0), 1.4826 * 4)
})

test('a count is judged to the last digit', () => {
  const row = { ...CELL, metric: 'workPerOp', gates: true }
  assert.deepEqual(judgeExact(row, 100, 102), {
    ...row, unit: 'blocks', better: 'lower', base: 100, head: 102, ratio: 1.02, low: 1.02, high: 1.02, p: null, pairs: 1, spread: null, detectable: 0, morePairs: null, change: 'slower', exact: true, verdict: 'regression'
  })
  assert.deepEqual([judgeExact(row, 100, 100.00001), judgeExact(row, 100, 99.99999), judgeExact(row, 100, 100)].map(({ change, verdict }) => [change, verdict]),
    [['slower', 'regression'], ['faster', 'pass'], ['same', 'pass']])
  const { ratio, low, high, change } = judgeExact(row, 0, 0)
  assert.deepEqual([ratio, low, high, change], [null, null, null, 'same'])
  assert.equal(judgeExact({ ...row, metric: 'requestsPerSecond' }, 10, 9).verdict, 'regression')
  assert.equal(judgeExact({ ...row, metric: 'requestsPerSecond' }, 10, 11).change, 'faster')
})

test('a hundredth of all requests may fail more than before, no more', () => {
  const cell = { ...CELL, gates: true }
  const errorsOf = (/** @type {number} */ errors, /** @type {number} */ of) => ({ errors, requests: of - errors })
  const judged = (/** @type {number[]} */ [errors, of], /** @type {number[]} */ [errorsNow, ofNow]) => judgeErrors(cell, errorsOf(errors, of), errorsOf(errorsNow, ofNow)).verdict
  assert.deepEqual([judged([0, 1000], [10, 1000]), judged([0, 1000], [11, 1000])], ['pass', 'regression'])
  assert.deepEqual([judged([500, 1000], [505, 1000]), judged([500, 1000], [515, 1000])], ['pass', 'regression'])
  assert.equal(judged([8, 1000], [8, 1000]), 'pass')
  assert.deepEqual([judged([0, 0], [5, 10]), judged([5, 10], [0, 0]), judged([0, 0], [0, 0])], ['regression', 'pass', 'pass'])
  const { metric, guard, exact, base, head, change } = judgeErrors(cell, errorsOf(0, 1000), errorsOf(4, 1000))
  assert.deepEqual({ metric, guard, exact, base, head, change }, { metric: 'errors', guard: true, exact: true, base: 0, head: 4, change: 'slower' })
})

test('a row that failed says why, what it lost, and nothing else', () => {
  assert.deepEqual(judgeOne(around(8, 1, 0.001), {}, { failure: 'it died' }).verdict, 'invalid')
  const expected = {
    ...CELL, metric: 'nsPerOp', gates: true, unit: 'ns', better: 'lower', base: null, head: null, ratio: null, low: null, high: null, p: null, pairs: 1, spread: null, detectable: null, morePairs: null, change: 'unclear', exact: false, verdict: 'invalid', reason: 'no pair of samples'
  }
  assert.deepEqual(judgeFailed(rowOf([1])), expected)
  assert.deepEqual(judgeFailed(rowOf([1], { metric: 'latencyP99Ms', lost: { base: 0, head: 2 }, failure: 'it died' })),
    { ...expected, metric: 'latencyP99Ms', unit: 'ms', guard: true, lost: { base: 0, head: 2 }, reason: 'it died' })
  assert.equal('lost' in judgeFailed(rowOf([1], { lost: { base: 0, head: 0 } })), false)
  assert.equal('lost' in judgeOne([1, 1], {}, { lost: { base: 0, head: 0 } }), false)
  assert.deepEqual(judgeFailed(rowOf([1], { lost: { base: 1, head: 0 } })).lost, { base: 1, head: 0 })
  assert.deepEqual(judgeOne([1, 1], {}, { lost: { base: 1, head: 0 } }).lost, { base: 1, head: 0 })
})

test('what nobody measured makes no verdict', () => {
  const pairOf = (/** @type {number} */ base, /** @type {number} */ head) => ({ round: 0, base, head })
  const reasonOf = (/** @type {import('../../../harness/judge/pairs.js').Pair[]} */ pairs) => judgeOne([], {}, { pairs, rounds: 1 }).reason
  for (const [base, head] of [[0, 1], [1, 0], [Infinity, 1], [1, Infinity], [-1, 1], [1, -1]]) {
    assert.equal(reasonOf([pairOf(base, head)]), 'no pair of samples', `${base} ${head}`)
  }
  assert.equal(reasonOf([pairOf(1, 1), { ...pairOf(-1, 1), round: 1 }]), 'no ratio in round 1: base -1, head 1')
  assert.equal(reasonOf([pairOf(1, 1), { ...pairOf(1, -1), round: 1 }]), 'no ratio in round 1: base 1, head -1')
  for (const [base, head] of [[0, 1], [1, 0]]) assert.equal(reasonOf([pairOf(1, 1), { ...pairOf(base, head), round: 1 }]), undefined, `${base} ${head}`)
})

test('p may be as high as alpha: six slow pairs have a p value of 1 in 64', () => {
  const verdictAt = (/** @type {number} */ alpha) => judgeOne(around(6, 1.3, 0.001), { alpha })
  assert.deepEqual([verdictAt(1 / 64).verdict, verdictAt(1 / 64).p, verdictAt(1 / 64.01).verdict], ['regression', 1 / 64, 'inconclusive'])
})

test('five pairs are too few to exclude the margin at 5 %, six are enough', () => {
  const [five, six] = [5, 6].map(length => judgeOne(around(length, 1, 0.001)))
  assert.deepEqual([five.verdict, five.change, six.verdict, six.change], ['inconclusive', 'unclear', 'pass', 'same'])
  // One-sided, each bound has half of alpha.
  const verdictAt = (/** @type {number} */ alpha) => judgeOne(around(6, 1, 0.001), { alpha }).verdict
  assert.deepEqual([verdictAt(2 / 64), verdictAt(2 / 64.01)], ['pass', 'inconclusive'])
})

test('the side that a row leans to is known where there are pairs enough for its level', () => {
  const changeAt = (/** @type {number} */ alpha) => judgeOne(around(5, 1.015, 0.001), { alpha }).change
  assert.deepEqual([changeAt(1 / 32), changeAt(1 / 32.01)], ['slower', 'unclear'])
  assert.equal(judgeOne(Array(8).fill(1)).change, 'same')
  assert.equal(judgeOne(around(8, 0.9, 0.001)).change, 'faster')
})

test('a bound at the margin itself does not exclude it', () => {
  assert.equal(Math.log(1.5), Math.log1p(0.5))
  const verdictAt = (/** @type {number} */ margin) => judgeOne(Array(8).fill(1.5), { floor: 0.5, margin }).verdict
  assert.deepEqual([verdictAt(0.5), verdictAt(0.5001)], ['inconclusive', 'pass'])
})

test('the interval of a metric of which more is better is that of its inverse', () => {
  const ratios = around(9, 0.98, 0.01)
  const { ratio, low, high } = judgeOne(ratios, { floor: 0.01, margin: 0.02 }, { metric: 'requestsPerSecond' })
  // It is a guard: its test has a fifth of alpha, and its limits are three times those of time.
  const bounds = boundsOf(logs(ratios.map(ratio => 1 / ratio)), { low: 0.01, high: 0.025 })
  assertClose(ratio, Math.exp(-bounds.estimate))
  assertClose(low, Math.exp(-bounds.high))
  assertClose(high, Math.exp(-bounds.low))
})

test('rows are tested after Holm: each p value, and each lower bound at the level that is left for it', () => {
  const [ten, seven, none] = [around(10, 1.15, 0.02), around(8, 1.1, 0.004), around(12, 1.01, 0.006)]
  const judged = judge([rowOf(none), rowOf(ten), rowOf(seven)], [], DEFAULT_RULES)
  assert.deepEqual(judged.slice(1).map(({ p, verdict }) => [p, verdict]), [[3 * 2 ** -10, 'regression'], [2 * 2 ** -8, 'regression']])
  assert.ok(Number(judged[0].p) > 0.9)
  const lowAt = (/** @type {number[]} */ ratios, /** @type {number} */ level) => Math.exp(boundsOf(logs(ratios), { low: level, high: 0.025 }).low)
  assertClose(judged[1].low, lowAt(ten, 0.05 / 3))
  assertClose(judged[2].low, lowAt(seven, 0.05 / 2))
  assertClose(judged[0].low, lowAt(none, 0.05))
  assert.equal(new Set([0.05, 0.05 / 2, 0.05 / 3].map(level => lowAt(ten, level))).size, 3)
  // Where one is rejected, two are left, and none of them is tested less strictly.
  const [alone, second, third] = judge([rowOf(ten), rowOf(none), rowOf(none)], [], DEFAULT_RULES)
  assertClose(alone.low, lowAt(ten, 0.05 / 3))
  assert.deepEqual([second.low, third.low], [lowAt(none, 0.05 / 2), lowAt(none, 0.05 / 2)])
})

test('a row that is rejected at alpha itself leaves the next level to the others', () => {
  const none = around(12, 1.01, 0.006)
  const [first, second] = judge([rowOf(around(6, 1.3, 0.001)), rowOf(none)], [], { ...DEFAULT_RULES, alpha: 2 / 64 })
  assert.deepEqual([first.p, first.verdict], [2 / 64, 'regression'])
  assertClose(second.low, Math.exp(boundsOf(logs(none), { low: 2 / 64, high: 1 / 64 }).low))
})

test('p is at most 1', () => {
  assert.deepEqual(judge([rowOf(around(8, 0.9, 0.001)), rowOf(around(8, 0.9, 0.001))], [], DEFAULT_RULES).map(({ p }) => p), [1, 1])
})

test('guards share a fifth of alpha among them, the others four fifths; what is only shown has all of it', () => {
  const slow = around(10, 1.9, 0.001)
  const guard = { metric: 'latencyP99Ms' }
  const shown = { gates: false }
  const pOf = (/** @type {Partial<Row>[]} */ ...changes) => judge(changes.map(changed => rowOf(slow, changed)), [], DEFAULT_RULES).map(({ p }) => Number(p) * 2 ** 10)
  assert.deepEqual(pOf({}), [1])
  assert.deepEqual(pOf(guard), [5])
  assert.deepEqual(pOf({}, guard, guard, shown, { ...shown, ...guard }), [1 / 0.8, 10, 10, 1, 1])
  const [main, guarded] = judge([rowOf(around(20, 1.1, 0.01)), rowOf(around(20, 1.5, 0.02), guard)], [], DEFAULT_RULES)
  assertClose(main.low, Math.exp(boundsOf(logs(around(20, 1.1, 0.01)), { low: 0.8 * 0.05, high: 0.025 }).low))
  assertClose(guarded.low, Math.exp(boundsOf(logs(around(20, 1.5, 0.02)), { low: 0.2 * 0.05, high: 0.025 }).low))
})

test('the floor and the margin of a guard are ten times those of time, or three times', () => {
  const verdictOf = (/** @type {string} */ metric, /** @type {number} */ slowdown) => judgeOne(around(10, slowdown, 0.0001), {}, { metric }).verdict
  assert.deepEqual([1.19, 1.21].map(slowdown => verdictOf('latencyP99Ms', slowdown)), ['pass', 'regression'])
  assert.deepEqual([1 / 1.055, 1 / 1.065].map(slowdown => verdictOf('requestsPerSecond', slowdown)), ['pass', 'regression'])
  const slow = around(10, 1.3, 0.0001).map((ratio, i) => i % 4 === 1 ? 0.9 : ratio)
  assert.deepEqual([slow, slow.map(ratio => ratio * 1.2)].map(ratios => judgeOne(ratios, {}, { metric: 'latencyP99Ms' }).verdict), ['pass', 'inconclusive'])
})

test('a look with too few pairs for its share shows nothing, however alike they are', () => {
  const twoLooks = (/** @type {number} */ first) => [{ rounds: first, share: 0.5 }, { rounds: 12, share: 0.5 }]
  const judged = (/** @type {number} */ first, /** @type {number[]} */ ratios) => judge([rowOf(ratios)], twoLooks(first), DEFAULT_RULES)[0]
  // 2^-6 is more than half of 2.5 %, 2^-7 is less; for the other bound, 2^-5 is more than half of 5 %.
  assert.deepEqual([6, 7].map(pairs => judged(pairs, around(pairs, 1, 0.001)).verdict), ['inconclusive', 'pass'])
  assert.deepEqual([5, 6].map(pairs => judged(pairs, around(pairs, 1.01, 0.001)).change), ['unclear', 'slower'])
  // One look with pairs enough is enough.
  assert.equal(judged(4, around(12, 1.01, 0.001)).change, 'slower')
})

test('where not one block is complete, the interval is the range of the pairs and shows nothing', () => {
  const rising = Array.from({ length: 8 }, (_, i) => Math.exp(0.01 * i - 0.04))
  const { low, high, p, change, verdict, reason } = judgeOne(rising)
  assertClose(low, rising[0])
  assertClose(high, rising[7])
  assert.deepEqual([p, change, verdict], [1, 'unclear', 'inconclusive'])
  assert.match(String(reason), /blocks of \d\d count as one$/)
  // What is missing is worked out from the pairs, for want of blocks.
  const steep = rising.map((_, i) => Math.exp(0.3 * i - 1.015))
  const { estimate, standardError } = describe(logs(steep))
  assert.equal(judgeOne(steep).morePairs, pairsToDetect(8, standardError, 0.05, Math.max(MARGIN - estimate, estimate - FLOOR)) - 8)
})

test('each look spends its share: p is the best of the looks that were reached', () => {
  const early = [...around(10, 1.2, 0.001), ...around(10, 0.9, 0.001)]
  const [row] = judge([rowOf(early)], THREE_LOOKS, DEFAULT_RULES)
  assertClose(row.p, 3 * 2 ** -10)
  assertClose(row.low, Math.exp(boundsOf(logs(early.slice(0, 10)), { low: 0.05 / 3, high: 0 }).low))
  assert.equal(row.verdict, 'regression')
  // Between two looks a row spends what is left.
  assertClose(judge([rowOf(around(15, 1.2, 0.001))], THREE_LOOKS, DEFAULT_RULES)[0].p, 1.5 * 2 ** -15)
  assertClose(judge([rowOf(around(9, 1.2, 0.001))], THREE_LOOKS, DEFAULT_RULES)[0].p, 2 ** -9)
  // Rounds after the last look are not looked at.
  const [planned, longer] = [30, 31].map(rounds => judge([rowOf([...around(30, 1, 0.01), 9].slice(0, rounds))], THREE_LOOKS, DEFAULT_RULES)[0])
  assert.deepEqual({ ...longer, pairs: 0, head: 0, base: 0, detectable: 0 }, { ...planned, pairs: 0, head: 0, base: 0, detectable: 0 })
})

test('pairs are judged in the order in which they were measured', () => {
  const rising = Array.from({ length: 24 }, (_, i) => Math.exp(0.01 * i - 0.1))
  const { pairs } = rowOf(rising)
  const [sorted, shuffled] = [pairs, pairs.toSorted((a, b) => a.round * 7 % 24 - b.round * 7 % 24)].map(pairs => judgeOne([], {}, { pairs, rounds: 24 }))
  assert.deepEqual(shuffled, sorted)
  assert.match(String(sorted.reason), /^consecutive pairs resemble each other \(correlation 0\.8\d\), so blocks of \d+ count as one$/)
})

test('what is only shown is not taken for independent, and does not count for what gates', () => {
  const rising = Array.from({ length: 24 }, (_, i) => Math.exp(0.01 * i - 0.1))
  assert.match(String(judgeOne(rising, {}, { gates: false }).reason), /resemble each other/)
  const [steady] = judge([rowOf(around(24, 1.03, 0.03)), rowOf(rising, { gates: false })], [], DEFAULT_RULES)
  assert.deepEqual([steady.verdict, steady.reason], ['inconclusive', undefined])
})

test('drift is no excuse for pairs that lie further above the margin than from each other', () => {
  const risingFrom = (/** @type {number} */ first, /** @type {number} */ last) => Array.from({ length: 12 }, (_, i) => Math.exp(first + (last - first) * i / 11))
  const verdictOf = (/** @type {number} */ first, /** @type {number} */ last) => judgeOne(risingFrom(first, last), { margin: 0, floor: 0 }).verdict
  assert.deepEqual([verdictOf(1, 2), verdictOf(1, 1.999)], ['inconclusive', 'regression'])
  // A margin of 0.5 moves the limit by its logarithm.
  const limit = 1 - Math.log(1.5)
  const withMargin = (/** @type {number} */ last) => judgeOne(risingFrom(1, last), { margin: 0.5, floor: 0 }).verdict
  assert.deepEqual([withMargin(1 + limit + 0.001), withMargin(1 + limit - 0.001)], ['inconclusive', 'regression'])
})

test('nor for pairs that all lie above the margin and spread by less than half of it', () => {
  const margin = Math.log1p(0.05)
  const risingBy = (/** @type {number} */ first, /** @type {number} */ range) => Array.from({ length: 12 }, (_, i) => Math.exp(first + range * i / 11))
  const verdictOf = (/** @type {number} */ above, /** @type {number} */ range) => judgeOne(risingBy(margin + above, range)).verdict
  // Half of twelve even steps lie within three elevenths of their range.
  const limit = margin / 2 / (1.4826 * 3 / 11)
  assert.deepEqual([verdictOf(0.001, 0.999 * limit), verdictOf(0.001, 1.001 * limit)], ['regression', 'inconclusive'])
  assert.deepEqual([verdictOf(1e-6, 0.9 * limit), verdictOf(-1e-6, 0.9 * limit)], ['regression', 'inconclusive'])
})

/**
 * Sixty quiet pairs, of which some are replaced.
 *
 * @param {number[]} wild
 */
const withWild = wild => around(60, 1, 0.0001).map((ratio, i) => i % 6 === 3 ? wild[(i - 3) / 6] ?? ratio : ratio)

test('four wild pairs on the slow side alone raise doubt, three do not, nor do four with one on the other side', () => {
  assert.deepEqual([[2, 2, 2], [2, 2, 2, 2], [2, 2, 2, 2, 0.5], [0.5, 0.5, 0.5, 0.5]].map(wild => judgeOne(withWild(wild)).verdict), ['pass', 'inconclusive', 'pass', 'pass'])
  assert.equal(judgeOne(withWild([2, 2, 2, 2, 2, 2, 0.5])).reason, '6 of 60 pairs are far slower than the rest, 1 far faster')
})

test('at an early look one wild pair too many on the slow side raises doubt', () => {
  const early = [{ rounds: 60, share: 0.6 }, { rounds: 90, share: 0.4 }]
  const verdictOf = (/** @type {number[]} */ ...wild) => judge([rowOf(withWild(wild))], early, DEFAULT_RULES)[0].verdict
  assert.deepEqual([verdictOf(2), verdictOf(2, 0.5), verdictOf(0.5), verdictOf()], ['inconclusive', 'pass', 'pass', 'pass'])
  const [whole] = judge([rowOf(withWild([2]))], [{ rounds: 30, share: 0.6 }, { rounds: 60, share: 0.4 - 1e-12 }], DEFAULT_RULES)
  assert.equal(whole.verdict, 'pass')
})

test('at an early look a row above the floor does not pass, though the margin is excluded; at the floor it does', () => {
  const early = [{ rounds: 12, share: 0.6 }, { rounds: 24, share: 0.4 }]
  const [atFloor] = judge([rowOf(Array(12).fill(Math.exp(Math.log1p(0.02) + 5e-10)))], early, DEFAULT_RULES)
  assert.equal(atFloor.verdict, 'pass')
  const verdictAt = (/** @type {number} */ excess, /** @type {number} */ rounds) => judge([rowOf(around(rounds, 1.02 * Math.exp(excess), 1e-4))], early, DEFAULT_RULES)[0]
  assert.deepEqual([verdictAt(-1e-3, 12).verdict, verdictAt(-1e-3, 24).verdict], ['pass', 'pass'])
  const above = verdictAt(1e-4, 12)
  assert.deepEqual([above.verdict, above.reason], ['inconclusive', 'slower than the floor so far: more pairs may show it'])
  assert.equal(verdictAt(1e-4, 24).verdict, 'pass')
})

test('a pair is wild beyond the margin, and beyond three standard deviations', () => {
  const four = (/** @type {number} */ ratio) => Array(4).fill(ratio)
  const verdictOf = (/** @type {number[]} */ ratios) => judgeOne(ratios).verdict
  assert.deepEqual([verdictOf(withWild(four(1.047))), verdictOf(withWild(four(1.053)))], ['pass', 'inconclusive'])
  // These spread by 0.038: three times that is 0.115.
  const wide = around(60, 0.9, 0.0017)
  const spread = spreadOf(logs(wide))
  const widened = (/** @type {number} */ deviations) => wide.map((ratio, i) => i % 15 === 7 ? 0.9 * Math.exp(deviations * spread) : ratio)
  assert.ok(3 * spread > 2 * MARGIN)
  assert.deepEqual([verdictOf(widened(2.7)), verdictOf(widened(3.5))], ['pass', 'inconclusive'])
})

test('slowdowns within a billionth of the floor are at the floor', () => {
  const pOf = (/** @type {number} */ excess) => judgeOne(around(8, 1, 0).map(() => Math.exp(Math.log1p(0.02) + excess))).p
  assert.deepEqual([pOf(5e-10), pOf(-5e-10), pOf(2e-9), pOf(-2e-9)], [1, 1, 2 ** -8, 1])
})

/**
 * What the standard deviation of a row must be, by the interval of its estimate that holds it with a chance of 68 %.
 *
 * @param {number[]} slowdowns
 */
function describe (slowdowns) {
  const interval = pseudoMedian(slowdowns, 0.68)
  const standardError = standardErrorOf(interval)
  return { ...interval, standardError, spread: standardError * Math.sqrt(slowdowns.length) / HODGES_LEHMANN_ERROR }
}

/**
 * @param {number[][]} looks  Pairs, and the part of alpha that each may spend at either end.
 * @param {number} spread
 */
const detectableAt = (looks, spread) => Math.expm1(detectableShift(looks.map(([pairs, low, high]) => ({ pairs, low, high })), { spread, floor: FLOOR, margin: MARGIN }))

test('the detectable slowdown is that of the looks that there might have been, at the level of a row tested first', () => {
  const ten = around(10, 1, 0.002)
  const { spread } = describe(logs(ten))
  assertClose(judgeOne(ten).detectable, detectableAt([[10, 0.05, 0.025]], spread))
  const third = [0.05 / 3, 0.05 / 6]
  assertClose(judge([rowOf(ten)], THREE_LOOKS, DEFAULT_RULES)[0].detectable, detectableAt([[10, ...third], [20, ...third], [30, ...third]], spread))
  // Of three rows it may spend a third; a cut one had time for 20 rounds; one in ten pairs was lost.
  const nine = ten.slice(1)
  const lossy = rowOf(nine, { rounds: 10 })
  const unclear = around(20, 1.035, 0.02)
  const among = (/** @type {Partial<Row>} */ changed) => judge([lossy, rowOf(ten), rowOf(unclear, changed)], THREE_LOOKS, DEFAULT_RULES)
  const cut = [0.05 / 9, 0.05 / 6]
  assert.equal(among({})[2].verdict, 'inconclusive')
  assertClose(among({})[0].detectable, detectableAt([[9, ...cut], [18, ...cut]], describe(logs(nine)).spread))
  // What is only shown cuts nothing and takes nothing, and a guard cuts nothing but has a fifth of alpha.
  const half = [0.05 / 6, 0.05 / 6]
  assertClose(among({ gates: false })[0].detectable, detectableAt([[9, ...half], [18, ...half], [27, ...half]], describe(logs(nine)).spread))
  const guarded = [0.8 * 0.05 / 6, 0.05 / 6]
  const beside = judge([lossy, rowOf(ten), rowOf(around(20, 1.3, 0.2), { metric: 'latencyP99Ms' })], THREE_LOOKS, DEFAULT_RULES)
  assert.equal(beside[2].verdict, 'inconclusive')
  assertClose(beside[0].detectable, detectableAt([[9, ...guarded], [18, ...guarded], [27, ...guarded]], describe(logs(nine)).spread))
})

test('an early look at noisy pairs may pass, and then no later one finds the slowdown', () => {
  const noisy = around(10, 1, 0.008)
  const third = [0.05 / 3, 0.05 / 6]
  const [, shown, two] = judge([rowOf(around(10, 1, 0.002)), rowOf(noisy, { gates: false }), rowOf([1, 1.01], { gates: false })], THREE_LOOKS, DEFAULT_RULES)
  assertClose(shown.detectable, detectableAt([[10, ...third], [20, ...third], [30, ...third]], describe(logs(noisy)).spread))
  assertClose(two.detectable, detectableAt([[10, ...third], [20, ...third], [30, ...third]], describe([0, Math.log(1.01)]).spread))
})

test('pairs that depend on each other count as so many blocks, for power as well', () => {
  const length = 60
  const drift = Array.from({ length }, (_, i) => Math.exp(0.015 + 0.02 * Math.sin(i / 2.5) + 0.03 * (i * 7 % 11) / 11))
  const shown = judgeOne(drift)
  assert.deepEqual([shown.verdict, shown.reason], ['regression', undefined])
  const { reason, detectable, morePairs } = judgeOne(drift, { alpha: 0.02 })
  const block = Number(/blocks of (\d+) count as one$/.exec(String(reason))?.[1])
  assert.ok(length % block > 0 && length / block > 6, String(reason))
  const count = Math.floor(length / block)
  const blocks = Array.from({ length: count }, (_, i) => logs(drift).slice(length - (count - i) * block, length - (count - i - 1) * block).reduce((sum, value) => sum + value, 0) / block)
  const { spread, estimate, standardError } = describe(blocks)
  assertClose(detectable, detectableAt([[count, 0.02, 0.01]], spread))
  const needed = pairsToDetect(length, standardError, 0.02, Math.max(MARGIN - estimate, estimate - FLOOR))
  // A bound at 1 % takes seven blocks: 2^-7 is below that, 2^-6 is not.
  assert.equal(morePairs, Math.max(needed, 7 * block) - length)
})

test('an inconclusive row asks for the pairs that show the further end of the band', () => {
  for (const slowdown of [1.022, 1.048]) {
    const ratios = around(12, slowdown, 0.02)
    const { estimate, standardError } = describe(logs(ratios))
    const distance = slowdown < 1.03 ? MARGIN - estimate : estimate - FLOOR
    const { verdict, morePairs } = judgeOne(ratios)
    assert.deepEqual([verdict, morePairs], ['inconclusive', pairsToDetect(12, standardError, 0.05, distance) - 12])
    assert.ok(Number(morePairs) > 20)
    // After ten of thirty rounds a third of alpha may be spent, by two rows half of that each.
    const [early] = judge([rowOf(ratios.slice(0, 10)), rowOf(ratios.slice(0, 10))], THREE_LOOKS, DEFAULT_RULES)
    const ten = describe(logs(ratios.slice(0, 10)))
    const further = Math.max(MARGIN - ten.estimate, ten.estimate - FLOOR)
    assert.equal(early.morePairs, pairsToDetect(10, ten.standardError, 0.05 / 6, further) - 10)
  }
})

test('a row with too few pairs asks for as many as can show anything, and always for one at least', () => {
  // 2^-5 is above half of alpha, 2^-6 below.
  assert.equal(judgeOne([1]).morePairs, 5)
  assert.equal(judgeOne([1, 1]).morePairs, 4)
  const two = describe(logs([1, 1.2]))
  assert.equal(judgeOne([1, 1.2]).morePairs, pairsToDetect(2, two.standardError, 0.05, two.estimate - FLOOR) - 2)
  assert.equal(judgeOne([1], { alpha: 0.1 }).morePairs, 4)
  assert.equal(judge([rowOf([1])], [{ rounds: 1, share: 0.1 }, { rounds: 2, share: 0.9 }], DEFAULT_RULES)[0].morePairs, 8)
  // Nine rows: each is tested at 1 in 180.
  assert.equal(judge(Array.from({ length: 9 }, () => rowOf([1])), [], DEFAULT_RULES)[0].morePairs, 7)
  assert.equal(judgeOne([1, Infinity, 1, Infinity, Infinity, 1, Infinity, 1, Infinity, 1, 1, Infinity]).morePairs, 1)
  assert.equal(judgeOne([1, 1, Infinity]).morePairs, 3)
  assert.equal(judgeOne(withWild([2, 2, 2, 2])).morePairs, 1)
  assert.equal(judgeOne(around(8, 1, 0.001)).morePairs, null)
})

test('judged briefly, rows have everything but their power', () => {
  const rows = [rowOf(around(12, 1.03, 0.02)), rowOf(around(12, 1, 0.001)), rowOf([], { failure: 'it died' })]
  assert.deepEqual(judgeBriefly(rows, THREE_LOOKS, DEFAULT_RULES), judge(rows, THREE_LOOKS, DEFAULT_RULES).map(row => ({ ...row, detectable: null, morePairs: null })))
})

test('only a guard may be unclear while the whole passes', () => {
  const passed = { gates: true, verdict: /** @type {const} */ ('pass') }
  const unclear = { gates: true, verdict: /** @type {const} */ ('inconclusive') }
  assert.deepEqual([{}, { guard: false }, { guard: true }].map(kind => overallVerdict([passed, { ...unclear, ...kind }])), ['inconclusive', 'inconclusive', 'pass'])
  assert.equal(overallVerdict([{ ...unclear, guard: true }]), 'inconclusive')
  assert.equal(overallVerdict([passed, { gates: true, guard: true, verdict: 'invalid' }]), 'invalid')
  assert.equal(overallVerdict([{ ...passed, gates: false }, { ...unclear, gates: false, guard: true }]), 'invalid')
})
