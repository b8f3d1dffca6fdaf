import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { upperNormal } from '../../../../harness/judge/statistics/normal.js'
import { lowerTails, MOST_EXACT, signedRank } from '../../../../harness/judge/statistics/signed-rank.js'

const { cases } = JSON.parse(readFileSync(new URL('./signed-rank.json', import.meta.url), 'utf8'))

for (const { differences, greater, less } of cases) {
  test(`${differences.length} differences beginning with ${differences[0]} give the exact p values of SciPy`, () => {
    assertClose(signedRank(differences), greater)
    assertClose(signedRank(differences.map((/** @type {number} */ difference) => -difference)), less)
  })
}

test('n differences of one sign have the p value of n heads in a row', () => {
  assert.equal(signedRank([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), 2 ** -10)
  assert.equal(signedRank([-1, -1, -1]), 1)
})

test('differences of zero are ignored', () => {
  assert.deepEqual(signedRank([0, 1, -2, 0, 3]), signedRank([1, -2, 3]))
  assert.equal(signedRank([0, 0]), 1)
})

test('an infinite difference has the highest rank, and two opposite ones share it', () => {
  assert.equal(signedRank([1, 2, Infinity]), signedRank([1, 2, 3]))
  assert.equal(signedRank([1, Infinity, -Infinity]), signedRank([1, 3, -3]))
})

test('NaN has no rank and is refused', () => {
  assert.throws(() => signedRank([1, NaN, 3]), { name: 'RangeError', message: /value 1 of 3 is NaN/ })
  assert.throws(() => signedRank([NaN, 1]), { name: 'RangeError', message: /value 0 of 2 is NaN/ })
})

test('more than a thousand differences are tested at once, and agree with the exact counts', () => {
  const n = MOST_EXACT
  // Of these, those from `first` on are positive, so their sum of ranks is known.
  const differences = (/** @type {number} */ n, /** @type {number} */ first) => Array.from({ length: n }, (_, i) => i < first ? -1 - i : 1 + i)
  for (const first of [680, 690, 700]) {
    const exact = lowerTails(n)[first * (first + 1) / 2]
    const approximate = signedRank([...differences(n, first), 1e-9])
    // One more pair, of the lowest rank, hardly counts.
    assert.ok(Math.abs(approximate / exact - 1) < 0.1, `${approximate}, exactly ${exact}`)
  }
  assert.ok(Math.abs(signedRank(differences(100_000, 70_711)) - 0.5) < 0.01)
  assert.equal(signedRank(differences(100_000, 0)), 0)
  assert.ok(Math.abs(signedRank(Array.from({ length: 2000 }, (_, i) => i % 2 === 0 ? 1 : -1)) - 0.5) < 0.01, 'all of one rank')
})

test('the tail of the normal distribution is that of tables, near and far', () => {
  for (const [z, expected] of [[0, 0.5], [1, 0.15865525393145707], [2.5, 0.006209665325776132], [3, 0.0013498980316300933], [6, 9.865876450376946e-10], [-1, 0.8413447460685429]]) {
    assert.ok(Math.abs(upperNormal(z) / expected - 1) < 1e-11, `${z}: ${upperNormal(z)}`)
  }
})

/**
 * @param {number} actual
 * @param {number} expected
 */
function assertClose (actual, expected) {
  assert.ok(Math.abs(actual - expected) <= 1e-10 * Math.max(expected, 1e-4), `${actual}, expected ${expected}`)
}
