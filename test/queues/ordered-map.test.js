/** The kit tries random sequences of at most 60 timers; these tests fill a tree of three levels. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { createRandom } from '../../harness/model/random.js'
import { OrderedMap } from '../../queues/ordered-map.js'
import { advanceTo, start, testExactBoundaries } from './exact-boundaries.js'

testExactBoundaries(OrderedMap)

const TIMERS = 4000

/**
 * An ordered map and its timers, each with its index as payload, next to what is pending.
 *
 * @param {number} seed
 */
function createPair (seed) {
  const queue = new OrderedMap()
  const timers = Array.from({ length: TIMERS }, (_, index) => queue.createTimer(index))
  /**
   * By index; a timer that is started again moves to the end.
   *
   * @type {Map<number, number>}
   */
  const deadlines = new Map()
  return {
    queue,
    random: createRandom(seed),

    restart (/** @type {number} */ index, /** @type {number} */ deadline) {
      queue.reschedule(timers[index], deadline)
      deadlines.delete(index)
      deadlines.set(index, deadline)
    },

    cancel (/** @type {number} */ index) {
      assert.equal(queue.cancel(timers[index]), deadlines.delete(index), `cancel ${index}`)
    },

    advance (/** @type {number} */ now) {
      const due = [...deadlines]
        .filter(([, deadline]) => deadline <= now)
        .sort(([, a], [, b]) => a - b)
        .map(([index]) => index)
      assert.deepEqual(advanceTo(queue, now), due, `at ${now}`)
      for (const index of due) deadlines.delete(index)
      assert.equal(queue.size, deadlines.size)
      assert.equal(queue.nextExpiry(), Math.min(...deadlines.values()))
    }
  }
}

for (const [title, spread] of /** @type {[string, number][]} */ ([
  ['nearly all deadlines different', 1_000_000],
  ['a few hundred deadlines', 300]
])) {
  test(`thousands of timers, restarted and cancelled at random, fire as sorted: ${title}`, () => {
    const { queue, random, restart, cancel, advance } = createPair(spread)
    for (let now = 0; now < 2 * spread; now += spread / 20) {
      for (let i = 0; i < 1000; i++) {
        restart(random(TIMERS), now + random(spread))
        if (i % 3 === 0) cancel(random(TIMERS))
      }
      advance(now)
    }
    advance(3 * spread)
    assert.equal(queue.size, 0)
  })
}

for (const [title, deadlineOf] of /** @type {[string, (index: number) => number][]} */ ([
  ['ever later', index => index],
  ['ever earlier', index => TIMERS - index],
  ['from both ends to the middle', index => (index % 2 === 0 ? index : 2 * TIMERS - index)]
])) {
  test(`deadlines that come ${title} fire as sorted, also when most timers left meanwhile`, () => {
    const { random, restart, cancel, advance } = createPair(1)
    for (let round = 0; round < 3; round++) {
      const began = 3 * TIMERS * round
      for (let index = 0; index < TIMERS; index++) restart(index, began + deadlineOf(index))
      for (let i = 0; i < 2 * TIMERS; i++) cancel(random(TIMERS))
      advance(began + TIMERS / 2)
      // At one of the ends, leaf after leaf becomes empty.
      for (let index = TIMERS - 1; index > 0.75 * TIMERS; index--) cancel(index)
      advance(began + 3 * TIMERS - 1)
    }
  })
}

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
