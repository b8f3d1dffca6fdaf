/** Queues that keep a timer where it is when it moves later or is cancelled, and wheels that jump over empty slots. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { HierarchicalWheel } from '../../queues/hierarchical-wheel.js'
import { IncrementalWheel } from '../../queues/incremental-wheel.js'
import { LazyWheel } from '../../queues/lazy-wheel.js'
import { advanceTo, drain, start } from './fired.js'

for (const Queue of [LazyWheel, IncrementalWheel]) {
  test(`a timer that is refreshed stays where it is: opening its old slot fires nothing (${Queue.name})`, () => {
    const queue = new Queue()
    const timer = start(queue, 50_000)
    for (let now = 1000; now <= 40_000; now += 1000) {
      assert.deepEqual(advanceTo(queue, now), [])
      queue.reschedule(timer, now + 50_000)
    }
    assert.deepEqual(drain(queue), [{ payload: 50_000, at: 90_000 }])
  })

  test(`cancelled timers cause no wake-up when nothing else is pending (${Queue.name})`, () => {
    const queue = new Queue()
    const timers = Array.from({ length: 100 }, () => start(queue, 50_000))
    for (const timer of timers) queue.cancel(timer)
    assert.equal(queue.nextExpiry(), Infinity)
    start(queue, 90_000)
    assert.deepEqual(drain(queue, 10), [{ payload: 90_000, at: 90_000 }])
  })
}

for (const Queue of [HierarchicalWheel, LazyWheel]) {
  test(`time passes though nothing expires: a timer lies in the slot of its own millisecond (${Queue.name})`, () => {
    const queue = new Queue()
    for (const now of [70_000, 2 ** 32 + 70_000, 2 ** 40 + 70_000]) {
      advanceTo(queue, now)
      const timer = start(queue, now + 10)
      assert.equal(queue.nextExpiry(), now + 10)
      queue.cancel(timer)
    }
  })
}
