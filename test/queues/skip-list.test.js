/** Skip list: properties beyond the contract. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { heightOf, SkipList } from '../../queues/skip-list.js'
import { drain, start } from './fired.js'

test('one tower in four is higher than one, one in sixteen higher than two', () => {
  const heights = Array.from({ length: 256 }, (_, bits) => heightOf(bits + 256))
  assert.deepEqual(
    [1, 2, 3, 4].map(height => heights.filter(other => other === height).length),
    [192, 48, 12, 3]
  )
})

test('no tower is higher than the highest, whatever is drawn', () => {
  for (const bits of [0, 2 ** 31, -(2 ** 31), 2 ** 30, 1]) assert.ok(heightOf(bits) >= 1 && heightOf(bits) <= 12)
})

test('a handle that is used again keeps its tower, and a thousand of them their neighbours', () => {
  const queue = new SkipList()
  for (let round = 0; round < 3; round++) {
    const timers = Array.from({ length: 1000 }, (_, index) => start(queue, 10_000 * round + ((index * 7) % 1000)))
    for (const timer of timers.slice(0, 500)) {
      assert.equal(queue.cancel(timer), true)
      queue.releaseTimer(timer)
    }
    assert.equal(queue.size, 500)
    const fired = drain(queue, 1000).map(({ payload }) => Number(payload))
    assert.deepEqual(
      fired,
      timers
        .slice(500)
        .map((_, i) => 10_000 * round + (((i + 500) * 7) % 1000))
        .sort((a, b) => a - b)
    )
    for (const timer of timers.slice(500)) queue.releaseTimer(timer)
  }
})
