/** Incremental wheel: properties beyond the contract. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { IncrementalWheel } from '../../queues/incremental-wheel.js'
import { createRandom } from '../../harness/model/random.js'
import { advanceTo, drain, start } from './fired.js'

/** Slot of level 1 in milliseconds, and the timers that move in a step. */
const WIDTH = 256
const STEP = 256

test('a crowd is moved in steps of 256, spread over the slot before', () => {
  const queue = new IncrementalWheel()
  const deadlines = Array.from({ length: 10 * STEP }, (_, i) => 10 * WIDTH + Math.floor(i / 10))
  for (const deadline of deadlines) start(queue, deadline)
  const wakeUps = []
  for (let next = queue.nextExpiry(); next < 10 * WIDTH; next = queue.nextExpiry()) {
    wakeUps.push(next)
    assert.deepEqual(advanceTo(queue, next), [])
  }
  assert.equal(wakeUps.length, 10)
  assert.equal(wakeUps[0], 9 * WIDTH)
  assert.ok(
    wakeUps.every((wakeUp, i) => i === 0 || wakeUp - wakeUps[i - 1] === Math.floor(WIDTH / 10)),
    String(wakeUps)
  )
  assert.deepEqual(
    drain(queue).map(({ at }) => at),
    deadlines
  )
})

test('more timers than there are steps of 256 leave their slot before it opens', () => {
  const queue = new IncrementalWheel()
  const crowd = 2 * STEP * WIDTH
  for (let i = 0; i < crowd; i++) start(queue, 10 * WIDTH)
  let wakeUps = 0
  for (; queue.size > 0; wakeUps++) queue.advance(queue.nextExpiry(), () => {})
  assert.ok(wakeUps <= WIDTH + 1, `${wakeUps} wake-ups`)
})

test('a crowd in level 0 that is moved or cancelled leaves few entries in its slot', () => {
  const crowd = 10_000
  const queue = new IncrementalWheel()
  const timers = Array.from({ length: crowd }, (_, index) => start(queue, 100, index))
  for (const timer of timers.slice(0, crowd / 2)) queue.reschedule(timer, 5000)
  for (const timer of timers.slice(crowd / 2)) queue.cancel(timer)
  assert.ok(queue.heights[100] < 8, `${queue.heights[100]} blocks`)
  assert.deepEqual(advanceTo(queue, 4999), [])
  assert.equal(advanceTo(queue, 5000).length, crowd / 2)
})

/** Three are allowed for so many timers, and blocks that are not full. */
const MOST_ENTRIES_PER_TIMER = 5
const BLOCK_ENTRIES = 15

for (const [where, from, shortest] of /** @type {[string, number, number][]} */ ([
  ['within hours', 0, 2 ** 10],
  ['across the end of a span', 2 ** 30 - 5000, 2 ** 10],
  ['within thousands of years', 0, 2 ** 32]
])) {
  test(`timers that move earlier again and again ${where} leave few entries behind, and fire on time`, () => {
    const queue = new IncrementalWheel()
    queue.advance(from, assert.fail)
    const random = createRandom(1)
    const timers = Array.from({ length: 5000 }, (_, index) => queue.createTimer(index))
    const deadlines = new Map()
    for (let now = from; now < from + 10_000; now += 500) {
      queue.advance(now, timer => deadlines.delete(timer))
      for (let power = 12; power >= 0; power--) {
        for (const timer of timers) {
          const deadline = now + 500 + shortest * 2 ** power - random(500)
          queue.reschedule(timer, deadline)
          deadlines.set(timer, deadline)
        }
      }
    }
    assert.ok(queue.blocks * BLOCK_ENTRIES < MOST_ENTRIES_PER_TIMER * timers.length, `${queue.blocks} blocks`)
    const fired = drain(queue, 100_000)
    assert.deepEqual(
      fired.map(({ payload, at }) => at - Number(deadlines.get(timers[Number(payload)]))),
      fired.map(() => 0)
    )
    assert.equal(fired.length, deadlines.size)
  })
}

/** @param {number} deadline  On level 1. */
const slotOf = deadline => 2 * WIDTH + (Math.floor(deadline / WIDTH) % (2 * WIDTH))

test('a sweep goes on where it has stopped, but not in a block that its slot has lost', () => {
  const queue = new IncrementalWheel()
  const slot = slotOf(100_000)
  for (let i = 0; i < 100; i++) start(queue, 100_000)
  queue.sweepSlot(slot, 50)
  assert.equal(advanceTo(queue, 100_000).length, 100)
  for (let i = 0; i < 100; i++) start(queue, 180_000)
  for (let i = 0; i < 100; i++) start(queue, 100_000 + 2 * WIDTH * WIDTH)
  queue.sweepSlot(slot, 100)
  assert.equal(advanceTo(queue, 180_000).length, 100)
  assert.equal(advanceTo(queue, 100_000 + 2 * WIDTH * WIDTH).length, 100)
})

test('a sweep does not look above the uppermost entry of a slot', () => {
  for (let looked = STEP - 20; looked < STEP + 20; looked++) {
    const queue = new IncrementalWheel()
    const [slot, opening] = [slotOf(100_000), Math.floor(100_000 / WIDTH) * WIDTH]
    for (let i = 0; i < STEP + 40; i++) start(queue, 100_000)
    queue.sweepSlot(slot, looked)
    assert.deepEqual(advanceTo(queue, opening - WIDTH), [])
    queue.sweepSlot(slot, 10)
    assert.equal(advanceTo(queue, 100_000).length, STEP + 40)
  }
})

test('a sweep keeps timers a whole turn away, whose slot is where the present one would be', () => {
  for (const [shift, now] of [
    [16, 2 ** 16 - WIDTH],
    [24, 2 ** 24 - WIDTH]
  ]) {
    const queue = new IncrementalWheel()
    queue.advance(now, assert.fail)
    const turn = shift === 16 ? 2 ** 25 : 2 ** 30
    start(queue, turn)
    for (let i = 0; i < 10; i++) queue.sweep(100)
    assert.deepEqual(drain(queue), [{ payload: turn, at: turn }])
  }
})

test('a sweep by a callback keeps the timers that are due in the same millisecond', () => {
  for (const deadline of [WIDTH, 2 * WIDTH, 3 * WIDTH + 1]) {
    const queue = new IncrementalWheel()
    for (let i = 0; i < 10; i++) start(queue, deadline)
    let fired = 0
    queue.advance(deadline, () => {
      fired++
      queue.sweep(20)
    })
    assert.equal(fired, 10)
  }
})

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

test('a timer that leaves a crowd and comes back fires once', () => {
  const queue = new IncrementalWheel()
  const timers = [200, 300].flatMap(deadline => Array.from({ length: 1000 }, () => start(queue, deadline)))
  for (let i = 0; i < 10; i++) {
    for (const timer of timers) queue.reschedule(timer, 200)
    for (const timer of timers) queue.reschedule(timer, 300)
  }
  assert.deepEqual(advanceTo(queue, 299), [])
  assert.equal(advanceTo(queue, 300).length, timers.length)
  assert.equal(queue.size, 0)
})

test('of a crowd that has moved on, an advance looks at no more entries than it fires timers, but for some', () => {
  const queue = new IncrementalWheel()
  const timers = Array.from({ length: 20_000 }, (_, index) => start(queue, 100, index))
  for (const [index, timer] of timers.entries()) {
    if (index % 10 !== 0) queue.reschedule(timer, 5000)
  }
  assert.ok(queue.heights[100] * BLOCK_ENTRIES < 2 * 2000 + 105, `${queue.heights[100]} blocks`)
  assert.equal(advanceTo(queue, 100).length, 2000)
})
