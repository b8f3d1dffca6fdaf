import { test } from 'node:test'
import assert from 'node:assert/strict'
import { LazyWheel } from '../../queues/lazy-wheel.js'
import { advanceTo, drain, start, testExactBoundaries } from './exact-boundaries.js'

testExactBoundaries(LazyWheel)

test('a timer that is refreshed stays where it is: opening its old slot fires nothing', () => {
  const queue = new LazyWheel()
  const timer = start(queue, 5000)
  for (let now = 100; now <= 4000; now += 100) {
    assert.deepEqual(advanceTo(queue, now), [])
    queue.reschedule(timer, now + 5000)
  }
  assert.deepEqual(drain(queue), [{ payload: 5000, at: 9000 }])
})

test('cancelled timers are dropped when their slot opens, and cause no wake-up when nothing else is pending', () => {
  const queue = new LazyWheel()
  const timers = Array.from({ length: 100 }, () => start(queue, 5000))
  for (const timer of timers) queue.cancel(timer)
  assert.equal(queue.nextExpiry(), Infinity)
  const late = start(queue, 9000)
  assert.ok(queue.nextExpiry() <= 9000)
  assert.deepEqual(drain(queue, 10), [{ payload: 9000, at: 9000 }])
  assert.equal(queue.isPending(late), false)
})

test('a slot of a higher level is spread over the lower ones before a callback can start an earlier timer', () => {
  const queue = new LazyWheel()
  advanceTo(queue, 1023)
  const restarted = start(queue, 1023, 'restarted')
  start(queue, 1024, 'waiting')
  const deadlines = [1024, 1026]
  /** @type {unknown[]} */
  const fired = []
  const expire = (/** @type {number} */ timer) => {
    fired.push(queue.payloadOf(timer))
    const deadline = timer === restarted ? deadlines.shift() : undefined
    if (deadline !== undefined) queue.insert(timer, deadline)
  }
  while (queue.size > 0) queue.advance(queue.nextExpiry(), expire)
  assert.deepEqual(fired.slice().sort(), ['restarted', 'restarted', 'restarted', 'waiting'])
  assert.equal(fired.at(-1), 'restarted')
})

test('a released handle that still lies in a slot is given out again unharmed', () => {
  const queue = new LazyWheel()
  const first = start(queue, 700, 'first')
  queue.cancel(first)
  queue.releaseTimer(first)
  const second = start(queue, 300, 'second')
  assert.equal(second, first)
  assert.deepEqual(drain(queue), [{ payload: 'second', at: 300 }])
})
