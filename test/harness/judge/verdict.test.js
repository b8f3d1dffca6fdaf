/** Verdicts of rows: a table of pairs and what they show, limits to the last digit, and what holds of any pairs. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { median } from 'simple-statistics'
import { wantedOf } from '../../../harness/gate/wanted.js'
import { DEFAULT_RULES, judge, overallVerdict } from '../../../harness/judge/decision.js'
import { hasGrown, judgeErrors, judgeExact, judgeFailed } from '../../../harness/judge/row.js'
import { boundsOf } from '../../../harness/judge/statistics/pseudo-median.js'
import { shareOfGates, simulateGate } from '../../../lab/simulate/gates.js'
import { around, CELL, rowOf } from './rows-of.js'
import { normal } from './statistics/noise.js'

/** @import { Look, Rules } from '../../../harness/judge/records.js' */
/** @import { Row } from './rows-of.js' */

/** @typedef {Partial<Row>} Changed */
/** @typedef {Partial<Rules> & {looks?: Look[]}} Options */

const FASTER = { wanted: { change: /** @type {const} */ ('faster') } }
const LEVEL = { wanted: { change: /** @type {const} */ ('level') } }
const TENTH = { wanted: { ...FASTER.wanted, floor: 0.1 } }
const REQUESTS = { metric: 'requestsPerSecond' }
const P99 = { metric: 'latencyP99Ms' }
const ONE_IN_64 = 1 / 64
/** @type {(...looks: [number, number][]) => Options} */
const lookingAt = (...looks) => ({ looks: looks.map(([rounds, share]) => ({ rounds, share })) })
const THIRDS = lookingAt([10, 1 / 3], [20, 1 / 3], [30, 1 / 3])
const EARLY = lookingAt([60, 0.6], [90, 0.4])

/** @type {(rows: Row[], options?: Options) => ReturnType<typeof judge>} */
const judgeAll = (rows, { looks = [], ...rules } = {}) => judge(rows, looks, { ...DEFAULT_RULES, ...rules })
/** @type {(ratios: number[], changed?: Changed, options?: Options) => ReturnType<typeof judge>[0]} */
const judgeOne = (ratios, changed, options) => judgeAll([rowOf(ratios, changed)], options)[0]
/** @type {(...pairs: number[][]) => Changed} */
const pairsOf = (...pairs) => ({
  pairs: pairs.map(([base, head], round) => ({ round, base, head, ratio: head / base })),
  rounds: pairs.length
})
/** @param {number[]} logRatios */
const spreadOf = logRatios => 1.4826 * median(logRatios.map(value => Math.abs(value - median(logRatios))))
/** @param {number[]} values */
const logs = values => values.map(Math.log)
/** @type {(ratios: number[], step: number, wild: number[]) => number[]} */
const replaced = (ratios, step, wild) =>
  ratios.map((ratio, i) => (i % step === 3 ? (wild[(i - 3) / step] ?? ratio) : ratio))
/** @param {...number} wild  Some of sixty quiet pairs. */
const wild = (...wild) => replaced(around(60, 1, 0.0001), 6, wild)
/** @param {...number} wild  Some of a hundred pairs of a head that takes 0.898 times as long. */
const gaining = (...wild) => replaced(around(100, 0.897, 0.0004), 10, wild)
const SPREAD_OUT = around(60, 1, 0.0017)
/** @param {number} deviations  These spread by 0.038: three times that is 0.115, more than the margin. */
const widened = deviations =>
  SPREAD_OUT.map((ratio, i) => (i % 15 === 7 ? Math.exp(deviations * spreadOf(logs(SPREAD_OUT))) : ratio))
const unclear = { verdict: 'inconclusive', change: 'unclear' }
/** @type {(above: number, below?: number, of?: number) => object} */
const doubt = (above, below = 0, of = 60) => ({
  verdict: 'inconclusive',
  reason: `${above} of ${of} pairs are far slower than the rest, ${below} far faster`,
  morePairs: null
})
const MORE_THAN = '1001 pairs, at most 1000 can be tested: compare runs of fewer rounds'

/** @typedef {[title: string, ratios: number[], wanted: any, changed?: Changed, options?: Options]} Case */

for (const [title, ratios, wanted, changed, options] of /** @type {Case[]} */ ([
  ['identical code', around(30, 1, 0.002), 'pass same'],
  ['10 % slower', around(30, 1.1, 0.002), 'regression slower'],
  ['significantly slower, but below the floor', around(30, 1.01, 0.0005), 'pass slower'],
  ['20 % faster', around(30, 0.8, 0.002), 'pass faster'],
  ['a tenth fewer requests', around(30, 0.9, 0.002), { verdict: 'regression', ratio: 0.9 }, REQUESTS],
  ['exactly at the floor', Array(20).fill(1.02), { verdict: 'pass', p: 1 }],
  ['at the floor, rounded', [], { p: 1 }, pairsOf(...Array(20).fill([1000 / 3, (1000 / 3) * 1.02]))],
  ['just above the floor', Array(20).fill(1.0201), 'regression slower'],
  ['a bound at the margin itself', Array(8).fill(1.5), 'inconclusive slower', {}, { floor: 0.5, margin: 0.5 }],
  ['a bound below the margin', Array(8).fill(1.5), 'pass slower', {}, { floor: 0.5, margin: 0.5001 }],
  ['p at alpha', around(6, 1.3, 0.001), { verdict: 'regression', p: ONE_IN_64 }, {}, { alpha: ONE_IN_64 }],
  ['p above alpha', around(6, 1.3, 0.001), { verdict: 'inconclusive' }, {}, { alpha: 1 / 64.01 }],
  ['three pairs', around(3, 1.3, 0.001), unclear],
  ['five pairs', around(5, 1, 0.001), unclear],
  ['six pairs', around(6, 1, 0.001), 'pass same'],
  ['six pairs, half of alpha for the bound', around(6, 1, 0.001), 'pass same', {}, { alpha: 2 / 64 }],
  ['six pairs, a little less', around(6, 1, 0.001), unclear, {}, { alpha: 2 / 64.01 }],
  ['much noise', around(12, 1, 0.05), { verdict: 'inconclusive', morePairs: 62, detectable: 0.161 }],
  ['noise around a slowdown', around(12, 1.06, 0.03), { verdict: 'inconclusive', morePairs: 31 }],
  ['a gain at its floor', around(60, 0.98, 0.01), { morePairs: null, detectable: 0.08 }, FASTER],
  ['a third of alpha at the last look', around(30, 1, 0.002), { verdict: 'pass', detectable: 0.03 }, {}, THIRDS],
  ['all of it', around(30, 1, 0.002), { verdict: 'pass', detectable: 0.028 }],
  ['cut after the first look', around(10, 1, 0.02), { verdict: 'inconclusive', detectable: 0.086 }, {}, THIRDS],
  ['a thousand pairs', around(1000, 1, 1e-6), 'pass slower'],
  ['a thousand and one', around(1001, 1, 1e-6), { verdict: 'invalid', reason: MORE_THAN }],
  ['more than a thousand needed', around(60, 0.98, 0.001), { reason: 'more than 1000 pairs needed' }, FASTER],
  ['a few lost samples', [...around(18, 1, 0.001), Infinity, Infinity], 'pass same'],
  ['half of them lost', Array(6).fill([1, Infinity]).flat(), { verdict: 'inconclusive', high: null }],
  ['most samples lost', [1, ...Array(15).fill(Infinity)], { verdict: 'regression', ratio: null, high: null }],
  ['a guard within its margin', around(30, 1.15, 0.002), { verdict: 'pass', guard: true }, P99],
  ['a guard beyond its floor', around(30, 1.4, 0.002), { verdict: 'regression', guard: true }, P99],
  ['no losses', [1, 1], { lost: undefined }, { lost: { base: 0, head: 0 } }],
  ['three wild pairs', wild(2, 2, 2), 'pass same'],
  ['four wild pairs', wild(2, 2, 2, 2), doubt(4)],
  ['four, one on the other side', wild(2, 2, 2, 2, 0.5), 'pass same'],
  ['six, one on the other side', wild(2, 2, 2, 2, 2, 2, 0.5), doubt(6, 1)],
  ['four wild pairs that are fast', wild(0.5, 0.5, 0.5, 0.5), 'pass same'],
  ['one wild pair at an early look', wild(2), doubt(1), {}, EARLY],
  ['one on either side at an early look', wild(2, 0.5), 'pass same', {}, EARLY],
  ['four pairs within the margin', wild(1.047, 1.047, 1.047, 1.047), 'pass same'],
  ['four pairs beyond the margin', wild(1.053, 1.053, 1.053, 1.053), doubt(4)],
  ['pairs within three standard deviations', widened(2.7), 'pass same'],
  ['pairs beyond three standard deviations', widened(3.5), doubt(4)],
  ['a gain that some lack', gaining(0.95, 0.96, 0.97, 0.98, 0.99, 1.01), { low: 0.896, ratio: 0.898, high: 0.901 }],
  ['the same where it is expected', gaining(0.95, 0.96, 0.97, 0.98, 0.99, 1.01), 'pass faster', FASTER],
  ['a gain with pairs beyond the margin', gaining(1.06, 1.07, 1.08, 1.09), doubt(4, 0, 100)],
  ['an expected gain that four pairs lack', gaining(0.981, 0.982, 0.983, 0.984), doubt(4, 0, 100), FASTER],
  ['an expected gain that four pairs have', gaining(0.978, 0.977, 0.976, 0.975), 'pass faster', FASTER],
  ['3 % slower at an early look', around(12, 1.03, 0.0033), {
    verdict: 'inconclusive',
    reason: 'slower than the floor so far: more pairs may show it'
  }, {}, lookingAt([12, 0.2], [60, 0.8])],
  ['1 % slower at an early look', around(12, 1.01, 0.002), 'pass slower', {}, lookingAt([12, 0.2], [60, 0.8])],
  ['3 % slower at the last', around(60, 1.03, 0.0003), 'regression slower', {}, lookingAt([12, 0.2], [60, 0.8])],
  ['a gain in too few pairs to pass', around(8, 0.9, 0.001), {
    verdict: 'inconclusive',
    reason: 'too few pairs so far to pass'
  }, FASTER, lookingAt([8, 0.08], [60, 0.92])],
  ['6 % faster, as expected', around(30, 0.94, 0.001), 'pass faster', FASTER],
  ['identical code, expected to be faster', around(30, 1, 0.001), 'missed same', FASTER],
  ['10 % slower, expected to be faster', around(30, 1.1, 0.001), 'missed slower', FASTER],
  ['6 %, not the 10 % expected', around(30, 0.94, 0.001), { verdict: 'missed' }, TENTH],
  ['14 %, more than the 10 %', around(30, 0.86, 0.001), 'pass faster', TENTH],
  ['identical code, expected to be level', around(30, 1, 0.001), 'pass same', LEVEL],
  ['level after an early look above', [...around(10, 1.01, 0.001), ...around(20, 0.99, 0.002)], {
    verdict: 'pass',
    low: 0.99,
    high: 1.007
  }, LEVEL, THIRDS],
  ['8 % faster, expected to be level', around(30, 0.92, 0.001), 'missed faster', LEVEL],
  ['8 % slower, expected to be level', around(30, 1.08, 0.001), 'missed slower', LEVEL]
])) {
  test(`${title}: ${typeof wanted === 'string' ? wanted : JSON.stringify(wanted)}`, () => {
    const row = /** @type {any} */ (judgeOne(ratios, changed, options))
    if (typeof wanted === 'string') return assert.equal(`${row.verdict} ${row.change}`, wanted)
    const found = Object.keys(wanted).map(name => [
      name,
      typeof wanted[name] === 'number' && name !== 'p' ? Number(row[name].toFixed(3)) : row[name]
    ])
    assert.deepEqual(Object.fromEntries(found), wanted)
  })
}

test('values that were not measured make no verdict', () => {
  const reasonOf = (/** @type {number[][]} */ ...pairs) => judgeOne([], pairsOf(...pairs)).reason
  for (const odd of [0, Infinity]) {
    for (const pair of [[odd, 1], [1, odd]]) {
      assert.deepEqual([reasonOf(pair), reasonOf([1, 1], pair)], ['no pair of samples', undefined], pair.join())
    }
  }
})

test('a count is judged to the last digit, or as it is told', () => {
  const row = { ...CELL, metric: 'workPerOp', gates: true }
  assert.deepEqual(judgeExact(row, 100, 102, true), {
    ...row,
    ...{ unit: 'blocks', better: 'lower', base: 100, head: 102, ratio: 1.02, low: 1.02, high: 1.02, p: null, pairs: 1 },
    ...{ spread: null, detectable: 0, morePairs: null, change: 'slower', exact: true, verdict: 'regression' }
  })
  for (const [metric, base, head, wanted, told] of /** @type {[string, number, number, string, boolean?][]} */ ([
    ['workPerOp', 100, 100.00001, 'slower regression'],
    ['workPerOp', 100, 99.99999, 'faster pass'],
    ['workPerOp', 100, 100, 'same pass'],
    ['workPerOp', 100, 110, 'slower pass', false],
    ['workPerOp', 100, 90, 'faster regression', true],
    ['requestsPerSecond', 10, 9, 'slower regression'],
    ['requestsPerSecond', 10, 11, 'faster pass']
  ])) {
    const { change, verdict } = judgeExact({ ...row, metric }, base, head, told ?? /slower/.test(wanted))
    assert.equal(`${change} ${verdict}`, wanted, `${metric} ${base} ${head}`)
  }
  assert.equal(judgeExact(row, 0, 0, false).ratio, null)
})

for (const [metric, base, head, grown] of /** @type {[string, number, number, boolean][]} */ ([
  ['workPerOp', 9, 11, false],
  ['workPerOp', 100, 125, false],
  ['workPerOp', 100, 125.1, true],
  ['workPerOp', 0, 1, false],
  ['workPerOp', 0, 1.1, true],
  ['bytesPerTimer', -1, 0.5, false],
  ['bytesPerTimer', -1, 5000, true],
  ['workPerRequest', 20, 21, false],
  ['workPerRequest', 20, 21.2, true],
  ['workPerRequest', 0.1, 0.2, false],
  ['allocatedBytesPerOp', 0.001, 0.002, false],
  ['allocatedBytesPerOp', 960, 1008, false],
  ['allocatedBytesPerOp', 900, 948, true]
])) {
  test(`${metric} of ${base}, then ${head}, ${grown ? 'has grown' : 'has not grown enough to matter'}`, () =>
    assert.equal(hasGrown(metric, base, head, DEFAULT_RULES.margin), grown))
}

test('a hundredth of all requests may fail more than before, no more', () => {
  const cell = { ...CELL, gates: true }
  const errorsOf = (/** @type {number} */ errors, of = 1000) => ({ errors, requests: of - errors })
  for (const [base, head, verdict] of /** @type {const} */ ([
    [errorsOf(0), errorsOf(10), 'pass'],
    [errorsOf(0), errorsOf(11), 'regression'],
    [errorsOf(500), errorsOf(505), 'pass'],
    [errorsOf(0, 0), errorsOf(5, 10), 'regression']
  ])) {
    assert.equal(judgeErrors(cell, base, head).verdict, verdict, JSON.stringify([base, head]))
  }
  const { metric, guard, base, head, change } = judgeErrors(cell, errorsOf(0), errorsOf(4))
  assert.deepEqual([metric, guard, base, head, change], ['errors', true, 0, 4, 'slower'])
})

test('a row that failed says why, and what it lost', () => {
  const { reason, lost, guard, change } = judgeFailed(
    rowOf([1], { ...P99, lost: { base: 0, head: 2 }, failure: 'it died' })
  )
  assert.deepEqual([reason, lost, guard, change], ['it died', { base: 0, head: 2 }, true, 'unclear'])
})

/** @type {(actual: number | null, expected: number) => void} */
const assertClose = (actual, expected) =>
  assert.ok(Math.abs(Number(actual) / expected - 1) < 1e-12, `${actual}, expected ${expected}`)
/** @type {(ratios: number[], level: number) => number} */
const lowAt = (ratios, level) => Math.exp(boundsOf(logs(ratios), { low: level, high: 0.025 }).low)

test('rows are tested after Holm: each p value, and each lower bound at the level that is left for it', () => {
  const [ten, seven, none] = [around(10, 1.15, 0.02), around(8, 1.1, 0.004), around(12, 1.01, 0.006)]
  const judged = judgeAll([rowOf(none), rowOf(ten), rowOf(seven)])
  assert.deepEqual(
    judged.slice(1).map(({ p, verdict }) => [p, verdict]),
    [
      [3 * 2 ** -10, 'regression'],
      [2 * 2 ** -8, 'regression']
    ]
  )
  assert.ok(Number(judged[0].p) > 0.9)
  assertClose(judged[1].low, lowAt(ten, 0.05 / 3))
  assertClose(judged[2].low, lowAt(seven, 0.05 / 2))
  assertClose(judged[0].low, lowAt(none, 0.05))
  assert.equal(new Set([0.05, 0.05 / 2, 0.05 / 3].map(level => lowAt(ten, level))).size, 3)
  // Where one is rejected, two are left, and none of them is tested less strictly.
  const [alone, second, third] = judgeAll([rowOf(ten), rowOf(none), rowOf(none)])
  assertClose(alone.low, lowAt(ten, 0.05 / 3))
  assert.deepEqual([second.low, third.low], [lowAt(none, 0.05 / 2), lowAt(none, 0.05 / 2)])
})

test('rows share the level of wild pairs: four of sixty in one row of twenty are chance, eight are not', () => {
  const quiet = Array(19).fill(rowOf(around(60, 1, 0.0001)))
  const open = (/** @type {number} */ count) =>
    judgeAll([rowOf(wild(...Array(count).fill(2))), ...quiet]).filter(({ verdict }) => verdict !== 'pass')
  assert.deepEqual([open(4).length, open(8).length], [0, 1])
})

test('guards share a fifth of alpha among them, the others four fifths', () => {
  const pOf = (/** @type {Changed[]} */ ...changes) =>
    judgeAll(changes.map(changed => rowOf(around(10, 1.9, 0.001), changed))).map(({ p }) => Number(p) * 2 ** 10)
  assert.deepEqual(pOf({}), [1])
  assert.deepEqual(pOf(P99), [5])
  assert.deepEqual(pOf({}, P99, P99), [1 / 0.8, 10, 10])
  const ratios = [around(20, 1.1, 0.01), around(20, 1.5, 0.02)]
  const [main, guarded] = judgeAll([rowOf(ratios[0]), rowOf(ratios[1], P99)])
  assertClose(main.low, lowAt(ratios[0], 0.8 * 0.05))
  assertClose(guarded.low, lowAt(ratios[1], 0.2 * 0.05))
})

test('each look spends its share: p is the best of the looks that were reached', () => {
  const early = [...around(10, 1.2, 0.001), ...around(10, 0.9, 0.001)]
  const row = judgeOne(early, {}, THIRDS)
  assertClose(row.p, 3 * 2 ** -10)
  assertClose(row.low, lowAt(early.slice(0, 10), 0.05 / 3))
  assert.equal(row.verdict, 'regression')
  // Between two looks a row spends what is left.
  assertClose(judgeOne(around(15, 1.2, 0.001), {}, THIRDS).p, 1.5 * 2 ** -15)
  assertClose(judgeOne(around(9, 1.2, 0.001), {}, THIRDS).p, 2 ** -9)
  // Rounds after the last look are not looked at.
  const [planned, longer] = [30, 31].map(rounds => ({
    ...judgeOne([...around(30, 1, 0.01), 9].slice(0, rounds), {}, THIRDS),
    ...{ pairs: 0, head: 0, base: 0, detectable: 0 }
  }))
  assert.deepEqual(longer, planned)
})

test('a row decided early could have seen what the plan could; one that was cut, or lost pairs, could not', () => {
  const [early, cut, whole] = [[10, 0.004], [10, 0.02], [30, 0.0013]].map(([pairs, step]) =>
    judgeOne(around(pairs, 1, step), {}, THIRDS)
  )
  assert.deepEqual([early.verdict, cut.verdict], ['pass', 'inconclusive'])
  const [a, b] = [early, whole].map(({ detectable }) => Number(detectable))
  assert.ok(Math.abs(a - b) < 0.005 && Number(cut.detectable) > 2 * a, `${a}, ${b}, ${cut.detectable}`)
  const detectableBeside = (/** @type {number} */ pairs, /** @type {number} */ others) =>
    judgeAll([rowOf(around(pairs, 1, 0.01)), rowOf(around(others, 1, 0.01))], { alpha: 0.1 })[0].detectable
  assert.equal(detectableBeside(8, 30), detectableBeside(8, 8))
  assert.equal(detectableBeside(3, 30), null)
})

test('the detectable slowdown is found about four times in five', () => {
  const noise = normal(17)
  const quiet = () => Math.exp(0.02 * noise())
  const claims = Array.from({ length: 101 }, () => Number(simulateGate({ rows: [quiet] }).rows[0].detectable))
  const claim = claims.sort((a, b) => a - b)[50]
  const draw = () => ({ rows: [() => (1 + claim) * quiet()] })
  const found = shareOfGates(200, draw, ({ verdict }) => verdict === 'regression')
  assert.ok(found > 0.7 && found < 0.9, `${claim}: found in ${found}`)
})

for (const [verdicts, overall] of /** @type {[any[], string][]} */ ([
  [[], 'invalid'],
  [['pass', 'pass'], 'pass'],
  [['pass', 'inconclusive'], 'inconclusive'],
  [['pass', 'invalid', 'inconclusive'], 'invalid'],
  [['invalid', 'missed', 'inconclusive'], 'missed'],
  [['invalid', 'missed', 'regression'], 'regression']
])) {
  const words = verdicts.join(', ') || 'no row'
  test(`of ${words}, and a regression of a row that does not gate, the whole is ${overall}`, () =>
    assert.equal(
      overallVerdict([...verdicts.map(verdict => ({ gates: true, verdict })), { gates: false, verdict: 'regression' }]),
      overall
    ))
}

test('an unclear guard does not count, a regression of one does; alone, it leaves the whole unclear', () => {
  const [level, wide, slow] = [rowOf(around(30, 1, 0.001)), around(30, 1.3, 0.1), around(30, 2, 0.001)]
  assert.equal(overallVerdict(judgeAll([level, rowOf(wide, P99)])), 'pass')
  assert.equal(overallVerdict(judgeAll([level, rowOf(slow, P99)])), 'regression')
  assert.equal(overallVerdict(judgeAll([rowOf(wide, P99)])), 'inconclusive')
})

test('what is expected of a row is what names it, then what names no row; noisy metrics are left alone', () => {
  const expected = /** @type {const} */ ([
    { change: 'faster', rows: 'parse*' },
    { change: 'level', floor: undefined, rows: 'render.html' },
    { change: 'not-slower', rows: '*slow*' }
  ])
  const row = { ...CELL, scenario: 'parse-json', queue: 'parse-json', metric: 'nsPerOp' }
  const of = (/** @type {string} */ scenario, metric = 'nsPerOp') =>
    wantedOf({ ...row, scenario, queue: 'q', metric }, [...expected])?.change
  assert.deepEqual(
    [of('parse-json'), of('parse-slow'), of('render.html'), of('renderxhtml'), of('parse', 'latencyP99Ms')],
    ['faster', undefined, 'level', undefined, undefined]
  )
  const expect = [{ change: /** @type {const} */ ('faster'), floor: 0.1 }]
  assert.deepEqual(wantedOf(row, expect), { change: 'faster', floor: 0.1 })
  assert.equal(wantedOf(row), undefined)
})

/** Shifts in thousandths, no pair so far off as to be wild, and the slowdown around which they lie. */
const anyPairs = fc
  .record({
    shifts: fc.array(fc.integer({ min: -30, max: 30 }), { minLength: 4, maxLength: 25 }),
    middle: fc.integer({ min: -60, max: 90 })
  })
  .map(({ shifts, middle }) => shifts.map(shift => Math.exp((shift + middle) / 1000)))
const looked = fc.constantFrom(undefined, lookingAt([8, 0.1], [16, 0.4], [25, 0.5]))

test('a slower pair never improves a verdict', () => {
  const ranked = ['regression', 'inconclusive', 'pass']
  fc.assert(
    fc.property(anyPairs, looked, fc.nat(24), fc.integer({ min: 1, max: 20 }), (ratios, options, at, by) => {
      const slower = ratios.with(at % ratios.length, ratios[at % ratios.length] * Math.exp(by / 1000))
      const [before, after] = [ratios, slower].map(pairs => ranked.indexOf(judgeOne(pairs, {}, options).verdict))
      assert.ok(after <= before, `${ranked[before]}, then ${ranked[after]}`)
    })
  )
})

test('base and head exchanged mirror the test for a slowdown into that for a gain', () => {
  // A gain as far as a slowdown of 2 %.
  const wanted = { ...FASTER.wanted, floor: 1 - 1 / 1.02 }
  fc.assert(
    fc.property(anyPairs, looked, (ratios, options) => {
      const slow = judgeOne(ratios, {}, options)
      const fast = judgeOne(ratios.map(ratio => 1 / ratio), { wanted }, options)
      assert.ok(Math.abs(Number(slow.p) - Number(fast.p)) < 1e-9)
      assertClose(fast.ratio, 1 / Number(slow.ratio))
      assertClose(fast.high, 1 / Number(slow.low))
      assertClose(fast.low, 1 / Number(slow.high))
      if (fast.verdict === 'pass') assert.equal(slow.verdict, 'regression')
    })
  )
})

test('p, the interval and the verdict agree, also where pairs share ranks and meet the floor', () => {
  fc.assert(
    fc.property(fc.array(anyPairs, { minLength: 1, maxLength: 4 }), looked, (rows, options) => {
      const rounded = rows.map((all, i) => rowOf(i % 2 ? all.map(ratio => Math.round(100 * ratio) / 100) : all))
      for (const { low, high, p, verdict } of judgeAll(rounded, options)) {
        const isShown = verdict === 'regression'
        assert.equal(isShown, Number(p) <= DEFAULT_RULES.alpha)
        assert.ok(isShown ? Number(low) >= 1.02 - 1e-12 : Number(low) <= 1.02 + 1e-12, `${verdict}: ${low}, p ${p}`)
        assert.ok(verdict !== 'pass' || Number(high) < 1.05)
        assert.ok(Number(low) <= Number(high))
      }
    })
  )
})
