import { test } from 'node:test'
import assert from 'node:assert/strict'
import { medianInterval } from '../../../../harness/judge/statistics/median-interval.js'

/** @param {number} n */
const upTo = n => Array.from({ length: n }, (_, i) => n - i)

// Ranks and coverage of 95 % intervals as printed in W. J. Conover, "Practical Nonparametric Statistics", table A3.
for (const { n, low, high, coverage } of [
  { n: 6, low: 1, high: 6, coverage: 0.96875 },
  { n: 9, low: 2, high: 8, coverage: 0.9609 },
  { n: 10, low: 2, high: 9, coverage: 0.9785 },
  { n: 20, low: 6, high: 15, coverage: 0.9586 },
  { n: 30, low: 10, high: 21, coverage: 0.9572 }
]) {
  test(`the interval of ${n} values runs from the ${low}. to the ${high}.`, () => {
    const interval = medianInterval(upTo(n))
    assert.deepEqual([interval.low, interval.high, interval.n], [low, high, n])
    assert.ok(Math.abs(interval.coverage - coverage) < 5e-5, String(interval.coverage))
  })
}

test('with too few values for the confidence, the interval is their whole range, with its coverage', () => {
  assert.deepEqual(medianInterval([3, 1, 2]), { median: 2, low: 1, high: 3, n: 3, coverage: 0.75 })
  assert.deepEqual(medianInterval([7]), { median: 7, low: 7, high: 7, n: 1, coverage: 0 })
})

test('the median of an even number of values lies between the middle two', () => {
  assert.equal(medianInterval([4, 1, 3, 2]).median, 2.5)
})

test('a smaller confidence gives a narrower interval', () => {
  const { low, high } = medianInterval(upTo(30), 0.5)
  assert.deepEqual([low, high], [13, 18])
})

test('the coverage may be the confidence itself', () => {
  // Of five heads or tails, one or none has a chance of 6 in 32.
  assert.deepEqual([0.625, 0.626].map(confidence => medianInterval(upTo(5), confidence)), [
    { median: 3, low: 2, high: 4, n: 5, coverage: 0.625 },
    { median: 3, low: 1, high: 5, n: 5, coverage: 1 - 1 / 16 }
  ])
})

test('the interval of thousands of values is as wide as that of so many should be', () => {
  const around = (/** @type {number} */ n) => {
    const { median, low, high, coverage } = medianInterval(upTo(n))
    assert.ok(coverage >= 0.95 && coverage < 0.958, `${n} values: ${coverage}`)
    assert.equal(median - low, high - median)
    return high - low
  }
  assert.ok(Math.abs(around(1001) - around(999)) <= 2)
  // 1.96 times the root of 150 001.
  assert.ok(Math.abs(around(150_001) - 759) <= 2)
})
