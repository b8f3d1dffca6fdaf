/** The kit tries random sequences of at most 60 timers; these tests fill heaps of several levels and full arrays. */
import { describe, test } from 'node:test'
import assert from 'node:assert/strict'
import { createRandom } from '../../harness/model/random.js'
import { BinaryHeap } from '../../queues/binary-heap.js'
import { CalendarQueue } from '../../queues/calendar-queue.js'
import { PairingHeap } from '../../queues/pairing-heap.js'
import { QuaternaryHeap } from '../../queues/quaternary-heap.js'
import { QuickHeap } from '../../queues/quick-heap.js'
import { SkipList } from '../../queues/skip-list.js'
import { testExactBoundaries } from './exact-boundaries.js'

const TIMERS = 1000

/**
 * A heap and its timers, each with its index as payload, next to what is pending.
 *
 * @param {new () => any} Heap
 */
function createPair (Heap) {
  const heap = new Heap()
  const timers = Array.from({ length: TIMERS }, (_, index) => heap.createTimer(index))
  /**
   * By index.
   *
   * @type {Map<number, number>}
   */
  const deadlines = new Map()

  const pair = {
    restart (/** @type {number} */ index, /** @type {number} */ deadline) {
      heap.reschedule(timers[index], deadline)
      deadlines.set(index, deadline)
    },

    cancel (/** @type {number} */ index) {
      assert.equal(heap.cancel(timers[index]), deadlines.delete(index), `cancel ${index}`)
    },

    advance (/** @type {number} */ now, /** @type {(index: number) => void} */ onExpire = () => {}) {
      let last = -1
      heap.advance(now, (/** @type {any} */ timer) => {
        const index = heap.payloadOf(timer)
        const deadline = deadlines.get(index) ?? assert.fail(`${index} was not pending`)
        assert.equal(heap.deadlineOf(timer), deadline)
        assert.ok(last <= deadline && deadline <= now, `${deadline} at ${now}, after ${last}`)
        last = deadline
        deadlines.delete(index)
        onExpire(index)
      })
      pair.compare()
      assert.ok(heap.nextExpiry() > now)
    },

    compare () {
      assert.equal(heap.size, deadlines.size)
      assert.equal(heap.nextExpiry(), Math.min(...deadlines.values()))
      for (const [index, deadline] of deadlines) assert.equal(heap.deadlineOf(timers[index]), deadline)
    }
  }
  return pair
}

for (const Heap of [BinaryHeap, QuaternaryHeap, PairingHeap, QuickHeap, SkipList, CalendarQueue]) {
  describe(Heap.name, () => {
    testExactBoundaries(Heap)

    for (const [title, spread] of /** @type {[string, number][]} */ ([
      ['nearly all deadlines different', 1_000_000],
      ['a few deadlines', 30]
    ])) {
      test(`a thousand timers, restarted and cancelled at random, fire in order: ${title}`, () => {
        const random = createRandom(spread)
        const { restart, cancel, advance } = createPair(Heap)
        for (let now = 0; now < 2 * spread; now += spread / 10) {
          for (let i = 0; i < 300; i++) {
            restart(random(TIMERS), now + random(spread))
            if (i % 3 === 0) cancel(random(TIMERS))
          }
          advance(now)
        }
        advance(3 * spread)
      })
    }

    test('timers of one duration that come and expire for a long time fire as started', () => {
      const { restart, advance } = createPair(Heap)
      for (let now = 0; now < 5 * TIMERS; now++) {
        restart(now % TIMERS, now + 700)
        if (now % 50 === 0) advance(now)
      }
      // One out of order, after the start of the heap has moved.
      restart(0, 5 * TIMERS)
      advance(5 * TIMERS)
      advance(6 * TIMERS)
    })

    test('timers that expire and start in order keep their deadlines when the arrays are full', () => {
      for (const pending of [31, 32, 33, 62, 63, 64, 65]) {
        const { restart, advance } = createPair(Heap)
        for (let now = 0; now < 600; now++) {
          restart(now % TIMERS, now + pending)
          advance(now)
        }
        advance(600 + pending)
      }
    })

    test('timers of which one moves earlier just after the arrays were full keep their deadlines', () => {
      for (const pending of [5, 18, 31]) {
        for (let moved = 40; moved < 140; moved++) {
          const { restart, advance } = createPair(Heap)
          for (let now = 0; now < moved; now++) {
            restart(now, now + pending)
            advance(now)
          }
          restart(moved - 1, moved + 1)
          for (let now = moved; now <= moved + pending; now++) advance(now)
        }
      }
    })

    test('timers started in order, of which some are cancelled or moved, fire in order', () => {
      const random = createRandom(2)
      const { restart, cancel, advance } = createPair(Heap)
      for (let round = 0; round < 4; round++) {
        const began = 3 * TIMERS * round
        for (let index = 0; index < TIMERS; index++) restart(index, began + index)
        advance(began + TIMERS / 4)
        for (let i = 0; i < 20 * round; i++) {
          cancel(TIMERS / 2 + random(TIMERS / 2))
          restart(TIMERS / 2 + random(TIMERS / 2), began + TIMERS / 4 + 1 + random(TIMERS))
        }
        advance(began + TIMERS / 2)
        advance(began + 3 * TIMERS - 1)
      }
    })
  })
}
