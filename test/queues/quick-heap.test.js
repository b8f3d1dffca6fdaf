/** Quick heap: properties beyond the contract. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { QuickHeap } from '../../queues/quick-heap.js'
import { advanceTo, drain, start } from './fired.js'

test('a crowd of one deadline is not split, and fires between its neighbours', () => {
  const queue = new QuickHeap()
  const deadlines = [...new Array(1000).fill(500), 499, 501, ...new Array(100).fill(700)]
  for (const deadline of deadlines) start(queue, deadline)
  assert.deepEqual(
    drain(queue, 10).map(({ payload }) => payload),
    deadlines.toSorted((a, b) => a - b)
  )
})

test('a bucket of one deadline, joined by another, is searched again', () => {
  const queue = new QuickHeap()
  for (let i = 0; i < 100; i++) start(queue, 500)
  assert.equal(queue.nextExpiry(), 500)
  start(queue, 400)
  start(queue, 450)
  assert.deepEqual(advanceTo(queue, 499), [400, 450])
  assert.equal(advanceTo(queue, 500).length, 100)
})
