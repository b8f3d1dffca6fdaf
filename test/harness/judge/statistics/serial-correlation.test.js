import { test } from 'node:test'
import assert from 'node:assert/strict'
import { createRandom } from '../../../../harness/model/random.js'
import { blockLength, inBlocks, lagCorrelation } from '../../../../harness/judge/statistics/serial-correlation.js'
import { correlated, normal } from './noise.js'

/**
 * @param {() => number} next
 * @param {number} [count]
 * @param {number} [length]
 */
const series = (next, count = 6, length = 12) => Array.from({ length: count }, () => Array.from({ length }, next))

test('a steady rise is correlated, an alternation the opposite', () => {
  assert.ok(lagCorrelation([1, 2, 3, 4, 5, 6, 7, 8]) > 0.6)
  assert.ok(lagCorrelation([1, 8, 2, 7, 3, 6, 4, 5]) < -0.5)
  assert.equal(lagCorrelation([1, 5, 2, 4, 3]), lagCorrelation([1, 5000, 2, 400, 3]))
})

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

test('eight pairs are taken for dependent from a correlation of 0.408 on', () => {
  // The mean of independent ones is -1/8, their variance 6^2 / 7 / 8^2; 1.881 standard deviations are 3 %.
  for (const [values, sum, isDependent] of /** @type {[number[], number, boolean][]} */ ([
    [[5, 1, 4, 2, 3, 6, 7, 8], 61, false],
    [[5, 8, 6, 4, 1, 2, 3, 7], 67, false],
    [[1, 3, 2, 4, 6, 5, 7, 8], 81, true]
  ])) {
    const { length, correlation } = blockLength([values])
    assert.ok(Math.abs(correlation - sum / 168) < 1e-12, String(168 * correlation))
    assert.equal(length > 1, isDependent, `${correlation}`)
  }
})

test('equal values are not correlated, nor are values that differ by rounding', () => {
  assert.equal(lagCorrelation([2, 2, 2, 2, 2, 2, 2, 2]), 0)
  assert.equal(lagCorrelation([1, 2, 3, 4, 5, 6, 7, 8].map(value => 0.2 + value * 1e-16)), 0)
})

test('the correlation of ranks is what counting lower and higher values gives, whatever is equal or infinite', () => {
  const random = createRandom(3)
  const kinds = [() => random(2 ** 20), () => random(4), () => [-Infinity, Infinity, 0, 1, 2.5][random(5)]]
  for (const draw of kinds) {
    for (let n = 2; n <= 40; n++) {
      const values = Array.from({ length: n }, draw)
      const ranks = values.map(value => values.filter(other => other < value).length - values.filter(other => other > value).length)
      const sumOf = (/** @type {number[]} */ terms) => terms.reduce((sum, term) => sum + term, 0)
      const expected = sumOf(ranks.slice(1).map((rank, i) => rank * ranks[i])) / sumOf(ranks.map(rank => rank ** 2)) || 0
      assert.equal(lagCorrelation(values), expected, JSON.stringify(values))
    }
  }
})

test('hundreds of thousands of values are ranked without comparing each with each', () => {
  assert.ok(lagCorrelation(Array.from({ length: 300_000 }, (_, i) => i)) > 0.9999)
})

test('blocks are means of neighbours, the latest ones complete', () => {
  assert.deepEqual(inBlocks([9, 1, 3, 5, 7], 2), [2, 6])
  assert.deepEqual(inBlocks([1, 2, 3], 1), [1, 2, 3])
  assert.deepEqual(inBlocks([1, 2], 3), [])
  assert.deepEqual(inBlocks([1, Infinity, Infinity, -Infinity], 2), [Infinity, 0])
})
