import { test } from 'node:test'
import assert from 'node:assert/strict'
import { shiftInterval } from '../../../../harness/judge/statistics/shift-interval.js'
import { normal } from './noise.js'

const TRIALS = 4000

test('estimate and interval are those of the book', () => {
  // Hollander and Wolfe, example 4.1, as R's wilcox.test gives it: 0.305, and -0.15 to 0.76 with a coverage of 0.96.
  const atTerm = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46]
  const earlier = [1.15, 0.88, 0.90, 0.74, 1.21]
  const { estimate, low, high, coverage } = shiftInterval(atTerm, earlier)
  assert.deepEqual([estimate, low, high, coverage].map(value => value.toFixed(4)), ['0.3050', '-0.1500', '0.7600', '0.9600'])
})

test('of five values each, 95 % is reached, and of four, three or two what these are worth', () => {
  const coverageOf = (/** @type {number} */ n) => shiftInterval(Array.from({ length: n }, (_, i) => i), Array.from({ length: n }, (_, i) => i)).coverage
  // 2 * 4, 1, 1 and 1 of 252, 70, 20 and 6 orders are outside.
  assert.deepEqual([5, 4, 3, 2].map(n => coverageOf(n).toFixed(6)), [1 - 8 / 252, 1 - 2 / 70, 1 - 0.1, 1 - 2 / 6].map(chance => chance.toFixed(6)))
})

for (const [m, n] of [[5, 5], [5, 10], [10, 10]]) {
  test(`of ${m} and ${n} values, it covers 95 % or more`, () => {
    const draw = normal(3)
    let held = 0
    for (let trial = 0; trial < TRIALS; trial++) {
      const { low, high, coverage } = shiftInterval(Array.from({ length: m }, () => 1 + draw()), Array.from({ length: n }, () => draw()))
      assert.ok(coverage >= 0.95)
      if (low <= 1 && high >= 1) held++
    }
    assert.ok(held / TRIALS > 0.94 && held / TRIALS < 0.98, `${held / TRIALS}`)
  })
}

test('where the values of one kind scatter four times as much, it still covers 92 %', () => {
  const draw = normal(4)
  let held = 0
  for (let trial = 0; trial < TRIALS; trial++) {
    const { low, high } = shiftInterval(Array.from({ length: 10 }, () => 4 * draw()), Array.from({ length: 10 }, () => draw()))
    if (low <= 0 && high >= 0) held++
  }
  assert.ok(held / TRIALS > 0.92, `${held / TRIALS}`)
})

test('more confidence makes it wider', () => {
  const [values, others] = [[1, 2, 3, 4, 5, 6, 7, 8], [0, 2, 4, 6, 8, 10, 12, 14]]
  const [usual, sure] = [0.95, 0.99].map(confidence => shiftInterval(values, others, confidence))
  assert.ok(sure.low < usual.low && sure.high > usual.high && sure.coverage >= 0.99)
})

test('infinite values have ranks, and their own differences say nothing', () => {
  const zeros = [-Infinity, -Infinity, -Infinity, -Infinity, -Infinity]
  assert.deepEqual(shiftInterval([1, 2, 3, 4, 5], zeros).low, Infinity)
  const { estimate, low, high } = shiftInterval(zeros, zeros)
  assert.deepEqual([low, high], [-Infinity, Infinity])
  assert.ok(!Number.isNaN(estimate))
})

test('a value that is not a number is refused', () => {
  assert.throws(() => shiftInterval([NaN], [1]), RangeError)
})
