import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { pseudoMedian } from '../../../harness/statistics/pseudo-median.js'
import { signedRank } from '../../../harness/statistics/signed-rank.js'

const { cases } = JSON.parse(readFileSync(new URL('./pseudo-median.json', import.meta.url), 'utf8'))

for (const { values, confidence, estimate, low, high } of cases) {
  test(`the ${confidence * 100} % interval of ${values.length} values is every centre that SciPy's test does not reject`, () => {
    const result = pseudoMedian(values, confidence)
    assert.deepEqual([result.estimate, result.low, result.high], [estimate, low, high])
    assert.ok(result.coverage >= confidence)
  })
}

test('the interval ends where the p value crosses the level', () => {
  const [{ values }] = cases
  const { low, high, coverage } = pseudoMedian(values)
  const pValueAt = (/** @type {number} */ centre) => signedRank(values.map((/** @type {number} */ value) => value - centre)).twoSided
  assert.ok(pValueAt(low + 1e-9) > 0.05 && pValueAt(low - 1e-9) <= 0.05)
  assert.ok(pValueAt(high - 1e-9) > 0.05 && pValueAt(high + 1e-9) <= 0.05)
  assert.equal(pValueAt(low - 1e-9), 1 - coverage)
})

test('too few values for the confidence give their whole range, and its coverage', () => {
  assert.deepEqual(pseudoMedian([1, 5, 2]), { estimate: 2.5, low: 1, high: 5, coverage: 0.75 })
  assert.deepEqual(pseudoMedian([4]), { estimate: 4, low: 4, high: 4, coverage: 0 })
})

test('one wild value moves the estimate little', () => {
  const { estimate } = pseudoMedian([1, 2, 3, 4, 5, 6, 7, 8, 9, 1000])
  assert.ok(estimate < 7, String(estimate))
})
