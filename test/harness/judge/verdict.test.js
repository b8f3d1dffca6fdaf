/** Verdicts on rows of simulated pairs, whose truth is known. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { DEFAULT_RULES, judge, overallVerdict } from '../../../harness/judge/verdict.js'
import { simulateGate, shareOfGates } from '../../../lab/simulate/gates.js'
import { drawnRow, rowOf, THREE_LOOKS } from './rows-of.js'
import { normal, uniform } from './statistics/noise.js'

/** @param {Parameters<typeof drawnRow>[0]} options */
const judgeOne = options => judge([drawnRow(options)], [], DEFAULT_RULES)[0]

for (const [what, options, verdict, change, [low, high]] of /** @type {const} */ ([
  ['identical code', {}, 'pass', 'same', [0.98, 1.02]],
  ['a slowdown of 10 %', { slowdown: 1.1 }, 'regression', 'slower', [1.08, 1.12]],
  ['a significant slowdown below the floor', { slowdown: 1.01, spread: 0.005 }, 'pass', 'slower', [1, 1.02]],
  ['an improvement', { slowdown: 0.8 }, 'pass', 'faster', [0.78, 0.82]],
  [
    // The ratio is still head to base.
    'a loss of a tenth of the requests per second',
    { slowdown: 0.9, metric: 'requestsPerSecond' },
    'regression',
    'slower',
    [0.88, 0.92]
  ]
])) {
  test(`${what} is a ${verdict}, with its size in a narrow interval`, () => {
    const row = judgeOne(options)
    assert.deepEqual([row.verdict, row.change], [verdict, change])
    const ends = [low, row.low, row.ratio, row.high, high].map(Number)
    assert.deepEqual(ends, [...new Set(ends)].sort((a, b) => a - b))
  })
}

test('noise that would hide the margin is inconclusive, and says what it could have seen and what it ' +
  'would take', () => {
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

test('what a row decided early could have seen is what the whole plan could have', () => {
  const [early] = judge([drawnRow({ pairs: 10 })], THREE_LOOKS, DEFAULT_RULES)
  const [cut] = judge([drawnRow({ pairs: 10, spread: 0.1 })], THREE_LOOKS, DEFAULT_RULES)
  const [whole] = judge([drawnRow({ pairs: 30 })], THREE_LOOKS, DEFAULT_RULES)
  assert.deepEqual([early.verdict, cut.verdict], ['pass', 'inconclusive'])
  assert.ok(
    Math.abs(Number(early.detectable) - Number(whole.detectable)) < 0.015,
    `${early.detectable}, ${whole.detectable}`
  )
  assert.ok(Number(cut.detectable) > 0.1, String(cut.detectable))
})

test('where no look is planned, a row that lost pairs is not credited with those of the others', () => {
  const [short] = judge([drawnRow({ pairs: 8 }), drawnRow({ pairs: 30 })], [], { ...DEFAULT_RULES, alpha: 0.1 })
  const [alone] = judge([drawnRow({ pairs: 8 }), drawnRow({ pairs: 8 })], [], { ...DEFAULT_RULES, alpha: 0.1 })
  assert.equal(short.detectable, alone.detectable)
  const [tooShort] = judge([drawnRow({ pairs: 3 }), drawnRow({ pairs: 30 })], [], DEFAULT_RULES)
  assert.equal(tooShort.detectable, null)
})

test('at the floor itself, false alarms stay below alpha', () => {
  const alarms = Array.from({ length: 400 }, (_, gate) =>
    judge(
      Array.from({ length: 3 }, (_, i) => drawnRow({ slowdown: 1.02, seed: 3 * gate + i })),
      THREE_LOOKS,
      DEFAULT_RULES
    )
  ).filter(rows => overallVerdict(rows) === 'regression')
  assert.ok(alarms.length <= 400 * 0.05, String(alarms.length))
})

for (const [verdicts, overall] of /** @type {[any[], string][]} */ ([
  [[], 'invalid'],
  [['pass', 'pass'], 'pass'],
  [['pass', 'inconclusive'], 'inconclusive'],
  [['pass', 'invalid', 'inconclusive'], 'invalid'],
  [['invalid', 'missed', 'inconclusive'], 'missed'],
  [['invalid', 'missed', 'regression'], 'regression']
])) {
  test(`of ${verdicts.join(', ') || 'no row'}, and a regression of a row that does not gate, the whole is ${overall}`, () =>
    assert.equal(
      overallVerdict([...verdicts.map(verdict => ({ gates: true, verdict })), { gates: false, verdict: 'regression' }]),
      overall
    ))
}

/** @param {number[]} ratios */
const judgeRatios = ratios => judge([rowOf(ratios)], [], DEFAULT_RULES)[0]

test('a row that looks slower than the floor does not pass early', () => {
  const looks = [
    { rounds: 12, share: 0.2 },
    { rounds: 60, share: 0.8 }
  ]
  const judgeAfter = (/** @type {number} */ pairs, /** @type {number} */ slowdown) =>
    judge([drawnRow({ pairs, slowdown, spread: 0.015, seed: 3 })], looks, DEFAULT_RULES)[0]
  const { verdict, high, reason } = judgeAfter(12, 1.03)
  assert.deepEqual([verdict, reason], ['inconclusive', 'slower than the floor so far: more pairs may show it'])
  assert.ok(Number(high) < 1.05)
  assert.deepEqual([judgeAfter(60, 1.03).verdict, judgeAfter(12, 1.01).verdict], ['regression', 'pass'])
})

test('the detectable slowdown is found about four times in five', () => {
  const noise = normal(17)
  const quiet = () => Math.exp(0.02 * noise())
  const claim = () => simulateGate({ rows: [quiet] }).rows[0].detectable ?? Infinity
  const claims = Array.from({ length: 201 }, claim).sort((a, b) => a - b)
  const found = shareOfGates(
    500,
    () => ({ rows: [() => (1 + claims[100]) * quiet()] }),
    ({ verdict }) => verdict === 'regression'
  )
  assert.ok(found > 0.7 && found < 0.9, `${claims[100]}: found in ${found}`)
})

test('p, the interval and the verdict agree, whatever the data', () => {
  const [noise, chance] = [normal(17), uniform(18)]
  for (let i = 0; i < 60; i++) {
    const rows = Array.from({ length: 4 }, (_, row) => {
      const slowdown = 1 + 0.08 * chance()
      const spread = 0.06 * chance()
      // Ratios in steps of a hundredth share their ranks and meet the floor.
      return () => Math.round((row % 2 ? 100 : 1e6) * slowdown * Math.exp(spread * noise())) / (row % 2 ? 100 : 1e6)
    })
    for (const { low, high, p, verdict } of simulateGate({ rows, pairs: 30, looks: i % 2 === 0 }).rows) {
      const floor = 1 + DEFAULT_RULES.floor
      assert.equal(verdict === 'regression', Number(p) <= DEFAULT_RULES.alpha)
      assert.ok(
        verdict === 'regression' ? Number(low) >= floor - 1e-12 : Number(low) <= floor + 1e-12,
        `${verdict}: ${low}, p ${p}`
      )
      assert.ok(verdict !== 'pass' || Number(high) < 1 + DEFAULT_RULES.margin)
      assert.ok(Number(low) <= Number(high))
    }
  }
})

test('a head exactly 2 % slower is at the floor, not above it, however its times are rounded', () => {
  for (const base of [1, 3, 7, 50, 100, 1000 / 3]) {
    const pairs = Array.from({ length: 20 }, (_, round) => ({ round, base, head: base * 1.02 }))
    const [{ verdict, p }] = judge([rowOf([], { rounds: 20, pairs })], [], DEFAULT_RULES)
    assert.deepEqual([verdict, p], ['pass', 1])
  }
  assert.equal(judgeRatios(Array(20).fill(1.0201)).verdict, 'regression')
})

test('lost samples of the head are infinitely slow, and the interval has no end where they prevail', () => {
  const some = judgeRatios(
    [...Array(18).fill(1), Infinity, Infinity].map((ratio, i) => ratio * (1 + 0.001 * Math.sin(i * i)))
  )
  assert.equal(some.verdict, 'pass')
  const many = judgeRatios([1, Infinity, 1, Infinity, Infinity, 1, Infinity, 1, Infinity, 1, 1, Infinity])
  assert.deepEqual([many.verdict, many.high], ['inconclusive', null])
  const most = judgeRatios([1, ...Array(15).fill(Infinity)])
  assert.deepEqual([most.verdict, most.ratio, most.high], ['regression', null, null])
})

test('guards have wider limits, and never block', () => {
  const guard = { metric: 'latencyP99Ms' }
  // Ten times the floor and the margin: 20 % and 50 %.
  assert.equal(judgeOne({ ...guard, slowdown: 1.15 }).verdict, 'pass')
  assert.equal(judgeOne({ ...guard, slowdown: 1.4 }).verdict, 'regression')
  const unclear = judge([drawnRow({}), drawnRow({ ...guard, spread: 2, slowdown: 2 })], [], DEFAULT_RULES)
  assert.deepEqual(
    unclear.map(({ verdict, guard }) => [verdict, guard]),
    [
      ['pass', undefined],
      ['inconclusive', true]
    ]
  )
  assert.equal(overallVerdict(unclear), 'pass')
  assert.equal(
    overallVerdict(judge([drawnRow({}), drawnRow({ ...guard, slowdown: 2 })], [], DEFAULT_RULES)),
    'regression'
  )
  assert.equal(overallVerdict(unclear.slice(1)), 'inconclusive')
})
