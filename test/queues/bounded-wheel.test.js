/** Bounded wheel: slots, their overflow and the lateness of timers. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { BoundedWheel } from '../../queues/bounded-wheel.js'
import { advanceTo, drain, start } from './fired.js'

/** Timers of a slot. */
const ROOM = 16

test('timers within a slot fire when it opens, at most an eighth of their duration late', () => {
  const queue = new BoundedWheel()
  for (const now of [0, 51_200]) {
    advanceTo(queue, now)
    for (const duration of [5001, 5100, 5120]) start(queue, now + duration, duration)
    assert.equal(queue.nextExpiry(), now + 5120)
    assert.deepEqual(advanceTo(queue, now + 5120).sort(), [5001, 5100, 5120])
  }
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

test('a clock that has not moved for long puts timers beyond the wheel into the overflow, where they ' +
  'are on time', () => {
  const queue = new BoundedWheel()
  for (const now of [0, 100, 10_000]) queue.insert(queue.createTimer(now), now + 10, 10)
  const fired = drain(queue)
  assert.deepEqual(
    fired.map(({ payload, at }) => at - Number(payload)),
    [10, 10, 10]
  )
})

test('at the end of time a crowd fills the last slot, and the search for another one ends', () => {
  const queue = new BoundedWheel()
  const end = Number.MAX_SAFE_INTEGER
  advanceTo(queue, end - 40)
  for (let i = 0; i < 2 * ROOM; i++) start(queue, end)
  assert.equal(advanceTo(queue, end).length, 2 * ROOM)
})
