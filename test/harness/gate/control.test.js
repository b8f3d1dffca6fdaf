import { test } from 'node:test'
import assert from 'node:assert/strict'
import { judgeControl } from '../../../harness/gate/control.js'

const FLOOR = 0.05

/**
 * @param {number} middle
 * @param {number} spread
 * @param {number} [count]
 */
const around = (middle, spread, count = 30) => Array.from({ length: count }, (_, i) => middle + spread * (2 * i / (count - 1) - 1))
/** @param {number[]} shifts */
const hasMoved = shifts => judgeControl(shifts, { floor: FLOOR })?.moved

test('a base that differs from itself by more than half of the floor has moved, in either direction', () => {
  assert.deepEqual([0.03, -0.03].map(middle => hasMoved(around(middle, 0.01))), [true, true])
  assert.deepEqual([0.02, -0.02].map(middle => hasMoved(around(middle, 0.01))), [false, false])
})

test('a control that may be where it should be has not moved, however far its estimate is', () => {
  assert.deepEqual([0.03, -0.03].map(middle => hasMoved(around(middle, 0.5))), [false, false])
})

test('fewer than eight controls show nothing', () => {
  assert.deepEqual([7, 8].map(count => hasMoved(around(0.5, 0.01, count))), [false, true])
  assert.equal(judgeControl([], { floor: FLOOR }), null)
})
