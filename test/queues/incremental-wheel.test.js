/** Incremental wheel: its steps, and bounds of its stale entries. Its behaviour is tested in lives.js. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { IncrementalWheel } from '../../queues/incremental-wheel.js'
import { createRandom } from '../../harness/model/random.js'
import { advanceTo, drain, start } from './fired.js'

/** Slot of level 1 in milliseconds, and the timers that move in a step. */
const WIDTH = 256
const STEP = 256
const BLOCK_ENTRIES = 15
/** Three are allowed for so many timers, and blocks that are not full. */
const MOST_ENTRIES_PER_TIMER = 5

test('a crowd is moved in steps of 256, spread over the slot before', () => {
  const queue = new IncrementalWheel()
  const deadlines = Array.from({ length: 10 * STEP }, (_, i) => 10 * WIDTH + Math.floor(i / 10))
  for (const deadline of deadlines) start(queue, deadline)
  const wakeUps = []
  for (let next = queue.nextExpiry(); next < 10 * WIDTH; next = queue.nextExpiry()) {
    wakeUps.push(next)
    assert.deepEqual(advanceTo(queue, next), [])
  }
  assert.deepEqual(
    wakeUps,
    Array.from({ length: 10 }, (_, i) => 9 * WIDTH + i * Math.floor(WIDTH / 10))
  )
  assert.deepEqual(
    drain(queue).map(({ at }) => at),
    deadlines
  )
})

test('more timers than there are steps of 256 leave their slot before it opens', () => {
  const queue = new IncrementalWheel()
  for (let i = 0; i < 2 * STEP * WIDTH; i++) start(queue, 10 * WIDTH)
  let wakeUps = 0
  for (; queue.size > 0; wakeUps++) queue.advance(queue.nextExpiry(), () => {})
  assert.ok(wakeUps <= WIDTH + 1, `${wakeUps} wake-ups`)
})

/** Crowds due at 100 ms; the number that stays, how a timer leaves, and the most blocks left. */
for (const [title, stays, leave, most] of /** @type {[string, number, 'cancel' | 'reschedule', number][]} */ ([
  ['that moves on', 0, 'reschedule', 7],
  ['that is cancelled', 0, 'cancel', 7],
  ['that moves on, but for a tenth', 2000, 'reschedule', (2 * 2000 + 105) / BLOCK_ENTRIES]
])) {
  test(`a crowd ${title}, leaves few entries in its slot`, () => {
    const queue = new IncrementalWheel()
    const timers = Array.from({ length: 20_000 }, (_, index) => start(queue, 100, index))
    for (const [index, timer] of timers.entries()) {
      if (stays === 0 || index % (timers.length / stays) !== 0) queue[leave](timer, 5000)
    }
    assert.ok(queue.heights[100] <= most, `${queue.heights[100]} blocks`)
    assert.equal(advanceTo(queue, 4999).length, stays)
    assert.equal(advanceTo(queue, 5000).length, leave === 'cancel' ? 0 : timers.length - stays)
  })
}

test('a timer that has come back to its slot leaves it with one entry', () => {
  const queue = new IncrementalWheel()
  const timers = Array.from({ length: 10 }, () => start(queue, 100_000))
  for (let now = 0; now < 50_000; now += 10_000) {
    queue.advance(now, assert.fail)
    for (const timer of timers) queue.reschedule(timer, now + 100)
    for (const timer of timers) queue.reschedule(timer, 100_000)
  }
  assert.deepEqual(advanceTo(queue, 99_999), [])
  assert.equal(queue.heights[100_000 % (2 * WIDTH)], 1)
  assert.equal(advanceTo(queue, 100_000).length, timers.length)
})

for (const [where, shortest] of /** @type {[string, number][]} */ ([
  ['within hours', 2 ** 10],
  ['within thousands of years', 2 ** 32]
])) {
  test(`timers that move earlier again and again ${where} leave few entries behind`, () => {
    const queue = new IncrementalWheel()
    const random = createRandom(1)
    const timers = Array.from({ length: 5000 }, (_, index) => queue.createTimer(index))
    for (let now = 0; now < 10_000; now += 500) {
      queue.advance(now, () => {})
      for (let power = 12; power >= 0; power--) {
        for (const timer of timers) queue.reschedule(timer, now + 500 + shortest * 2 ** power - random(500))
      }
    }
    assert.ok(queue.blocks * BLOCK_ENTRIES < MOST_ENTRIES_PER_TIMER * timers.length, `${queue.blocks} blocks`)
  })
}
