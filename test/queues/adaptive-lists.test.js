/** Adaptive lists: properties beyond the contract. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { AdaptiveLists } from '../../queues/adaptive-lists.js'
import { drain, start } from './fired.js'

test('the tenth list makes a heap of the array, and the sixth an array of the heap', () => {
  const queue = new AdaptiveLists()
  const timers = Array.from({ length: 30 }, (_, index) => start(queue, 1000 - 10 * index))
  assert.equal(queue.nextExpiry(), 710)
  for (const timer of timers.slice(5).toReversed()) {
    queue.cancel(timer)
    assert.equal(queue.nextExpiry(), Math.min(...timers.filter(queue.isPending).map(queue.deadlineOf)))
  }
  start(queue, 5)
  assert.deepEqual(
    drain(queue).map(({ payload }) => payload),
    [5, 960, 970, 980, 990, 1000]
  )
})
