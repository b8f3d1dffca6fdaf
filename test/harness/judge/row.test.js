/** Verdicts: a table of pairs and what they show, limits to the last digit, and what holds of any pairs. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { DEFAULT_RULES, judge, overallVerdict } from '../../../harness/judge/decision.js'
import { comparisonOfCounts, countsAsRegression, judgeErrors } from '../../../harness/judge/row.js'
import { boundsOf } from '../../../harness/judge/statistics/pseudo-median.js'
import { shareOfGates, simulateGate } from '../../../lab/simulate/gates.js'
import { around, CELL, rowOf } from './rows-of.js'
import { normal } from './statistics/noise.js'

/** @import { Comparison, Look, Rules } from '../../../harness/judge/records.js' */
/** @import { Row } from './rows-of.js' */

/** Rows in the words of the tables below. */
const FASTER = { wanted: { change: /** @type {const} */ ('faster') } }
const ROWS = /** @type {Record<string, Partial<Row>>} */ ({
  'req/s': { metric: 'requestsPerSecond' },
  p99: { metric: 'latencyP99Ms' },
  faster: FASTER,
  'faster 10 %': { wanted: { ...FASTER.wanted, floor: 0.1 } },
  level: { wanted: { change: 'level' } }
})
/** @typedef {Partial<Rules> & {looks?: Look[]}} Options */
/** @type {(...looks: [number, number][]) => Options} */
const lookingAt = (...looks) => ({ looks: looks.map(([rounds, share]) => ({ rounds, share })) })
const THIRDS = lookingAt([10, 1 / 3], [20, 1 / 3], [30, 1 / 3])
const OPTIONS = /** @type {Record<string, Options>} */ ({
  thirds: THIRDS,
  'first of 12, 60': lookingAt([12, 0.2], [60, 0.8]),
  'first of 60, 90': lookingAt([60, 0.6], [90, 0.4]),
  'first of 8, 60': lookingAt([8, 0.08], [60, 0.92]),
  'margin 25 %': { margin: 0.25 },
  'margin 50 %': { floor: 0.5, margin: 0.5 },
  'margin 50.01 %': { floor: 0.5, margin: 0.5001 },
  'alpha 1/64': { alpha: 1 / 64 },
  'alpha 1/64.01': { alpha: 1 / 64.01 },
  'alpha 2/64': { alpha: 2 / 64 },
  'alpha 2/64.01': { alpha: 2 / 64.01 }
})

/** @type {(rows: Row[], options?: Options) => Comparison[]} */
const judgeAll = (rows, { looks = [], ...rules } = {}) => judge(rows, looks, { ...DEFAULT_RULES, ...rules })
/** @type {(ratios: number[], changed?: Partial<Row>, options?: Options) => Comparison} */
const judgeOne = (ratios, changed, options) => judgeAll([rowOf(ratios, changed)], options)[0]

/**
 * Ratios of pairs: `3 times 2`, `30 at 1.1 by 0.002` (see around), `0.9`, and several of these.
 *
 * @param {string} words
 */
const pairsIn = words =>
  words.split(' + ').flatMap(part => {
    const [count, ratio = count, step] = part.split(/ at | times | by /).map(Number)
    if (step !== undefined) return around(count, ratio, step)
    return part === String(count) ? count : Array(count).fill(ratio)
  })

const REASONS = /** @type {Record<string, string>} */ ({
  'may be slower': 'slower than the floor so far: more pairs may show it',
  'too few': 'too few pairs so far to pass',
  'too many': '1001 pairs, at most 1000 can be tested: compare runs of fewer rounds',
  hopeless: 'more than 1000 pairs needed'
})
/** @type {(word: string, pairs: number) => string} */
const reasonOf = (word, pairs) =>
  REASONS[word] ??
  word.replace(/(\d+):(\d+) wild/, `$1 of ${pairs} pairs are far slower than the rest, $2 far faster`)

const TABLE = `
  # slower, faster, and the floor
  30 at 1 by 0.002                           |             |                 | pass same
  30 at 1.1 by 0.002                         |             |                 | regression slower
  30 at 1.01 by 0.0005                       |             |                 | pass slower
  30 at 0.8 by 0.002                         |             |                 | pass faster
  30 at 0.9 by 0.002                         | req/s       |                 | regression slower; ratio 0.9
  20 times 1.02                              |             |                 | pass slower; p 1
  20 times 1.0200000000000002                |             |                 | pass slower; p 1
  20 times 1.0201                            |             |                 | regression slower
  # the margin, alpha, and few pairs
  8 times 1.5                                |             | margin 50 %     | inconclusive slower
  8 times 1.5                                |             | margin 50.01 %  | pass slower
  6 at 1.3 by 0.001                          |             | alpha 1/64      | regression slower; p 0.016
  6 at 1.3 by 0.001                          |             | alpha 1/64.01   | inconclusive unclear
  3 at 1.3 by 0.001                          |             |                 | inconclusive unclear
  5 at 1 by 0.001                            |             |                 | inconclusive unclear
  6 at 1 by 0.001                            |             |                 | pass same
  6 at 1 by 0.001                            |             | alpha 2/64      | pass same
  6 at 1 by 0.001                            |             | alpha 2/64.01   | inconclusive unclear
  # pairs that would decide, and what could be seen
  12 at 1 by 0.05                            |             |                 | inconclusive same; morePairs 62
  12 at 1.06 by 0.03                         |             |                 | inconclusive same; morePairs 31
  60 at 0.98 by 0.01                         | faster      |                 | inconclusive same; detectable 0.08
  60 at 0.98 by 0.001                        | faster      |                 | inconclusive faster; reason hopeless
  30 at 1 by 0.002                           |             | thirds          | pass same; detectable 0.03
  30 at 1 by 0.002                           |             |                 | pass same; detectable 0.028
  10 at 1 by 0.02                            |             | thirds          | inconclusive same; detectable 0.086
  1000 at 1 by 0.000001                      |             |                 | pass slower
  1001 at 1 by 0.000001                      |             |                 | invalid unclear; reason too many
  # lost samples, and guards
  18 at 1 by 0.001 + 2 times Infinity        |             |                 | pass same
  6 times 1 + 6 times Infinity               |             |                 | inconclusive same; high null
  1 + 15 times Infinity                      |             |                 | regression slower; ratio null; high null
  30 at 1.15 by 0.002                        | p99         |                 | pass slower; guard true
  30 at 1.4 by 0.002                         | p99         |                 | regression slower; guard true
  # wild pairs: six of seven on the slow side are chance no more
  57 at 1 by 0.0001 + 3 times 2              |             |                 | pass same
  56 at 1 by 0.0001 + 4 times 2              |             |                 | inconclusive same; reason 4:0 wild
  55 at 1 by 0.0001 + 4 times 2 + 0.5        |             |                 | pass same
  53 at 1 by 0.0001 + 6 times 2 + 0.5        |             |                 | inconclusive same; reason 6:1 wild
  52 at 1 by 0.0001 + 6 times 2 + 2 times 0.5 |             |                 | pass same
  51 at 1 by 0.0001 + 7 times 2 + 2 times 0.5 |             |                 | inconclusive same; reason 7:2 wild
  56 at 1 by 0.0001 + 4 times 0.5            |             |                 | pass same
  59 at 1 by 0.0001 + 2                      |             | first of 60, 90 | inconclusive same; reason 1:0 wild
  58 at 1 by 0.0001 + 2 + 0.5                |             | first of 60, 90 | pass same
  56 at 1 by 0.0001 + 4 times 1.047          |             |                 | pass same
  56 times 1 + 4 times 1.25                  |             | margin 25 %     | pass same
  56 at 1 by 0.0001 + 4 times 1.053          |             |                 | inconclusive same; reason 4:0 wild
  56 at 1 by 0.0017 + 4 times 1.1            |             |                 | pass same
  56 at 1 by 0.0017 + 4 times 1.14           |             |                 | inconclusive same; reason 4:0 wild
  97 at 0.9 by 0.0004 + 0.95 + 0.98 + 1.01 |             |                 | pass faster; low 0.899; ratio 0.901
  97 at 0.9 by 0.0004 + 0.95 + 0.98 + 1.01 | faster      |                 | pass faster
  96 at 0.897 by 0.0004 + 4 times 1.06       |             |                 | inconclusive faster; reason 4:0 wild
  96 at 0.897 by 0.0004 + 4 times 0.982      | faster      |                 | inconclusive faster; reason 4:0 wild
  96 at 0.897 by 0.0004 + 4 times 0.977      | faster      |                 | pass faster
  # early looks
  12 at 1.03 by 0.0033                       |             | first of 12, 60 | inconclusive slower; reason may be slower
  12 at 1.01 by 0.002                        |             | first of 12, 60 | pass slower
  60 at 1.03 by 0.0003                       |             | first of 12, 60 | regression slower
  8 at 0.9 by 0.001                          | faster      | first of 8, 60  | inconclusive faster; reason too few
  # rows that are wanted faster, or level
  30 at 0.94 by 0.001                        | faster      |                 | pass faster
  30 at 1 by 0.001                           | faster      |                 | missed same
  30 at 1.1 by 0.001                         | faster      |                 | missed slower
  30 at 0.94 by 0.001                        | faster 10 % |                 | missed faster
  30 at 0.86 by 0.001                        | faster 10 % |                 | pass faster
  30 at 1 by 0.001                           | level       |                 | pass same
  10 at 1.01 by 0.001 + 20 at 0.99 by 0.002  | level       | thirds          | pass slower; low 0.99; high 1.007
  12 at 1.01 by 0.03                         | level       |                 | inconclusive same; morePairs 42
  12 at 0.98 by 0.03                         | level       |                 | inconclusive same; morePairs 70
  12 at 0.97 by 0.03                         | level       |                 | inconclusive same; morePairs 170
  30 at 0.92 by 0.001                        | level       |                 | missed faster
  30 at 1.08 by 0.001                        | level       |                 | missed slower
`
/** @type {<T>(table: Record<string, T>, word: string) => T} */
const known = (table, word) => {
  assert.ok(word === '' || Object.hasOwn(table, word), word)
  return table[word]
}

for (const line of TABLE.trim().split('\n').filter(line => line.includes('|'))) {
  const [pairs, row, options, shown] = line.split('|').map(cell => cell.trim())
  test([pairs, row, options].filter(Boolean).join(', ') + `: ${shown}`, () => {
    const ratios = pairsIn(pairs)
    const judged = /** @type {any} */ (judgeOne(ratios, known(ROWS, row), known(OPTIONS, options)))
    const [words, ...fields] = shown.split('; ')
    const wanted = fields.map(field => {
      const [, name, value] = /** @type {string[]} */ (/^(\S+) (.*)$/.exec(field))
      return [name, name === 'reason' ? reasonOf(value, ratios.length) : JSON.parse(value)]
    })
    const found = wanted.map(([name]) => {
      const value = judged[name]
      return [name, typeof value === 'number' ? Number(value.toFixed(3)) : value]
    })
    assert.deepEqual([`${judged.verdict} ${judged.change}`, ...found], [words, ...wanted])
  })
}

test('pairs that were not measured make no verdict', () => {
  for (const pair of [[0, 1], [1, 0], [Infinity, 1], [1, Infinity]]) {
    const pairs = [pair, [1, 1]].map(([base, head], round) => ({ round, base, head, ratio: head / base }))
    const reasons = [1, 2].map(rounds => judgeOne([], { pairs: pairs.slice(0, rounds), rounds }).reason)
    assert.deepEqual(reasons, ['no pair of samples', undefined], pair.join())
  }
})

test('a row that failed says why, and what it lost', () => {
  const lost = { base: 0, head: 2 }
  const { verdict, reason, guard, change, ...row } = judgeOne([1], { ...ROWS.p99, lost, failure: 'it died' })
  assert.deepEqual([verdict, reason, guard, change, row.lost], ['invalid', 'it died', true, 'unclear', lost])
  assert.equal(judgeOne([1, 1], { lost: { base: 0, head: 0 } }).lost, undefined)
})

const WORK = { ...CELL, metric: 'workPerOp', gates: true }

test('a count is compared to the last digit', () => {
  assert.deepEqual(comparisonOfCounts(WORK, 100, 102, true), {
    ...WORK,
    ...{ unit: 'blocks', better: 'lower', base: 100, head: 102, ratio: 1.02, low: 1.02, high: 1.02, p: null, pairs: 1 },
    ...{ spread: null, detectable: 0, morePairs: null, change: 'slower', exact: true, verdict: 'regression' }
  })
  const changeOf = (/** @type {number} */ head, metric = 'workPerOp') =>
    comparisonOfCounts({ ...WORK, metric }, 100, head, false).change
  assert.deepEqual([100.00001, 100, 99.99999].map(head => changeOf(head)), ['slower', 'same', 'faster'])
  assert.deepEqual([101, 99].map(head => changeOf(head, 'requestsPerSecond')), ['faster', 'slower'])
  const { ratio, verdict } = comparisonOfCounts(WORK, 0, 0, false)
  assert.deepEqual([ratio, verdict], [null, 'pass'])
})

for (const [metric, base, most] of /** @type {[string, number, number][]} */ ([
  ['workPerOp', 9, 11.25],
  ['workPerOp', 0, 1],
  ['bytesPerTimer', -1, 1],
  ['workPerRequest', 40, 42],
  ['workPerRequest', 0.1, 1.1],
  ['allocatedBytesPerOp', 960, 1008]
])) {
  test(`${metric} of ${base} may become ${most}, and no more`, () =>
    assert.deepEqual(
      [most, most + 0.001].map(head => countsAsRegression(metric, base, head, DEFAULT_RULES.margin)),
      [false, true]
    ))
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

/** @type {(actual: number | null, expected: number) => void} */
const assertClose = (actual, expected) =>
  assert.ok(Math.abs(Number(actual) / expected - 1) < 1e-12, `${actual}, expected ${expected}`)
/** @type {(ratios: number[], level: number) => number} */
const lowAt = (ratios, level) => Math.exp(boundsOf(ratios.map(Math.log), { low: level, high: 0.025 }).low)

test('rows are tested after Holm: each p value, and each lower bound at the level that is left for it', () => {
  const [ten, seven, none] = [around(10, 1.15, 0.02), around(8, 1.1, 0.004), around(12, 1.01, 0.006)]
  const judged = judgeAll([rowOf(none), rowOf(ten), rowOf(seven)])
  assert.deepEqual(judged.slice(1).map(({ p, verdict }) => [p, verdict]), [
    [3 * 2 ** -10, 'regression'],
    [2 * 2 ** -8, 'regression']
  ])
  assert.ok(Number(judged[0].p) > 0.9)
  const lows = [[none, 0.05], [ten, 0.05 / 3], [seven, 0.05 / 2]]
  for (const [i, [ratios, level]] of /** @type {[number[], number][]} */ (lows).entries()) {
    assertClose(judged[i].low, lowAt(ratios, level))
  }
  assert.equal(new Set([0.05, 0.05 / 2, 0.05 / 3].map(level => lowAt(ten, level))).size, 3)
  // Where one is rejected, two are left, and none of them is tested less strictly.
  const [alone, second, third] = judgeAll([rowOf(ten), rowOf(none), rowOf(none)])
  assertClose(alone.low, lowAt(ten, 0.05 / 3))
  assert.deepEqual([second.low, third.low], [lowAt(none, 0.05 / 2), lowAt(none, 0.05 / 2)])
})

test('rows share the level of wild pairs: four of sixty in one row of twenty are chance, eight are not', () => {
  const quiet = Array(19).fill(rowOf(around(60, 1, 0.0001)))
  const open = [4, 8].map(wild => {
    const judged = judgeAll([rowOf([...around(60 - wild, 1, 0.0001), ...Array(wild).fill(2)]), ...quiet])
    return judged.filter(({ verdict }) => verdict !== 'pass').length
  })
  assert.deepEqual(open, [0, 1])
})

test('guards share a fifth of alpha among them, the others four fifths', () => {
  const pOf = (/** @type {object[]} */ ...changes) =>
    judgeAll(changes.map(changed => rowOf(around(10, 1.9, 0.001), changed))).map(({ p }) => Number(p) * 2 ** 10)
  assert.deepEqual([pOf({}), pOf(ROWS.p99), pOf({}, ROWS.p99, ROWS.p99)], [[1], [5], [1 / 0.8, 10, 10]])
  const ratios = [around(20, 1.1, 0.01), around(20, 1.5, 0.02)]
  const [main, guarded] = judgeAll([rowOf(ratios[0]), rowOf(ratios[1], ROWS.p99)])
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
    Number(judgeOne(around(pairs, 1, step), {}, THIRDS).detectable)
  )
  assert.ok(Math.abs(early - whole) < 0.005 && cut > 2 * early, `${early}, ${whole}, ${cut}`)
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

for (const line of `
  no row                                           | invalid
  pass, pass                                       | pass
  pass, inconclusive                               | inconclusive
  pass, invalid, inconclusive                      | invalid
  invalid, missed, inconclusive                    | missed
  invalid, missed, regression                      | regression
  pass, guard inconclusive                         | pass
  pass, guard regression                           | regression
  guard inconclusive                               | inconclusive
`.trim().split('\n')) {
  const [words, whole] = line.split('|').map(cell => cell.trim())
  test(`of ${words}, and a regression of a row that does not gate, the whole is ${whole}`, () => {
    const verdicts = words === 'no row' ? [] : words.split(', ')
    const rows = verdicts.map(word => ({ gates: true, guard: /guard/.test(word), verdict: word.split(' ').at(-1) }))
    assert.equal(overallVerdict(/** @type {any} */ ([...rows, { gates: false, verdict: 'regression' }])), whole)
  })
}

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
