import { test } from 'node:test'
import assert from 'node:assert/strict'
import { blockLength, inBlocks, lagCorrelation } from '../../../../harness/judge/statistics/serial-correlation.js'
import { correlated, normal } from './noise.js'

/**
 * @param {() => number} next
 * @param {number} [count]
 * @param {number} [length]
 */
const series = (next, count = 6, length = 12) => Array.from({ length: count }, () => Array.from({ length }, next))

test('independent pairs are mostly judged independent', () => {
  const next = normal(1)
  const taken = Array.from({ length: 500 }, () => blockLength(series(next))).filter(({ length }) => length > 1)
  assert.ok(taken.length < 75, String(taken.length))
})

test('correlation in six rows of twelve pairs is detected, and the pairs are grouped into large blocks', () => {
  const next = normal(2)
  const lengths = Array.from({ length: 200 }, () =>
    blockLength(Array.from({ length: 6 }, () => series(correlated(0.6, next), 1)[0])).length)
  assert.ok(lengths.filter(length => length >= 4).length > 190)
})

test('a short series shows less correlation than there is, so its blocks are longer', () => {
  const { length, correlation } = blockLength([[1, 3, 2, 4, 6, 5, 7, 8]])
  assert.ok(Math.abs(correlation - 27 / 56) < 1e-12, String(correlation))
  // Corrected by (1 + 3r) / 8, r is 0.788; twice 1.788 / 0.212 is 16.9.
  assert.equal(length, 17)
  assert.ok(blockLength([[1, 2, 3, 4, 5, 6]]).length > 1)
})

test('negative correlation, or too short a series, changes nothing', () => {
  assert.equal(blockLength([[1, 8, 2, 7, 3, 6, 4, 5]]).length, 1)
  assert.equal(blockLength([[1, 2, 3, 4, 5]]).length, 1)
  assert.equal(blockLength([]).length, 1)
})

test('equal values are not correlated, nor are values that differ by rounding', () => {
  assert.equal(lagCorrelation([2, 2, 2, 2, 2, 2, 2, 2]), 0)
  assert.equal(lagCorrelation([1, 2, 3, 4, 5, 6, 7, 8].map(value => 0.2 + value * 1e-16)), 0)
})

test('blocks are means of neighbours, the latest ones complete', () => {
  assert.deepEqual(inBlocks([9, 1, 3, 5, 7], 2), [2, 6])
  assert.deepEqual(inBlocks([1, 2, 3], 1), [1, 2, 3])
  assert.deepEqual(inBlocks([1, 2], 3), [])
  assert.deepEqual(inBlocks([1, Infinity, Infinity, -Infinity], 2), [Infinity, 0])
})
