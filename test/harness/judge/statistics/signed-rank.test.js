/** Exact p values of signed ranks, against SciPy. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { signedRank } from '../../../../harness/judge/statistics/signed-rank.js'

const { cases } = JSON.parse(readFileSync(new URL('./signed-rank.json', import.meta.url), 'utf8'))

for (const { differences, greater, less } of cases) {
  test(`${differences.length} differences beginning with ${differences[0]} give the exact p values of SciPy`, () => {
    assertClose(signedRank(differences), greater)
    assertClose(signedRank(differences.map((/** @type {number} */ difference) => -difference)), less)
  })
}

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

/**
 * @param {number} actual
 * @param {number} expected
 */
function assertClose (actual, expected) {
  assert.ok(Math.abs(actual - expected) <= 1e-10 * Math.max(expected, 1e-4), `${actual}, expected ${expected}`)
}
