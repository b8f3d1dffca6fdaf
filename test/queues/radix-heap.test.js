/** Radix heap: properties beyond the contract. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { createRandom } from '../../harness/model/random.js'
import { bucketOf, RadixHeap } from '../../queues/radix-heap.js'
import { advanceTo, drain, start, testExactBoundaries } from './exact-boundaries.js'

testExactBoundaries(RadixHeap)

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

test('thousands of timers, restarted and cancelled at random, fire in order and on time', () => {
  const queue = new RadixHeap()
  const random = createRandom(3)
  const timers = Array.from({ length: 2000 }, (_, index) => queue.createTimer(index))
  /** @type {Map<unknown, number>} */
  const deadlines = new Map()
  for (let now = 0; now < 200_000; now += 1000) {
    for (let i = 0; i < 300; i++) {
      const [restarted, cancelled] = [random(2000), random(2000)]
      deadlines.set(restarted, now + 1 + random(50_000))
      queue.reschedule(timers[restarted], Number(deadlines.get(restarted)))
      assert.equal(queue.cancel(timers[cancelled]), deadlines.delete(cancelled))
    }
    const fired = advanceTo(queue, now + 999).map(index => ({ index, deadline: Number(deadlines.get(index)) }))
    assert.deepEqual(
      fired.map(({ deadline }) => deadline),
      fired.map(({ deadline }) => deadline).sort((a, b) => a - b)
    )
    for (const { index, deadline } of fired) {
      assert.ok(now <= deadline && deadline <= now + 999)
      deadlines.delete(index)
    }
    assert.ok(Math.min(...deadlines.values()) >= now + 1000)
    assert.equal(queue.size, deadlines.size)
  }
})
