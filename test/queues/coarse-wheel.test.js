/** Coarse wheel: its overdue timers after a callback has thrown, which no random life does. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { CoarseWheel } from '../../queues/coarse-wheel.js'
import { advanceTo, drain, start } from './fired.js'

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
