/** The sign test of wild pairs. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { compareTails } from '../../../../harness/judge/statistics/sign-test.js'

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
