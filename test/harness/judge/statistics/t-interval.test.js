import { test } from 'node:test'
import assert from 'node:assert/strict'
import { median } from 'simple-statistics'
import { differenceInterval, trimmedInterval } from '../../../../harness/judge/statistics/t-interval.js'
import { normal, uniform } from './noise.js'

const TRIALS = 4000
/**
 * How often the interval holds the centre.
 *
 * @param {number} n
 * @param {() => number} draw
 * @param {number} centre
 * @param {number} [trimmed]
 */
function coverageOf (n, draw, centre, trimmed = 0) {
  let held = 0
  for (let trial = 0; trial < TRIALS; trial++) {
    const { low, high } = trimmedInterval(Array.from({ length: n }, draw), trimmed)
    if (low <= centre && centre <= high) held++
  }
  return held / TRIALS
}

test('the interval matches published tables', () => {
  const { low, high, coverage } = trimmedInterval([1, 2, 3], 0)
  // 4.303 standard errors of 1 / sqrt(3) around 2.
  assert.deepEqual([low.toFixed(3), high.toFixed(3), coverage], ['-0.484', '4.484', 0.95])
  // 2.7764 is the 97.5 % quantile of Student's t with four degrees of freedom, 2.1318 the 95 % quantile.
  const wide = trimmedInterval([1, 3, 5, 7, 9], 0)
  assert.deepEqual([wide.low.toFixed(3), wide.high.toFixed(3)], ['1.074', '8.926'])
  const narrow = trimmedInterval([1, 3, 5, 7, 9], 0, 0.9)
  assert.deepEqual([narrow.low.toFixed(3), narrow.high.toFixed(3)], ['1.985', '8.015'])
})

test('a worked example: those that are trimmed count as the nearest that are not, however far off they are', () => {
  // Squares of 30 around 4.5, of 2, 2, 3, 4, 5, 6, 7, 7; 6 values are left, so the standard error is sqrt(30 / (6 * 5)). Times 2.5706.
  for (const values of [[1, 2, 3, 4, 5, 6, 7, 8], [7, 3, 2, 6, 5, 4, -1e9, 1e9]]) {
    const { low, high, coverage } = trimmedInterval(values, 1)
    assert.deepEqual([low.toFixed(3), high.toFixed(3), coverage], ['1.929', '7.071', 0.95])
  }
})

test('a worked example: the difference of two means has the pooled variance of both sides', () => {
  // Squares 2 and 26 around the means 2 and 5, of 3 degrees of freedom: 3.1824 times sqrt(28 / 3 * (1 / 2 + 1 / 3)).
  const { difference, low, high } = differenceInterval([1, 3], [2, 4, 9])
  assert.deepEqual([difference, low.toFixed(3), high.toFixed(3)], [3, '-5.875', '11.875'])
  // 2.3534 at 90 %.
  assert.deepEqual(differenceInterval([1, 3], [2, 4, 9], 0.9).low.toFixed(3), '-3.563')
})

test('of three to seven normal values it covers 95 %', () => {
  const noise = normal(1)
  for (const n of [3, 4, 5, 6, 7]) assert.ok(Math.abs(coverageOf(n, noise, 0) - 0.95) < 0.012, `${n} values`)
})

test('of three to seven heats it covers about 95 %, though their slices are far from normal', () => {
  const [noise, chance] = [normal(2), uniform(3)]
  // Long tails on one side: something else used the core.
  const skewed = () => -Math.log(chance()) + (chance() < 0.1 ? 10 : 0)
  // A heat differs from heat to heat by its layout, and is the median of 16 ratios of two disturbed slices.
  const heat = () => 0.5 * noise() + median(Array.from({ length: 16 }, () => skewed() - skewed()))
  for (const n of [3, 4, 5, 6, 7]) assert.ok(Math.abs(coverageOf(n, heat, 0) - 0.95) < 0.015, `${n} heats`)
})

test('trimmed by one in eight at either end, it covers 95 % of normal values, and no less of values of which one in ten is far off', () => {
  const [noise, chance] = [normal(4), uniform(5)]
  const seldomFar = () => noise() + (chance() < 0.1 ? 80 * (chance() - 0.5) : 0)
  for (const n of [8, 12, 20]) {
    const trimmed = Math.floor(n / 8)
    assert.ok(Math.abs(coverageOf(n, noise, 0, trimmed) - 0.95) < 0.015, `${n} normal values`)
    assert.ok(coverageOf(n, seldomFar, 0, trimmed) > 0.935, `${n} values`)
  }
})

test('the interval of a difference covers 95 % with two to five values on either side', () => {
  const noise = normal(6)
  for (const [before, now] of [[2, 2], [4, 4], [2, 5]]) {
    let held = 0
    for (let trial = 0; trial < TRIALS; trial++) {
      const { low, high } = differenceInterval(Array.from({ length: before }, noise), Array.from({ length: now }, () => 1 + noise()))
      if (low <= 1 && high >= 1) held++
    }
    assert.ok(Math.abs(held / TRIALS - 0.95) < 0.012, `${before} and ${now} values: ${held / TRIALS}`)
  }
})
