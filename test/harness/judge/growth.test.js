/** Fits of costs along a swept parameter. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { fitGrowth } from '../../../harness/judge/growth.js'
import { normal } from './statistics/noise.js'

const SIZES = [100, 1000, 10_000, 100_000]

test('costs that grow exactly as a power of x give that exponent', () => {
  for (const exponent of [0, 0.5, 1, 2, -0.3]) {
    const fit = fitGrowth(SIZES.map(x => ({ x, cost: 7 * x ** exponent })))
    for (const found of [fit.exponent, fit.low, fit.high]) {
      assert.ok(Math.abs(found - exponent) < 1e-6, `${found}, not ${exponent}`)
    }
    assert.equal(fit.n, 4)
  }
})

test('a worked example: the t interval of the slope has two degrees of freedom less than values', () => {
  // Logarithms 0, 1, 1 at 0, 1, 2: slope 1/2, squares left 1/6, so the standard error is sqrt(1 / 6 / 2), times 12.706.
  const { exponent, low, high } = fitGrowth(
    [
      [1, 1],
      [Math.E, Math.E],
      [Math.E ** 2, Math.E]
    ].map(([x, cost]) => ({ x, cost }))
  )
  assert.deepEqual(
    [exponent, low, high].map(value => value.toFixed(3)),
    ['0.500', '-3.168', '4.168']
  )
})

test('the interval holds the true exponent as often as it says', () => {
  const next = normal(5)
  const held = Array.from({ length: 2000 }, () =>
    fitGrowth(SIZES.map(x => ({ x, cost: 20 * x ** 0.7 * Math.exp(0.05 * next()) })))
  ).filter(({ low, high }) => low <= 0.7 && high >= 0.7).length
  assert.ok(Math.abs(held / 2000 - 0.95) < 0.015, String(held))
})

test('a count has no interval', () => {
  const { exponent, low, high, coverage } = fitGrowth(
    SIZES.map(x => ({ x, cost: 3 + Math.log2(x) })),
    true
  )
  assert.deepEqual([low, high, coverage], [exponent, exponent, 1])
})
