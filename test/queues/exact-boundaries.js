/** Tests any exact queue at the edges of slots, levels and int32: the places where wheels go wrong. */

import { test } from 'node:test'
import assert from 'node:assert/strict'

const powers = [0, 1, 5, 8, 10, 14, 16, 24, 30, 31, 32, 33, 40, 48, 52]
/** Both sides of every power of two that a wheel uses as a width. */
const edges = [...new Set(powers.flatMap(bits => [2 ** bits - 1, 2 ** bits, 2 ** bits + 1]))]
const late = Number.MAX_SAFE_INTEGER - 2 ** 52 - 2

/**
 * @param {any} queue
 * @param {number} now
 */
export function advanceTo (queue, now) {
  /** @type {unknown[]} */
  const fired = []
  queue.advance(now, (/** @type {any} */ timer) => fired.push(queue.payloadOf(timer)))
  return fired
}

/**
 * Advances from one nextExpiry to the next until the queue is empty.
 *
 * @param {any} queue
 * @param {number} [most] how many advances may be needed
 */
export function drain (queue, most = 1000) {
  /** @type {{payload: unknown, at: number}[]} */
  const fired = []
  for (let advances = 0; queue.size > 0; advances++) {
    assert.ok(advances < most, `still ${queue.size} pending after ${most} advances`)
    const now = queue.nextExpiry()
    queue.advance(now, (/** @type {any} */ timer) => fired.push({ payload: queue.payloadOf(timer), at: now }))
  }
  return fired
}

/**
 * @param {any} queue
 * @param {number} deadline
 * @param {unknown} [payload]
 */
export function start (queue, deadline, payload = deadline) {
  const timer = queue.createTimer(payload)
  queue.insert(timer, deadline)
  return timer
}

/** @param {new () => any} Queue */
export function testExactBoundaries (Queue) {
  test('a timer on either side of a boundary fires in its millisecond, not before', () => {
    for (const from of [0, ...edges, late]) {
      for (const duration of edges) {
        const queue = new Queue()
        queue.advance(from, assert.fail)
        start(queue, from + duration)
        assert.ok(queue.nextExpiry() <= from + duration, `nextExpiry at ${from} for +${duration}`)
        if (duration > 0) assert.deepEqual(advanceTo(queue, from + duration - 1), [], `at ${from} + ${duration} - 1`)
        assert.deepEqual(advanceTo(queue, from + duration), [from + duration], `at ${from} + ${duration}`)
        assert.equal(queue.size, 0)
        assert.equal(queue.nextExpiry(), Infinity)
      }
    }
  })

  test('timers at every boundary, woken by nextExpiry alone, fire in order and on time', () => {
    for (const from of [0, 255, 65_535, 2 ** 31 - 1, 2 ** 32 - 1, late]) {
      const queue = new Queue()
      queue.advance(from, assert.fail)
      const deadlines = edges.map(duration => from + duration).sort((a, b) => a - b)
      for (const deadline of deadlines.toReversed()) start(queue, deadline)
      const fired = drain(queue)
      assert.deepEqual(
        fired.map(({ payload }) => payload),
        deadlines
      )
      assert.deepEqual(
        fired.map(({ at }) => at),
        deadlines
      )
    }
  })

  test('one jump over all boundaries fires everything in it and nothing after it', () => {
    for (const jump of edges) {
      const queue = new Queue()
      for (const deadline of edges) start(queue, deadline)
      const due = edges.filter(deadline => deadline <= jump)
      assert.deepEqual(new Set(advanceTo(queue, jump)), new Set(due))
      assert.equal(queue.size, edges.length - due.length)
      assert.deepEqual(
        drain(queue).map(({ payload }) => payload),
        edges.filter(deadline => deadline > jump).sort((a, b) => a - b)
      )
    }
  })

  test('a timer moved across any boundary, in either direction, fires once and at its last deadline', () => {
    for (const from of edges) {
      for (const to of edges) {
        const queue = new Queue()
        const timer = start(queue, from)
        queue.reschedule(timer, to)
        assert.equal(queue.deadlineOf(timer), to)
        assert.equal(queue.size, 1)
        assert.deepEqual(drain(queue), [{ payload: from, at: to }], `${from} moved to ${to}`)
      }
    }
  })

  test('a timer cancelled and started again on either side of a boundary has its new deadline', () => {
    for (const from of [100, 2 ** 30 - 2, 2 ** 32 - 2]) {
      for (const to of edges) {
        const queue = new Queue()
        const timer = start(queue, from)
        queue.cancel(timer)
        queue.insert(timer, to)
        assert.equal(queue.deadlineOf(timer), to, `${from}, then ${to}`)
        assert.deepEqual(drain(queue), [{ payload: from, at: to }], `${from}, then ${to}`)
      }
    }
  })

  test('a cancelled timer leaves its neighbours at every boundary alone', () => {
    for (const deadline of edges) {
      const queue = new Queue()
      const timers = ['first', 'middle', 'last'].map(payload => start(queue, deadline, payload))
      for (const timer of [timers[1], timers[0], timers[2]]) {
        assert.equal(queue.cancel(timer), true)
        assert.equal(queue.cancel(timer), false)
        queue.insert(timer, deadline)
      }
      queue.cancel(timers[1])
      assert.equal(queue.size, 2)
      assert.deepEqual(new Set(drain(queue).map(({ payload }) => payload)), new Set(['first', 'last']))
    }
  })

  test('an overdue timer moved to another deadline in the past fires in the order of that', () => {
    for (const before of [0, 2 ** 32]) {
      const queue = new Queue()
      queue.advance(before + 1000, assert.fail)
      const [later, , earlier] = [100, 500, 900].map(deadline => start(queue, before + deadline, deadline))
      queue.reschedule(later, before + 700)
      queue.reschedule(earlier, before + 300)
      assert.deepEqual(
        drain(queue).map(({ payload }) => payload),
        [900, 500, 100]
      )
    }
  })

  test('an advance to the deadline of an overdue timer does not turn time back', () => {
    for (const before of [0, 2 ** 32]) {
      const queue = new Queue()
      queue.advance(before + 70_000, assert.fail)
      for (const deadline of [before + 70_010, before + 500]) start(queue, deadline)
      assert.deepEqual(advanceTo(queue, queue.nextExpiry()), [before + 500])
      start(queue, before + 70_005)
      assert.ok(queue.nextExpiry() <= before + 70_005)
      assert.deepEqual(advanceTo(queue, before + 70_007), [before + 70_005])
      assert.deepEqual(drain(queue), [{ payload: before + 70_010, at: before + 70_010 }])
    }
  })

  test('an overdue timer moved to a deadline with the same lower bits delays no other', () => {
    for (const bits of [30, 32]) {
      const revolution = 2 ** bits
      const queue = new Queue()
      queue.advance(revolution + 10, assert.fail)
      const moved = start(queue, 300, 'moved')
      queue.reschedule(moved, revolution + 300)
      start(queue, revolution + 20, 'other')
      assert.deepEqual(advanceTo(queue, revolution + 15), [])
      assert.deepEqual(advanceTo(queue, revolution + 200), ['other'], `${bits} bits`)
      assert.deepEqual(drain(queue), [{ payload: 'moved', at: revolution + 300 }])
    }
  })
}
