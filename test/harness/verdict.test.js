import { test } from 'node:test'
import assert from 'node:assert/strict'
import { createRandom } from '../../harness/random.js'
import { DEFAULT_RULES, judge, judgeExact, overallVerdict } from '../../harness/verdict.js'

const THREE_LOOKS = [10, 20, 30].map(rounds => ({ rounds, share: 1 / 3 }))

/**
 * Pairs whose log ratios are about normal.
 *
 * @param {object} options
 * @param {number} [options.slowdown]  1.05: the head takes 5 % longer.
 * @param {number} [options.spread]
 * @param {number} [options.pairs]
 * @param {number} [options.seed]
 * @param {string} [options.metric]
 */
function rowOf ({ slowdown = 1, spread = 0.02, pairs = 30, seed = 1, metric = 'nsPerOp' }) {
  const random = createRandom(seed)
  const noise = () => Array.from({ length: 12 }, () => random(2 ** 20) / 2 ** 20).reduce((sum, part) => sum + part, -6) * spread
  return {
    scenario: 'refresh',
    params: { size: 10 },
    queue: 'heap',
    runtime: 'v20',
    metric,
    gates: true,
    rounds: pairs,
    pairs: Array.from({ length: pairs }, (_, round) => ({ round, base: 50, head: 50 * slowdown * Math.exp(noise()) }))
  }
}

/** @param {Parameters<typeof rowOf>[0]} options */
const judgeOne = options => judge([rowOf(options)], [], DEFAULT_RULES)[0]

test('identical code passes, and the interval holds 1', () => {
  const { verdict, ratio, low, high, change } = judgeOne({})
  assert.deepEqual([verdict, change], ['pass', 'same'])
  assert.ok(Number(low) < 1 && Number(high) > 1 && Math.abs(Number(ratio) - 1) < 0.01)
})

test('a slowdown of 10 % is a regression, with its size in the interval', () => {
  const { verdict, low, high, p, change } = judgeOne({ slowdown: 1.1 })
  assert.deepEqual([verdict, change], ['regression', 'slower'])
  assert.ok(Number(low) > 1.08 && Number(high) < 1.12 && Number(p) < 1e-6)
})

test('a significant slowdown below the floor is no regression', () => {
  const { verdict, low, change } = judgeOne({ slowdown: 1.01, spread: 0.005 })
  assert.ok(Number(low) > 1)
  assert.deepEqual([verdict, change], ['pass', 'slower'])
})

test('an improvement passes', () => {
  const { verdict, change } = judgeOne({ slowdown: 0.8 })
  assert.deepEqual([verdict, change], ['pass', 'faster'])
})

test('noise that would hide the margin is inconclusive, and says what it could have seen and what it would take', () => {
  const { verdict, detectable, morePairs } = judgeOne({ spread: 0.2, pairs: 12 })
  assert.equal(verdict, 'inconclusive')
  assert.ok(Number(detectable) > 0.1 && Number(detectable) < 0.4, String(detectable))
  assert.ok(Number(morePairs) > 10, String(morePairs))
})

test('as many more pairs as an inconclusive row asks for decide it, mostly', () => {
  const decided = Array.from({ length: 100 }, (_, seed) => {
    const { verdict, morePairs } = judgeOne({ spread: 0.08, pairs: 12, seed })
    if (verdict !== 'inconclusive') return true
    return judgeOne({ spread: 0.08, pairs: 12 + Number(morePairs), seed: seed + 1000 }).verdict !== 'inconclusive'
  })
  assert.ok(decided.filter(Boolean).length > 80, String(decided.filter(Boolean).length))
})

test('too few pairs prove nothing, whatever they show', () => {
  for (const slowdown of [1, 3]) {
    const { verdict, detectable, change } = judgeOne({ slowdown, pairs: 3 })
    assert.deepEqual([verdict, detectable, change], ['inconclusive', null, 'unclear'])
  }
  assert.equal(judgeOne({ pairs: 1 }).verdict, 'inconclusive')
})

test('a row without pairs or with a failure is invalid, never a pass', () => {
  assert.equal(judgeOne({ pairs: 0 }).verdict, 'invalid')
  const [failed] = judge([{ ...rowOf({}), failure: 'head: it died' }], [], DEFAULT_RULES)
  assert.deepEqual([failed.verdict, failed.reason], ['invalid', 'head: it died'])
})

test('fewer requests per second are a slowdown, and the ratio is still head to base', () => {
  const slower = judgeOne({ slowdown: 0.9, metric: 'requestsPerSecond' })
  assert.deepEqual([slower.verdict, slower.change], ['regression', 'slower'])
  assert.ok(Number(slower.low) < Number(slower.ratio) && Number(slower.ratio) < Number(slower.high) && Number(slower.high) < 1)
})

test('p is adjusted for the number of rows, and rows shown beside do not count', () => {
  const rows = [rowOf({ slowdown: 1.05 }), ...Array.from({ length: 9 }, (_, seed) => rowOf({ seed: seed + 2 }))]
  const alone = judge(rows.slice(0, 1), [], DEFAULT_RULES)[0]
  const among = judge(rows, [], DEFAULT_RULES)[0]
  const beside = judge(rows.map((row, i) => ({ ...row, gates: i === 0 })), [], DEFAULT_RULES)[0]
  assert.ok(Math.abs(Number(among.p) / (10 * Number(alone.p)) - 1) < 1e-9)
  assert.equal(beside.p, alone.p)
})

test('a look that may spend a third is judged three times as strictly', () => {
  const [planned] = judge([rowOf({ slowdown: 1.05, pairs: 10 })], THREE_LOOKS, DEFAULT_RULES)
  const alone = judgeOne({ slowdown: 1.05, pairs: 10 })
  assert.ok(Math.abs(Number(planned.p) / (3 * Number(alone.p)) - 1) < 1e-9)
  assert.ok(Number(planned.high) >= Number(alone.high))
})

test('what a row decided early could have seen is what the whole plan could have', () => {
  const [early] = judge([rowOf({ pairs: 10 })], THREE_LOOKS, DEFAULT_RULES)
  const [cut] = judge([rowOf({ pairs: 10, spread: 0.1 })], THREE_LOOKS, DEFAULT_RULES)
  const [whole] = judge([rowOf({ pairs: 30 })], THREE_LOOKS, DEFAULT_RULES)
  assert.deepEqual([early.verdict, cut.verdict], ['pass', 'inconclusive'])
  assert.ok(Math.abs(Number(early.detectable) - Number(whole.detectable)) < 0.015, `${early.detectable}, ${whole.detectable}`)
  assert.ok(Number(cut.detectable) > 0.1, String(cut.detectable))
})

test('where no look is planned, a row that lost pairs is not credited with those of the others', () => {
  const [short] = judge([rowOf({ pairs: 8 }), rowOf({ pairs: 30 })], [], { ...DEFAULT_RULES, alpha: 0.1 })
  const [alone] = judge([rowOf({ pairs: 8 }), rowOf({ pairs: 8 })], [], { ...DEFAULT_RULES, alpha: 0.1 })
  assert.equal(short.detectable, alone.detectable)
  const [tooShort] = judge([rowOf({ pairs: 3 }), rowOf({ pairs: 30 })], [], DEFAULT_RULES)
  assert.equal(tooShort.detectable, null)
})

test('a single pair could have shown nothing, however many there might have been', () => {
  const rows = [rowOf({}), { ...rowOf({}), gates: false, pairs: rowOf({ pairs: 1 }).pairs }]
  assert.deepEqual(judge(rows, THREE_LOOKS, DEFAULT_RULES).map(({ detectable }) => detectable === null), [false, true])
})

test('a row that ran out of time between two looks spends there what is left', () => {
  const [cut] = judge([rowOf({ slowdown: 1.05, pairs: 15 })], THREE_LOOKS, DEFAULT_RULES)
  const alone = judgeOne({ slowdown: 1.05, pairs: 15 })
  assert.ok(Number(cut.p) <= 1.5 * Number(alone.p) + 1e-9)
})

test('a hundred gates of ten rows of identical code raise no false alarm', () => {
  const rows = Array.from({ length: 1000 }, (_, seed) => rowOf({ spread: 0.04, seed }))
  for (let gate = 0; gate < 100; gate++) {
    const verdicts = judge(rows.slice(gate * 10, gate * 10 + 10), THREE_LOOKS, DEFAULT_RULES).map(({ verdict }) => verdict)
    assert.ok(!verdicts.includes('regression'))
  }
})

test('at the floor itself, false alarms stay below alpha', () => {
  const alarms = Array.from({ length: 400 }, (_, gate) =>
    judge(Array.from({ length: 3 }, (_, i) => rowOf({ slowdown: 1.02, seed: 3 * gate + i })), THREE_LOOKS, DEFAULT_RULES))
    .filter(rows => overallVerdict(rows) === 'regression')
  assert.ok(alarms.length <= 400 * 0.05, String(alarms.length))
})

test('what is counted differs or does not', () => {
  const row = { scenario: 'refresh', params: {}, queue: 'heap', runtime: 'v20', metric: 'workPerOp', gates: true }
  assert.equal(judgeExact(row, 10, 10).verdict, 'pass')
  const more = judgeExact(row, 10, 10.0001)
  assert.deepEqual([more.verdict, more.p, more.change], ['regression', null, 'slower'])
  const less = judgeExact(row, 10, 9)
  assert.deepEqual([less.verdict, less.change, less.ratio], ['pass', 'faster', 0.9])
  assert.equal(judgeExact(row, 10, 10.1, 0.02).verdict, 'pass')
  assert.equal(judgeExact(row, 0, 1).verdict, 'regression')
})

test('the whole is as bad as its worst gating row, and nothing is invalid', () => {
  /** @param {...any} verdicts */
  const overall = (...verdicts) => overallVerdict(verdicts.map(verdict => ({ gates: true, verdict })))
  assert.equal(overall(), 'invalid')
  assert.equal(overall('pass', 'pass'), 'pass')
  assert.equal(overall('pass', 'inconclusive'), 'inconclusive')
  assert.equal(overall('pass', 'invalid', 'inconclusive'), 'invalid')
  assert.equal(overall('invalid', 'regression'), 'regression')
  assert.equal(overallVerdict([{ gates: false, verdict: 'regression' }]), 'invalid')
})
