/** Hierarchical wheel: properties beyond the contract. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { HierarchicalWheel } from '../../queues/hierarchical-wheel.js'
import { advanceTo, drain, start } from './fired.js'

test('a timer cascades once a level: each wake-up before its deadline opens a slot of a lower level', () => {
  const queue = new HierarchicalWheel()
  start(queue, 0x01_02_03_04)
  const wakeUps = []
  while (queue.size > 0) {
    wakeUps.push(queue.nextExpiry())
    advanceTo(queue, queue.nextExpiry())
  }
  assert.deepEqual(wakeUps, [0x01_00_00_00, 0x01_02_00_00, 0x01_02_03_00, 0x01_02_03_04])
})

test('a slot that opens with nothing due fires nothing and keeps its timers', () => {
  const queue = new HierarchicalWheel()
  start(queue, 300)
  assert.equal(queue.nextExpiry(), 256)
  assert.deepEqual(advanceTo(queue, 256), [])
  assert.equal(queue.nextExpiry(), 300)
})

test('the farthest deadline takes one wake-up a level', () => {
  const queue = new HierarchicalWheel()
  start(queue, Number.MAX_SAFE_INTEGER)
  drain(queue, 7)
})
