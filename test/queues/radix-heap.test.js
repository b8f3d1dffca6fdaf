/** Radix heap: properties beyond the contract. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { bucketOf, RadixHeap } from '../../queues/radix-heap.js'
import { advanceTo, drain, start } from './fired.js'

test('the bucket of a deadline is its highest bit that differs from the time, also above 32 bits', () => {
  for (let bit = 0; bit < 53; bit++) {
    assert.equal(bucketOf(2 ** bit, 0), bit + 1)
    assert.equal(bucketOf(2 ** bit, 2 ** bit), 0)
    if (bit > 0) assert.equal(bucketOf(2 ** bit, 2 ** bit - 1), bit + 1)
    if (bit > 1) assert.equal(bucketOf(2 ** bit + 1, 2 ** bit), 1)
  }
})

test('no wake-up fires nothing unless the earliest timer of a bucket has left it', () => {
  const queue = new RadixHeap()
  const deadlines = [1000, 1500, 3000, 3001, 70_000]
  for (const deadline of deadlines) start(queue, deadline)
  for (const deadline of deadlines) assert.deepEqual(advanceTo(queue, queue.nextExpiry()), [deadline])

  const earliest = start(queue, 80_000)
  start(queue, 80_001)
  queue.cancel(earliest)
  assert.equal(queue.nextExpiry(), 80_000)
  assert.deepEqual(advanceTo(queue, 80_000), [])
  assert.equal(queue.nextExpiry(), 80_001)
})

test('the time stands still while nothing is due: a timer may start before those that wait', () => {
  const queue = new RadixHeap()
  start(queue, 100_000)
  advanceTo(queue, 99_999)
  start(queue, 99_999)
  start(queue, 100_001)
  assert.deepEqual(
    drain(queue).map(({ payload }) => payload),
    [99_999, 100_000, 100_001]
  )
})
