/** Fits of costs along a swept parameter. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { fitGrowth } from '../../../harness/judge/growth.js'

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
