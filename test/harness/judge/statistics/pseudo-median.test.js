/** The pseudo-median and its bounds, against SciPy. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { boundsOf, pseudoMedian } from '../../../../harness/judge/statistics/pseudo-median.js'
import { signedRank } from '../../../../harness/judge/statistics/signed-rank.js'

const { cases } = JSON.parse(readFileSync(new URL('./pseudo-median.json', import.meta.url), 'utf8'))

for (const { values, confidence, estimate, low, high } of cases) {
  test(`the ${confidence * 100} % interval of ${values.length} values is every centre that SciPy's test does not reject`, () => {
    const result = pseudoMedian(values, confidence)
    assert.deepEqual([result.estimate, result.low, result.high], [estimate, low, high])
    assert.ok(result.coverage >= confidence)
  })
}

test('with too few values for the confidence, the interval is their whole range, with its coverage', () => {
  assert.deepEqual(pseudoMedian([1, 5, 2]), { estimate: 2.5, low: 1, high: 5, coverage: 0.75 })
  assert.deepEqual(pseudoMedian([4]), { estimate: 4, low: 4, high: 4, coverage: 0 })
})

test('each bound is that of the one-sided test at its own level', () => {
  const [{ values }] = cases
  const { low, high, chance } = boundsOf(values, { low: 0.1, high: 0.01 })
  const pValue = (/** @type {number} */ side, /** @type {number} */ centre) =>
    signedRank(values.map((/** @type {number} */ value) => side * (value - centre)))
  assert.ok(pValue(1, low - 1e-9) <= 0.1 && pValue(1, low + 1e-9) > 0.1)
  assert.ok(pValue(-1, high + 1e-9) <= 0.01 && pValue(-1, high - 1e-9) > 0.01)
  assert.deepEqual([chance.low, chance.high], [pValue(1, low - 1e-9), pValue(-1, high + 1e-9)])
})

test('infinite values make infinite bounds, never NaN', () => {
  assert.deepEqual(pseudoMedian([1, 2, Infinity]), { estimate: Infinity, low: 1, high: Infinity, coverage: 0.75 })
  assert.equal(pseudoMedian([1, 2, 3, 4, Infinity]).estimate, 3)
  assert.deepEqual(pseudoMedian([Infinity, -Infinity, Infinity, -Infinity]), {
    estimate: 0,
    low: -Infinity,
    high: Infinity,
    coverage: 0.875
  })
  assert.throws(() => pseudoMedian([1, NaN]), RangeError)
})
