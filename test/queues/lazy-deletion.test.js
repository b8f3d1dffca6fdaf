/** Adapters of heaps that cannot remove: tombstones and their sweeps. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { LazyDeletion, byDeadline } from '../../queues/peers/lazy-deletion.js'
import { drain, start } from './exact-boundaries.js'

class SortedArrayTimers extends LazyDeletion {
  /** @type {any[]} */
  entries = []

  /** @override */
  first () {
    return this.entries[0]
  }

  /** @override */
  push (entry) {
    this.entries.push(entry)
    this.entries.sort(byDeadline)
  }

  /** @override */
  pop () {
    this.entries.shift()
  }

  /** @override */
  takeAll () {
    return this.entries.splice(0)
  }
}

test('tombstones never outnumber the pending timers by more than a few', () => {
  const queue = new SortedArrayTimers()
  const timers = Array.from({ length: 10 }, (_, index) => start(queue, 1000 + index))
  let most = 0
  for (let refresh = 0; refresh < 1000; refresh++) {
    queue.reschedule(timers[refresh % 10], 2000 + refresh)
    most = Math.max(most, queue.entries.length)
  }
  assert.ok(most <= 10 + 10 + 64 + 1, `${most} entries for 10 timers`)
  assert.equal(drain(queue).length, 10)
})

test('a timer that has fired starts again with the entry it had', () => {
  const queue = new SortedArrayTimers()
  const timer = start(queue, 10)
  const { entry } = timer
  drain(queue)
  queue.insert(timer, 20)
  assert.equal(timer.entry, entry)
})

test('a timer whose tombstone is still there starts with another entry', () => {
  const queue = new SortedArrayTimers()
  const timer = start(queue, 10)
  const { entry } = timer
  queue.reschedule(timer, 5)
  assert.notEqual(timer.entry, entry)
  assert.deepEqual(
    drain(queue).map(({ at }) => at),
    [5]
  )
})
