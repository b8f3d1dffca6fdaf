/** The scenario of intervals: expiries spread evenly, and cancelled timeouts. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { createRandom } from '../../harness/model/random.js'
import { BinaryHeap } from '../../queues/binary-heap.js'
import { scenario } from '../../scenarios/intervals.js'

test('each interval expires once a second, spread over its milliseconds, and timeouts are cancelled before', () => {
  const size = 1000
  const queue = new BinaryHeap()
  const { phases, outcome } = scenario.createWorkload(queue, { size }, createRandom(1))
  /** @type {number[]} */
  const polls = []
  const { advance } = queue
  let timeoutsFired = 0
  queue.advance = (now, expire) => {
    let fired = 0
    advance.call(queue, now, timer => {
      if (Number(queue.payloadOf(timer)) >= size / 2) timeoutsFired++
      fired++
      expire(timer)
    })
    polls.push(fired)
  }
  const before = outcome.fired
  for (let cycle = 0; cycle < 4; cycle++) phases[0].run()
  assert.equal(outcome.fired - before, size / 2 + timeoutsFired)
  assert.ok(timeoutsFired < 5, `${timeoutsFired} timeouts fired`)
  assert.ok(Math.max(...polls) < 10, `${Math.max(...polls)} in one poll`)
  assert.equal(queue.size, size)
})
