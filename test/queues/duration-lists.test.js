/** Duration lists: properties beyond the contract. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { DurationLists } from '../../queues/duration-lists.js'

test('a list that became empty is used again, for any duration', () => {
  const queue = new DurationLists()
  const [timer, other] = [queue.createTimer(0), queue.createTimer(1)]
  queue.insert(timer, 10, 10)
  const { list } = timer
  queue.cancel(timer)
  queue.insert(other, 5000, 5000)
  assert.equal(other.list, list)
  assert.equal(queue.nextExpiry(), 5000)
  queue.insert(timer, 10, 10)
  assert.notEqual(timer.list, list)
  assert.equal(queue.nextExpiry(), 10)
})
