/** Rows that are expected to be faster, or level. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { expectationOf } from '../../../harness/judge/expectation.js'
import { shareOfGates, simulateGate } from '../../../lab/simulate/gates.js'
import { normal, uniform } from './statistics/noise.js'

/** @import { Expectation } from '../../../harness/judge/expectation.js' */

const FASTER = /** @type {const} */ ({ change: 'faster' })
const LEVEL = /** @type {const} */ ({ change: 'level' })

/**
 * @param {number} ratio  Time of the head in times of the base.
 * @param {number} [seed]
 * @param {number} [spread]
 */
function pairsOf (ratio, seed = 1, spread = 0.02) {
  const noise = normal(seed)
  return () => ratio * Math.exp(spread * noise())
}

/**
 * @param {number} ratio
 * @param {Expectation} expect
 * @param {number} [seed]
 */
const judgeOne = (ratio, expect, seed) => simulateGate({ rows: [pairsOf(ratio, seed)], expect: [expect] }).rows[0]

/**
 * @param {number} ratio
 * @param {Expectation} expect
 * @param {number} [count]
 */
const verdictsOf = (ratio, expect, count = 50) =>
  Array.from({ length: count }, (_, seed) => judgeOne(ratio, expect, seed + 1).verdict)

test('a head that is 6 % faster passes where faster is expected, and the interval is above the floor', () => {
  assert.deepEqual([...new Set(verdictsOf(0.94, FASTER))], ['pass'])
  const { ratio, low, high, change } = judgeOne(0.94, FASTER)
  assert.equal(change, 'faster')
  assert.ok(
    Number(low) < Number(ratio) && Number(ratio) < Number(high) && Number(high) <= 0.98,
    `${low} ${ratio} ${high}`
  )
})

test('identical code misses an expected gain, and so does a slower head', () => {
  assert.deepEqual([...new Set(verdictsOf(1, FASTER))], ['missed'])
  assert.deepEqual([...new Set(verdictsOf(1.1, FASTER))], ['missed'])
})

test('a gain at the floor itself is seldom called faster', () => {
  const claims = verdictsOf(0.98, FASTER, 400).filter(verdict => verdict === 'pass')
  assert.ok(claims.length <= 24, `${claims.length} of 400`)
})

test('a floor of its own must be exceeded: 6 % is not 10 % faster, and 14 % is', () => {
  const expect = { ...FASTER, floor: 0.1 }
  assert.deepEqual([judgeOne(0.94, expect).verdict, judgeOne(0.86, expect).verdict], ['missed', 'pass'])
})

test('near the floor a row stays open, with the gain that could have been shown and the pairs that it lacks', () => {
  const rows = Array.from({ length: 20 }, (_, seed) => judgeOne(0.98, FASTER, seed + 1))
  const open = rows.filter(({ verdict }) => verdict === 'inconclusive')
  assert.ok(open.length >= 15, String(open.length))
  for (const { detectable, morePairs, reason } of open) {
    assert.ok(Number(detectable) > 0.02 && Number(detectable) < 0.04, String(detectable))
    assert.ok(morePairs === null ? reason === 'more than 1000 pairs needed' : morePairs > 0 && morePairs <= 940, reason)
  }
  assert.ok(open.some(({ morePairs }) => morePairs !== null))
})

test('eight pairs of a single row show a slowdown of 10 %; a gain waits for pairs enough to notice ' +
  'slow processes', () => {
  const [slower] = simulateGate({ rows: [pairsOf(1.1, 3)] }).rows
  assert.deepEqual([slower.verdict, slower.pairs], ['regression', 8])
  const [faster] = simulateGate({ rows: [pairsOf(0.9, 20, 0.01)], expect: [FASTER] }).rows
  assert.deepEqual([faster.verdict, faster.pairs], ['pass', 12])
})

test('a head with a slow tail is not called faster', () => {
  const chance = uniform(7)
  const share = shareOfGates(
    100,
    () => ({ rows: [() => 0.93 * Math.exp(0.01 * (chance() - 0.5)) * (chance() < 0.15 ? 2 : 1)], expect: [FASTER] }),
    ({ verdict }) => verdict === 'pass'
  )
  // One early look in seven sees no slow process. Without a look at the tail, nearly all would pass.
  assert.ok(share < 0.3, String(share))
})

test('level passes between the margins, and is missed by a gain as by a loss', () => {
  assert.deepEqual([...new Set(verdictsOf(1, LEVEL))], ['pass'])
  assert.deepEqual([...new Set([...verdictsOf(0.92, LEVEL), ...verdictsOf(1.08, LEVEL)])], ['missed'])
  const { low, high } = judgeOne(1, LEVEL)
  assert.ok(Number(low) > 0.95 && Number(low) < 1 && Number(high) > 1 && Number(high) < 1.05, `${low} ${high}`)
})

test('at the floor in either direction, level is seldom missed', () => {
  const missed = [...verdictsOf(0.98, LEVEL, 200), ...verdictsOf(1.02, LEVEL, 200)].filter(word => word === 'missed')
  assert.ok(missed.length <= 24, `${missed.length} of 400`)
})

test('what is expected of a row is what names it, then what names no row; noisy metrics are left alone', () => {
  const expected = /** @type {const} */ ([
    { change: 'faster', rows: 'parse*' },
    { change: 'level', floor: undefined, rows: 'render.html' },
    { change: 'not-slower', rows: '*slow*' }
  ])
  const row = { scenario: 'parse-json', queue: 'parse-json', metric: 'nsPerOp' }
  const of = (/** @type {string} */ scenario, metric = 'nsPerOp') =>
    expectationOf({ ...row, scenario, queue: 'q', metric }, { expect: [...expected] })?.change
  assert.deepEqual(
    [of('parse-json'), of('parse-slow'), of('render.html'), of('renderxhtml'), of('parse', 'latencyP99Ms')],
    ['faster', undefined, 'level', undefined, undefined]
  )
  const expect = [{ change: /** @type {const} */ ('faster'), floor: 0.1 }]
  assert.deepEqual(expectationOf(row, { expect }), { change: 'faster', floor: 0.1 })
  assert.equal(expectationOf(row, {}), undefined)
})
