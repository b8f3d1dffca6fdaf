/** Coarse wheel: properties beyond the contract. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { CoarseWheel } from '../../queues/coarse-wheel.js'
import { advanceTo, drain, start } from './fired.js'

test('a duration that ends in the current slot wakes the wheel a revolution early, and fires on time', () => {
  const queue = new CoarseWheel()
  advanceTo(queue, 7)
  start(queue, 518)
  assert.equal(queue.nextExpiry(), 8)
  assert.deepEqual(advanceTo(queue, 8), [])
  assert.deepEqual(drain(queue), [{ payload: 518, at: 520 }])
})

test('when the earliest overdue timer has left, the others still fire', () => {
  const queue = new CoarseWheel()
  advanceTo(queue, 1000)
  const [earliest] = [900, 950, 1000].map(deadline => start(queue, deadline))
  queue.cancel(earliest)
  assert.ok(queue.nextExpiry() <= 950)
  assert.deepEqual(
    drain(queue, 1).map(({ payload }) => payload),
    [950, 1000]
  )
})

test('timers left overdue by a callback that throws are due at once', () => {
  const queue = new CoarseWheel()
  advanceTo(queue, 1000)
  for (const deadline of [900, 950]) start(queue, deadline)
  assert.throws(
    () =>
      queue.advance(1000, () => {
        throw new Error('from a callback')
      }),
    /from a callback/
  )
  assert.ok(queue.nextExpiry() <= 950)
  assert.deepEqual(
    drain(queue, 1).map(({ payload }) => payload),
    [950]
  )
  assert.equal(queue.nextExpiry(), Infinity)
})
