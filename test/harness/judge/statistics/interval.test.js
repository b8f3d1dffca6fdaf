/** Intervals against tables, worked examples and simulations. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import {
  intervalOf,
  medianInterval,
  ratioInterval,
  tQuantile
} from '../../../../harness/judge/statistics/interval.js'
import { normal, uniform } from './noise.js'

const TRIALS = 4000

/** @param {{low: number, high: number}} interval */
const ends = ({ low, high }) => [low.toFixed(3), high.toFixed(3)]

test("quantiles are those of published tables of Student's t", () => {
  for (const [probability, freedom, expected] of [
    [0.975, 1, 12.7062],
    [0.975, 2, 4.3027],
    [0.95, 4, 2.1318],
    [0.975, 7, 2.3646],
    [0.995, 10, 3.1693],
    [0.975, 120, 1.9799]
  ]) {
    assert.ok(Math.abs(tQuantile(probability, freedom) - expected) < 1e-4, `${probability} ${freedom}`)
  }
})

test('worked examples: few values are not trimmed, of eight one at each end counts as the nearest that is left', () => {
  assert.deepEqual(ends(intervalOf([1, 2, 3])), ['-0.484', '4.484'])
  assert.deepEqual(ends(intervalOf([1, 3, 5, 7, 9], 0.9)), ['1.985', '8.015'])
  // Squares of 30 around 4.5, of 2, 2, 3, 4, 5, 6, 7, 7; 6 values are left, so the standard error is
  // sqrt(30 / (6 * 5)). Times 2.5706.
  for (const values of [
    [1, 2, 3, 4, 5, 6, 7, 8],
    [7, 3, 2, 6, 5, 4, -1e9, 1e9]
  ]) {
    assert.deepEqual(ends(intervalOf(values)), ['1.929', '7.071'])
  }
  assert.deepEqual(intervalOf([4]), { estimate: 4, low: 4, high: 4, coverage: 0 })
})

test('intervals of ratios hold the true one 95 times in 100, and those of two runs are disjoint once in ' +
  '50 at most', () => {
  const [noise, chance] = [normal(4), uniform(5)]
  const seldomFar = () => 0.03 * noise() + (chance() < 0.1 ? 0.8 * (chance() - 0.5) : 0)
  for (const next of [() => 0.03 * noise(), seldomFar]) {
    for (const heats of [3, 5, 8, 12, 30]) {
      const intervals = Array.from({ length: TRIALS }, () =>
        ratioInterval(Array.from({ length: heats }, () => Math.exp(next())))
      )
      const holds = intervals.filter(({ low, high }) => low <= 1 && high >= 1).length / TRIALS
      const disjoint =
        intervals.filter((one, i) => i % 2 && (one.low > intervals[i - 1].high || one.high < intervals[i - 1].low))
          .length /
        (TRIALS / 2)
      assert.ok(holds > 0.935 && disjoint <= 0.02, `${heats} heats: ${holds}, disjoint ${disjoint}`)
    }
  }
})

test('a median lies within its interval, which is that of logarithms where all values are above zero', () => {
  const { median, low, high, n } = medianInterval([10, 20, 40])
  assert.deepEqual([median, n, Math.sqrt(low * high).toFixed(6)], [20, 3, '20.000000'])
  const peaks = medianInterval([...Array(12).fill(1), ...Array(10).fill(2)])
  assert.deepEqual([peaks.median, peaks.low], [1, 1])
  assert.deepEqual(medianInterval([7, 7, 7]), { median: 7, low: 7, high: 7, n: 3, coverage: 0.95 })
})

test('counts of nothing have an interval, which does not reach below zero; signed values have one that does', () => {
  const { median, low, high } = medianInterval([0, 0, 3])
  assert.deepEqual([median, low, high > 3], [0, 0, true])
  assert.ok(medianInterval([-0.1, 0.1, 0.05]).low < -0.1)
})
