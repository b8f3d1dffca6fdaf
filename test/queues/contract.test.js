/**
 * One suite for every queue: generated sequences, in which the model judges each firing, and a test for each clause that
 * is easy to get wrong.
 */
import { describe, test } from 'node:test'
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { queues } from '../../queues/index.js'
import { skipUnless } from '../needs.js'
import { advanceTo, drain, start } from './exact-boundaries.js'
import { Trial, sequences } from './trial.js'

for (const { name, origin, url } of queues.filter(({ origin }) => origin !== 'built-in')) {
  const module = await import(url).catch(error => {
    if (origin === 'peer' && error.code === 'ERR_MODULE_NOT_FOUND') return null
    throw error
  })
  describe(name, { skip: skipUnless(module, 'needs its package (npm ci)') }, () => {
    const { meta, ...exported } = module
    testQueue(Object.values(exported)[0], meta)

    test('it declares the name that it is listed under', () => assert.equal(meta.name, name))
  })
}

/**
 * @param {new () => any} Queue
 * @param {import('../../queues/contract.js').QueueMeta} meta
 */
function testQueue (Queue, meta) {
  test('after any operations, it fires what the model has pending, on time and in the declared order', () => {
    fc.assert(fc.property(sequences, ({ commands, reactions }) => {
      const trial = new Trial(new Queue(), meta, reactions)
      for (const command of commands) trial.execute(command)
      trial.drain()
    }), { numRuns: 2000, seed: 1 })
  })

  test('a timer cancelled by an earlier callback of the same batch does not fire', () => {
    const queue = new Queue()
    const timers = [start(queue, 10), start(queue, 10), start(queue, 10)]
    let fired = 0
    queue.advance(20, () => {
      fired++
      for (const timer of timers) queue.cancel(timer)
    })
    assert.equal(fired, 1)
    assert.equal(queue.size, 0)
  })

  test('a callback cancels or moves a timer that shares a slot with those that are due, and all of those fire', () => {
    for (const leave of ['cancel', 'reschedule']) {
      const queue = new Queue()
      // Due together in a wheel of up to 2 ** 20 slots, or of fewer by a power of two; but not in the same revolution.
      const far = start(queue, 10 + 2 ** 20, 'far')
      for (const payload of ['a', 'b', 'c']) start(queue, 10, payload)
      /** @type {unknown[]} */
      const fired = []
      queue.advance(20, (/** @type {any} */ timer) => {
        if (fired.push(queue.payloadOf(timer)) > 1) return
        if (leave === 'cancel') queue.cancel(far)
        else queue.reschedule(far, 15 + 2 ** 20)
      })
      assert.deepEqual([...fired, ...advanceTo(queue, 40)].sort(), ['a', 'b', 'c'])
      assert.equal(queue.size, leave === 'cancel' ? 0 : 1)
    }
  })

  test('a timer moved later by an earlier callback of the same batch fires at its new deadline', () => {
    const queue = new Queue()
    const timers = [start(queue, 10, 'a'), start(queue, 10, 'b')]
    /** @type {unknown[]} */
    const fired = []
    queue.advance(20, (/** @type {any} */ timer) => {
      fired.push(queue.payloadOf(timer))
      queue.reschedule(timers[fired[0] === 'a' ? 1 : 0], 30)
    })
    assert.equal(fired.length, 1)
    assert.deepEqual([...fired, ...advanceTo(queue, 40)].sort(), ['a', 'b'])
  })

  test('when a callback throws, no other timer is lost', () => {
    const queue = new Queue()
    for (const payload of ['a', 'b', 'c']) start(queue, 10, payload)
    /** @type {unknown[]} */
    const fired = []
    assert.throws(() => queue.advance(20, (/** @type {any} */ timer) => {
      fired.push(queue.payloadOf(timer))
      throw new Error('from a callback')
    }), /from a callback/)
    assert.equal(queue.size, 2)
    assert.deepEqual([...fired, ...advanceTo(queue, 20)].sort(), ['a', 'b', 'c'])
  })

  test('a timer restarted by its own callback, again and again, fires again and again', () => {
    const queue = new Queue()
    start(queue, 10)
    const fired = []
    while (queue.size > 0) {
      const now = queue.nextExpiry()
      queue.advance(now, (/** @type {any} */ timer) => {
        fired.push(now)
        if (fired.length < 5) queue.insert(timer, now + 10, 10)
      })
    }
    assert.equal(fired.length, 5)
  })

  test('a timer released by its own callback leaves the others alone', () => {
    const queue = new Queue()
    for (const payload of ['a', 'b', 'c']) start(queue, 10, payload)
    /** @type {unknown[]} */
    const fired = []
    queue.advance(20, (/** @type {any} */ timer) => {
      fired.push(queue.payloadOf(timer))
      queue.releaseTimer(timer)
    })
    assert.deepEqual(fired.sort(), ['a', 'b', 'c'])
  })

  test('overdue timers fire at the next advance, even if that follows nextExpiry into the past', () => {
    const queue = new Queue()
    queue.advance(1000, assert.fail)
    for (const deadline of [900, 1000, 0, 950]) start(queue, deadline)
    assert.deepEqual(drain(queue).map(({ payload }) => payload).sort(), [0, 1000, 900, 950])
  })

  test('timers refreshed again and again fire at the last refresh, and once more when restarted then', () => {
    const queue = new Queue()
    const [, ...refreshed] = Array.from({ length: 8 }, (_, index) => start(queue, 1499 + index, index))
    for (let now = 0; now < 500; now++) {
      if (now % 50 === 0) assert.deepEqual(advanceTo(queue, now), [])
      for (const [index, timer] of refreshed.entries()) queue.reschedule(timer, now + 1001 + index, 1001 + index)
    }
    /** @type {number[]} */
    const fired = Array(8).fill(0)
    while (queue.size > 0) {
      const now = queue.nextExpiry()
      queue.advance(now, (/** @type {any} */ timer) => {
        const index = queue.payloadOf(timer)
        assert.ok(now >= 1499 + index, `${index} fired at ${now}`)
        if (meta.accuracy === 'exact') assert.equal(now, queue.deadlineOf(timer))
        if (++fired[index] === 1) queue.insert(timer, now + 5, 5)
      })
    }
    assert.deepEqual(fired, Array(8).fill(2))
  })

  test('a queue of thousands, filled from the middle, thinned and emptied, can be filled again', () => {
    const queue = new Queue()
    const timers = Array.from({ length: 3000 }, (_, index) => queue.createTimer(index))
    for (const from of [1000, 20_000]) {
      for (const [index, timer] of timers.entries()) queue.insert(timer, from + (500 + index * 7919) % 5000)
      for (const timer of timers.filter((_, index) => index % 3 !== 0)) assert.equal(queue.cancel(timer), true)
      assert.equal(queue.size, 1000)
      assert.equal(new Set(drain(queue, 10_000).map(({ payload }) => payload)).size, 1000)
      assert.equal(queue.nextExpiry(), Infinity)
    }
  })
}
