/** Ordered map: properties beyond the contract. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { OrderedMap } from '../../queues/ordered-map.js'
import { advanceTo, start } from './fired.js'

test('when the first of the latest timers leaves, the next start at their deadline still comes last', () => {
  const queue = new OrderedMap()
  start(queue, 10)
  const [first] = ['first', 'second', 'third'].map(payload => start(queue, 20, payload))
  queue.cancel(first)
  start(queue, 20, 'fourth')
  assert.deepEqual(advanceTo(queue, 20), [10, 'second', 'third', 'fourth'])
})

test('when the latest timer leaves, the one before it is the latest', () => {
  const queue = new OrderedMap()
  start(queue, 10, 'first')
  const latest = start(queue, 20)
  queue.cancel(latest)
  start(queue, 10, 'second')
  start(queue, 15, 'third')
  assert.deepEqual(advanceTo(queue, 20), ['first', 'second', 'third'])
})
