import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkQueue } from 'timerq/conformance'
import { MyQueue } from './my-queue.js'

const { clauses } = await checkQueue(new URL('my-queue.js', import.meta.url))
for (const { sentence, counterexample } of clauses) {
  test(sentence, () => assert.equal(counterexample, null, counterexample ?? ''))
}

// A counter-example that `timerq check` prints can be pasted here as it is, and kept as a regression test.
test('timers with the same deadline fire in the order started', () => {
  const queue = new MyQueue()
  /** @type {unknown[]} */
  const fired = []
  const expire = (/** @type {any} */ timer) => fired.push(queue.payloadOf(timer))

  const a = queue.createTimer('a')
  const b = queue.createTimer('b')
  queue.insert(b, 5)
  queue.insert(a, 5)
  queue.advance(5, expire)
  assert.deepEqual(fired, ['b', 'a'])
})
