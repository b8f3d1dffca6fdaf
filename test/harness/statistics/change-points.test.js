import { test } from 'node:test'
import assert from 'node:assert/strict'
import { createRandom } from '../../../harness/random.js'
import { changePoints } from '../../../harness/statistics/change-points.js'

const random = createRandom(3)
/** About normal, with a standard deviation of 1. */
const noise = () => Array.from({ length: 12 }, () => random(2 ** 20) / 2 ** 20).reduce((sum, part) => sum + part, -6)

/**
 * @param {number[]} levels  each for ten runs
 * @param {number} sd
 */
const series = (levels, sd) => levels.flatMap(level => Array.from({ length: 10 }, () => level + sd * noise()))

test('a step is found where it is, and a second one too', () => {
  assert.deepEqual(changePoints(series([0, 1], 0.05), 0.02), [10])
  assert.deepEqual(changePoints(series([0, 1, 0.5], 0.05), 0.02), [10, 20])
})

test('noise alone is hardly ever taken for a change', () => {
  const alarms = Array.from({ length: 300 }, () => changePoints(series([0, 0, 0], 0.05), 0.02)).filter(({ length }) => length > 0)
  assert.ok(alarms.length <= 6, String(alarms.length))
})

test('one outlier is no new level, two of a kind at the end are', () => {
  const steady = Array.from({ length: 12 }, (_, i) => i % 2 / 100)
  assert.deepEqual(changePoints(steady.with(6, 1), 0.02), [])
  assert.deepEqual(changePoints([...steady, 1, 1.01], 0.02), [12])
})

test('a series without any noise is believed to have the least', () => {
  assert.deepEqual(changePoints([5, 5, 5, 5, 5.01, 5.01, 5.01], 0.02), [])
})

test('too short a series says nothing', () => {
  assert.deepEqual(changePoints([], 0.02), [])
  assert.deepEqual(changePoints([1, 2, 3], 0.02), [])
})
