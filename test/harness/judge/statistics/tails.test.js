import { test } from 'node:test'
import assert from 'node:assert/strict'
import { compareTails } from '../../../../harness/judge/statistics/tails.js'

test('wild values on one side have the p value of heads in a row', () => {
  assert.deepEqual(compareTails([0, 0.1, -0.1, 5, 6, 7], 0, 1), { above: 3, below: 0, p: 1 / 8 })
  assert.deepEqual(compareTails([-5, -6, 0], 0, 1), { above: 0, below: 2, p: 1 })
})

test('wild values on both sides are not significant', () => {
  assert.deepEqual(compareTails([5, -5, 6, -6], 0, 1), { above: 2, below: 2, p: 11 / 16 })
})

test('distance is measured from the centre, and lost samples are the farthest', () => {
  assert.deepEqual(compareTails([10, 11, 9, Infinity, -Infinity], 10, 2), { above: 1, below: 1, p: 3 / 4 })
})

test('a value at the distance itself is not wild', () => {
  assert.deepEqual(compareTails([1, 1.5, -1, -1.5, -2], 0, 1), { above: 1, below: 2, p: 7 / 8 })
})

test('thousands of wild values on both sides alike are not significant, a few in a hundred more on one side are', () => {
  const wild = (/** @type {number} */ above, /** @type {number} */ below) => compareTails([...Array(above).fill(5), ...Array(below).fill(-5)], 0, 1).p
  assert.ok(Math.abs(wild(5000, 5000) - 0.504) < 1e-3, String(wild(5000, 5000)))
  assert.ok(wild(5200, 4800) < 1e-4)
  assert.ok(Math.abs(wild(520, 480) / wild(521, 480) - 1) < 0.1, 'at a thousand, both ways of counting agree')
})
