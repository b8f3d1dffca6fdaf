/** Calendar queue: properties beyond the contract. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { CalendarQueue } from '../../queues/calendar-queue.js'
import { advanceTo, drain, start } from './fired.js'

test('timers of one deadline fire as started, though the days double and halve meanwhile', () => {
  const queue = new CalendarQueue()
  const crowd = Array.from({ length: 40 }, (_, index) => start(queue, 5000, `crowd ${index}`))
  const others = Array.from({ length: 1000 }, (_, index) => start(queue, 6000 + 10 * index))
  for (const timer of others) queue.cancel(timer)
  for (const timer of crowd.slice(0, 5)) queue.reschedule(timer, 5000)
  assert.deepEqual(
    advanceTo(queue, 5000),
    [...crowd.keys()].slice(5).concat([0, 1, 2, 3, 4]).map(index => `crowd ${index}`)
  )
  assert.equal(queue.size, 0)
})

test('sparse and crowded deadlines, at every width of a day, fire in order', () => {
  for (const distance of [0, 0.25, 1, 100, 10_000, 2 ** 33]) {
    const queue = new CalendarQueue()
    const deadlines = Array.from({ length: 500 }, (_, index) => Math.floor(distance * ((index * 77) % 500)))
    for (const deadline of deadlines) start(queue, deadline)
    assert.deepEqual(
      drain(queue, 1000).map(({ payload }) => payload),
      deadlines.sort((a, b) => a - b)
    )
  }
})
