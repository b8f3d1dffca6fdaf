/** Limits of verdicts, each from both sides. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { spreadOf } from '../../../harness/judge/row-tests.js'
import { DEFAULT_RULES, judge, judgeErrors, judgeExact, judgeFailed } from '../../../harness/judge/verdict.js'
import { boundsOf } from '../../../harness/judge/statistics/pseudo-median.js'
import { CELL, rowOf, THREE_LOOKS } from './rows-of.js'

/** @import { Row } from './rows-of.js' */

const MARGIN = Math.log(1.05)

/**
 * Ratios around a slowdown, all different, high and low in turn.
 *
 * @param {number} length
 * @param {number} slowdown
 * @param {number} step  Between neighbours in order of size, in logarithms.
 */
function around (length, slowdown, step) {
  const half = Math.ceil(length / 2)
  const ranks = Array.from({ length }, (_, i) => (i % 2 === 0 ? i / 2 : half + (i - 1) / 2))
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

/** @param {Parameters<typeof judgeOne>} row */
const verdictOf = (...row) => judgeOne(...row).verdict

const EXPECT_FASTER = { expect: { change: /** @type {const} */ ('faster') } }

/**
 * @param {number | null} actual
 * @param {number} expected
 */
const assertClose = (actual, expected) =>
  assert.ok(
    Math.abs(Number(actual) - expected) < 1e-12 * Math.max(1, Math.abs(expected)),
    `${actual}, expected ${expected}`
  )

test('a count is judged to the last digit', () => {
  const row = { ...CELL, metric: 'workPerOp', gates: true }
  assert.deepEqual(judgeExact(row, 100, 102), {
    ...row,
    unit: 'blocks',
    better: 'lower',
    base: 100,
    head: 102,
    ratio: 1.02,
    low: 1.02,
    high: 1.02,
    p: null,
    pairs: 1,
    spread: null,
    detectable: 0,
    morePairs: null,
    change: 'slower',
    exact: true,
    verdict: 'regression'
  })
  for (const [metric, base, head, change, verdict] of /** @type {const} */ ([
    ['workPerOp', 100, 100.00001, 'slower', 'regression'],
    ['workPerOp', 100, 99.99999, 'faster', 'pass'],
    ['workPerOp', 100, 100, 'same', 'pass'],
    ['requestsPerSecond', 10, 9, 'slower', 'regression'],
    ['requestsPerSecond', 10, 11, 'faster', 'pass']
  ])) {
    const judged = judgeExact({ ...row, metric }, base, head)
    assert.deepEqual([judged.change, judged.verdict], [change, verdict], `${metric} ${base} ${head}`)
  }
  assert.equal(judgeExact(row, 0, 0).ratio, null)
  assert.deepEqual([judgeExact(row, 9, 10, false).verdict, judgeExact(row, 9, 9, true).verdict], ['pass', 'regression'])
})

test('a hundredth of all requests may fail more than before, no more', () => {
  const cell = { ...CELL, gates: true }
  const errorsOf = (/** @type {number} */ errors, of = 1000) => ({ errors, requests: of - errors })
  for (const [base, head, verdict] of /** @type {const} */ ([
    [errorsOf(0), errorsOf(10), 'pass'],
    [errorsOf(0), errorsOf(11), 'regression'],
    [errorsOf(500), errorsOf(505), 'pass'],
    [errorsOf(500), errorsOf(515), 'regression'],
    [errorsOf(8), errorsOf(8), 'pass'],
    [errorsOf(0, 0), errorsOf(5, 10), 'regression'],
    [errorsOf(5, 10), errorsOf(0, 0), 'pass'],
    [errorsOf(0, 0), errorsOf(0, 0), 'pass']
  ])) {
    assert.equal(judgeErrors(cell, base, head).verdict, verdict, JSON.stringify([base, head]))
  }
  const { metric, guard, base, head, change } = judgeErrors(cell, errorsOf(0), errorsOf(4))
  assert.deepEqual([metric, guard, base, head, change], ['errors', true, 0, 4, 'slower'])
})

test('a row that failed says why, and what it lost, if anything', () => {
  const failed = judgeFailed(rowOf([1], { metric: 'latencyP99Ms', lost: { base: 0, head: 2 }, failure: 'it died' }))
  const { reason, lost, guard, change } = failed
  assert.deepEqual([reason, lost, guard, change], ['it died', { base: 0, head: 2 }, true, 'unclear'])
  assert.equal('lost' in judgeOne([1, 1], {}, { lost: { base: 0, head: 0 } }), false)
})

test('a thousand pairs are tested, more are refused', () => {
  assert.equal(verdictOf(around(1000, 1, 1e-6)), 'pass')
  const { verdict, reason } = judgeOne(around(1001, 1, 1e-6))
  assert.deepEqual(
    [verdict, reason],
    ['invalid', '1001 pairs, at most 1000 can be tested: compare runs of fewer rounds']
  )
})

test('values that were not measured make no verdict', () => {
  const reasonOf = (/** @type {number[][]} */ ...pairs) =>
    judgeOne([], {}, { pairs: pairs.map(([base, head], round) => ({ round, base, head })), rounds: pairs.length })
      .reason
  for (const odd of [0, Infinity, -1]) {
    for (const pair of [[odd, 1], [1, odd]]) {
      const inRound = odd < 0 ? `no ratio in round 1: base ${pair[0]}, head ${pair[1]}` : undefined
      assert.deepEqual([reasonOf(pair), reasonOf([1, 1], pair)], ['no pair of samples', inRound], pair.join())
    }
  }
  assert.equal(judgeOne([1, 1, NaN, 1]).reason, 'no ratio in round 2: base 50, head NaN')
})

test('p may be as high as alpha: six slow pairs have a p value of 1 in 64', () => {
  const verdictAt = (/** @type {number} */ alpha) => judgeOne(around(6, 1.3, 0.001), { alpha })
  assert.deepEqual(
    [verdictAt(1 / 64).verdict, verdictAt(1 / 64).p, verdictAt(1 / 64.01).verdict],
    ['regression', 1 / 64, 'inconclusive']
  )
})

test('three pairs show no direction; five are too few to exclude the margin at 5 %, six are enough', () => {
  const { verdict, change } = judgeOne(around(3, 1.3, 0.001))
  assert.deepEqual([verdict, change], ['inconclusive', 'unclear'])
  const [five, six] = [5, 6].map(length => judgeOne(around(length, 1, 0.001)))
  assert.deepEqual([five.verdict, five.change, six.verdict, six.change], ['inconclusive', 'unclear', 'pass', 'same'])
  // One-sided, each bound has half of alpha.
  const verdicts = [2 / 64, 2 / 64.01].map(alpha => verdictOf(around(6, 1, 0.001), { alpha }))
  assert.deepEqual(verdicts, ['pass', 'inconclusive'])
})

test('a bound at the margin itself does not exclude it', () => {
  assert.equal(Math.log(1.5), Math.log1p(0.5))
  const verdicts = [0.5, 0.5001].map(margin => verdictOf(Array(8).fill(1.5), { floor: 0.5, margin }))
  assert.deepEqual(verdicts, ['inconclusive', 'pass'])
})

test('rows are tested after Holm: each p value, and each lower bound at the level that is left for it', () => {
  const [ten, seven, none] = [around(10, 1.15, 0.02), around(8, 1.1, 0.004), around(12, 1.01, 0.006)]
  const judged = judge([rowOf(none), rowOf(ten), rowOf(seven)], [], DEFAULT_RULES)
  assert.deepEqual(
    judged.slice(1).map(({ p, verdict }) => [p, verdict]),
    [
      [3 * 2 ** -10, 'regression'],
      [2 * 2 ** -8, 'regression']
    ]
  )
  assert.ok(Number(judged[0].p) > 0.9)
  const lowAt = (/** @type {number[]} */ ratios, /** @type {number} */ level) =>
    Math.exp(boundsOf(logs(ratios), { low: level, high: 0.025 }).low)
  assertClose(judged[1].low, lowAt(ten, 0.05 / 3))
  assertClose(judged[2].low, lowAt(seven, 0.05 / 2))
  assertClose(judged[0].low, lowAt(none, 0.05))
  assert.equal(new Set([0.05, 0.05 / 2, 0.05 / 3].map(level => lowAt(ten, level))).size, 3)
  // Where one is rejected, two are left, and none of them is tested less strictly.
  const [alone, second, third] = judge([rowOf(ten), rowOf(none), rowOf(none)], [], DEFAULT_RULES)
  assertClose(alone.low, lowAt(ten, 0.05 / 3))
  assert.deepEqual([second.low, third.low], [lowAt(none, 0.05 / 2), lowAt(none, 0.05 / 2)])
})

test('guards share a fifth of alpha among them, the others four fifths; what is only shown has all of it', () => {
  const slow = around(10, 1.9, 0.001)
  const guard = { metric: 'latencyP99Ms' }
  const shown = { gates: false }
  const pOf = (/** @type {Partial<Row>[]} */ ...changes) =>
    judge(
      changes.map(changed => rowOf(slow, changed)),
      [],
      DEFAULT_RULES
    ).map(({ p }) => Number(p) * 2 ** 10)
  assert.deepEqual(pOf({}), [1])
  assert.deepEqual(pOf(guard), [5])
  assert.deepEqual(pOf({}, guard, guard, shown, { ...shown, ...guard }), [1 / 0.8, 10, 10, 1, 1])
  const [main, guarded] = judge([rowOf(around(20, 1.1, 0.01)), rowOf(around(20, 1.5, 0.02), guard)], [], DEFAULT_RULES)
  assertClose(main.low, Math.exp(boundsOf(logs(around(20, 1.1, 0.01)), { low: 0.8 * 0.05, high: 0.025 }).low))
  assertClose(guarded.low, Math.exp(boundsOf(logs(around(20, 1.5, 0.02)), { low: 0.2 * 0.05, high: 0.025 }).low))
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
  const [planned, longer] = [30, 31].map(
    rounds => judge([rowOf([...around(30, 1, 0.01), 9].slice(0, rounds))], THREE_LOOKS, DEFAULT_RULES)[0]
  )
  assert.deepEqual(
    { ...longer, pairs: 0, head: 0, base: 0, detectable: 0 },
    { ...planned, pairs: 0, head: 0, base: 0, detectable: 0 }
  )
})

/**
 * Sixty quiet pairs, of which some are replaced.
 *
 * @param {number[]} wild
 */
const withWild = wild => around(60, 1, 0.0001).map((ratio, i) => (i % 6 === 3 ? (wild[(i - 3) / 6] ?? ratio) : ratio))

test('four wild pairs on the slow side alone raise doubt, three do not, nor do four with one on the other side', () => {
  assert.deepEqual(
    [
      [2, 2, 2],
      [2, 2, 2, 2],
      [2, 2, 2, 2, 0.5],
      [0.5, 0.5, 0.5, 0.5]
    ].map(wild => verdictOf(withWild(wild))),
    ['pass', 'inconclusive', 'pass', 'pass']
  )
  assert.equal(
    judgeOne(withWild([2, 2, 2, 2, 2, 2, 0.5])).reason,
    '6 of 60 pairs are far slower than the rest, 1 far faster'
  )
})

test('at an early look one wild pair too many on the slow side raises doubt', () => {
  const early = [
    { rounds: 60, share: 0.6 },
    { rounds: 90, share: 0.4 }
  ]
  const verdicts = [[2], [2, 0.5], [0.5], []].map(
    wild => judge([rowOf(withWild(wild))], early, DEFAULT_RULES)[0].verdict
  )
  assert.deepEqual(verdicts, ['inconclusive', 'pass', 'pass', 'pass'])
})

test('a pair is wild beyond the margin, and beyond three standard deviations', () => {
  const verdicts = [1.047, 1.053].map(ratio => verdictOf(withWild(Array(4).fill(ratio))))
  assert.deepEqual(verdicts, ['pass', 'inconclusive'])
  // These spread by 0.038: three times that is 0.115.
  const wide = around(60, 1, 0.0017)
  const spread = spreadOf(logs(wide))
  const widened = (/** @type {number} */ deviations) =>
    wide.map((ratio, i) => (i % 15 === 7 ? Math.exp(deviations * spread) : ratio))
  assert.ok(3 * spread > 2 * MARGIN)
  assert.deepEqual([verdictOf(widened(2.7)), verdictOf(widened(3.5))], ['pass', 'inconclusive'])
})

/**
 * A hundred pairs of a head that takes 0.898 times as long, of which some are replaced.
 *
 * @param {number[]} wild
 */
const faster = wild =>
  around(100, 0.897, 0.0004).map((ratio, i) => (i % 10 === 3 ? (wild[(i - 3) / 10] ?? ratio) : ratio))

test('a head that is 10 % faster passes although a few pairs gain less: they are no slowdown', () => {
  const few = [0.95, 0.96, 0.97, 0.98, 0.99, 1.01]
  const { verdict, reason, ratio, low, high } = judgeOne(faster(few))
  assert.deepEqual([verdict, reason], ['pass', undefined])
  assert.deepEqual([low, ratio, high].map(end => Math.round(1000 * Number(end))), [896, 898, 901])
  const gain = judgeOne(faster(few), {}, EXPECT_FASTER)
  assert.equal(gain.verdict, 'pass', gain.reason)
})

test('pairs beyond the margin raise doubt in a faster head too, and so do pairs without the expected gain', () => {
  const { verdict, reason, morePairs } = judgeOne(faster([1.06, 1.07, 1.08, 1.09]))
  assert.deepEqual(
    [verdict, reason, morePairs],
    ['inconclusive', '4 of 100 pairs are far slower than the rest, 0 far faster', null]
  )
  const gain = (/** @type {number[]} */ ...wild) => verdictOf(faster(wild), {}, EXPECT_FASTER)
  assert.deepEqual([gain(0.981, 0.982, 0.983, 0.984), gain(0.978, 0.977, 0.976, 0.975)], ['inconclusive', 'pass'])
})

test('rows share the level of wild pairs: four of sixty in one row of twenty are chance, eight are not', () => {
  const quiet = Array(19).fill(rowOf(around(60, 1, 0.0001)))
  const judged = (/** @type {number} */ count) =>
    judge([rowOf(withWild(Array(count).fill(2))), ...quiet], [], DEFAULT_RULES).map(({ verdict }) => verdict)
  assert.deepEqual(new Set(judged(4)), new Set(['pass']))
  assert.deepEqual(judged(8).filter(verdict => verdict !== 'pass'), ['inconclusive'])
})

test('a row that a thousand pairs could not decide says so, and asks for no number of pairs', () => {
  const { verdict, reason, morePairs } = judgeOne(around(60, 0.98, 0.001), {}, EXPECT_FASTER)
  assert.deepEqual([verdict, reason, morePairs], ['inconclusive', 'more than 1000 pairs needed', null])
})
