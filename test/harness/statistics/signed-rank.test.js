import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { signedRank } from '../../../harness/statistics/signed-rank.js'

const { cases } = JSON.parse(readFileSync(new URL('./signed-rank.json', import.meta.url), 'utf8'))

for (const { differences, statistic, greater, less } of cases) {
  test(`${differences.length} differences beginning with ${differences[0]} give the exact p values of SciPy`, () => {
    const result = signedRank(differences)
    assert.equal(result.statistic, statistic)
    assertClose(result.greater, greater)
    assertClose(result.less, less)
    assertClose(result.twoSided, Math.min(1, 2 * Math.min(greater, less)))
  })
}

test('n differences of one sign are as unlikely as n heads in a row', () => {
  assert.equal(signedRank([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]).greater, 2 ** -10)
  assert.equal(signedRank([-1, -1, -1]).less, 2 ** -3)
})

test('differences of zero say nothing', () => {
  assert.deepEqual(signedRank([0, 1, -2, 0, 3]), signedRank([1, -2, 3]))
  assert.deepEqual(signedRank([0, 0]), { n: 0, statistic: 0, greater: 1, less: 1, twoSided: 1 })
})

/**
 * @param {number} actual
 * @param {number} expected
 */
function assertClose (actual, expected) {
  assert.ok(Math.abs(actual - expected) <= 1e-10 * Math.max(expected, 1e-4), `${actual}, expected ${expected}`)
}
