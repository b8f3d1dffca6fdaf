/** Bounded wheel: slots, their overflow and the lateness of timers. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { createRandom } from '../../harness/model/random.js'
import { BoundedWheel } from '../../queues/bounded-wheel.js'
import { advanceTo, drain, start } from './exact-boundaries.js'

/** Timers of a slot. */
const ROOM = 16

test('timers within a slot fire when it opens, at most an eighth of their duration late', () => {
  const queue = new BoundedWheel()
  for (const deadline of [5001, 5100, 5120]) start(queue, deadline)
  assert.equal(queue.nextExpiry(), 5120)
  assert.deepEqual(advanceTo(queue, 5120).sort(), [5001, 5100, 5120])
})

test('timers for which a slot has no room take the next, as far as lateness allows, and then the overflow', () => {
  const queue = new BoundedWheel()
  // An eighth of 40 ms: five more slots.
  for (let i = 0; i < 7 * ROOM; i++) start(queue, 40)
  const fired = drain(queue)
  assert.deepEqual(
    [40, 41, 42, 43, 44, 45].map(now => fired.filter(({ at }) => at === now).length),
    [2 * ROOM, ROOM, ROOM, ROOM, ROOM, ROOM]
  )
})

test('a timer that leaves a full slot makes room for another', () => {
  const queue = new BoundedWheel()
  const timers = Array.from({ length: ROOM }, () => start(queue, 5))
  const late = start(queue, 5, 'overflow')
  queue.cancel(timers[3])
  queue.cancel(late)
  queue.insert(late, 5)
  assert.equal(queue.size, ROOM)
  assert.equal(advanceTo(queue, 5).length, ROOM)
  assert.equal(queue.nextExpiry(), Infinity)
})

test('a refreshed timer stays in its slot until the slot would open before its deadline', () => {
  const queue = new BoundedWheel()
  const timer = start(queue, 5000)
  assert.equal(queue.nextExpiry(), 5120)
  queue.reschedule(timer, 5100, 5000)
  assert.equal(queue.nextExpiry(), 5120)
  assert.equal(queue.deadlineOf(timer), 5100)
  queue.reschedule(timer, 5121, 5000)
  assert.equal(queue.nextExpiry(), 5632)
})

test('a clock that has not moved for long puts timers beyond the wheel into the overflow, where they are on time', () => {
  const queue = new BoundedWheel()
  for (const now of [0, 100, 10_000]) queue.insert(queue.createTimer(now), now + 10, 10)
  const fired = drain(queue)
  assert.deepEqual(
    fired.map(({ payload, at }) => at - Number(payload)),
    [10, 10, 10]
  )
})

test('no wake-up fires nothing, and no timer is early or later than allowed', () => {
  const queue = new BoundedWheel()
  const random = createRandom(8)
  const timers = Array.from({ length: 500 }, (_, index) => queue.createTimer(index))
  /** @type {Map<any, {deadline: number, duration: number}>} */
  const started = new Map()
  for (let now = 0, wakeUps = 0; wakeUps < 3000; wakeUps++) {
    for (let i = 0; i < 3; i++) {
      const timer = timers[random(500)]
      const duration = 1 + random(2 ** random(20))
      queue.reschedule(timer, now + duration, duration)
      started.set(timer, { deadline: now + duration, duration })
      const cancelled = timers[random(500)]
      assert.equal(queue.cancel(cancelled), started.delete(cancelled))
    }
    if (queue.size === 0) continue
    now = queue.nextExpiry()
    let fired = 0
    queue.advance(now, (/** @type {any} */ timer) => {
      const { deadline, duration } = started.get(timer) ?? assert.fail('fired twice')
      assert.ok(deadline <= now && now <= deadline + duration / 8, `${deadline} (${duration}) at ${now}`)
      started.delete(timer)
      fired++
    })
    assert.ok(fired > 0)
    assert.equal(queue.size, started.size)
  }
})
