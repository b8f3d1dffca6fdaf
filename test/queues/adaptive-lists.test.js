/** Adaptive lists: properties beyond the contract. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { createRandom } from '../../harness/model/random.js'
import { AdaptiveLists } from '../../queues/adaptive-lists.js'
import { advanceTo, drain, start } from './exact-boundaries.js'

for (const durations of [1, 6, 7, 9, 10, 11, 40]) {
  test(`${durations} durations, of which lists come and go, wake up in time`, () => {
    const queue = new AdaptiveLists()
    const random = createRandom(durations)
    const timers = Array.from({ length: 2 * durations }, (_, index) => queue.createTimer(index))
    /** @type {Map<unknown, number>} */
    const deadlines = new Map()
    for (let now = 0; now < 2000; now++) {
      const [restarted, cancelled] = [random(timers.length), random(timers.length)]
      const duration = 1 + 10 * random(durations)
      queue.reschedule(timers[restarted], now + duration, duration)
      deadlines.set(restarted, now + duration)
      if (now % 3 === 0) assert.equal(queue.cancel(timers[cancelled]), deadlines.delete(cancelled))
      assert.ok(queue.nextExpiry() <= Math.min(...deadlines.values()))
      for (const index of advanceTo(queue, now)) {
        assert.equal(deadlines.get(index), now)
        deadlines.delete(index)
      }
      assert.equal(queue.size, deadlines.size)
    }
    assert.equal(drain(queue).length, deadlines.size)
  })
}

test('the tenth list makes a heap of the array, and the sixth an array of the heap', () => {
  const queue = new AdaptiveLists()
  const timers = Array.from({ length: 30 }, (_, index) => start(queue, 1000 - 10 * index))
  assert.equal(queue.nextExpiry(), 710)
  for (const timer of timers.slice(5).toReversed()) {
    queue.cancel(timer)
    assert.equal(queue.nextExpiry(), Math.min(...timers.filter(queue.isPending).map(queue.deadlineOf)))
  }
  start(queue, 5)
  assert.deepEqual(
    drain(queue).map(({ payload }) => payload),
    [5, 960, 970, 980, 990, 1000]
  )
})
