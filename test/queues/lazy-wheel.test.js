/** Lazy wheel: properties beyond the contract. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { createRandom } from '../../harness/model/random.js'
import { LazyWheel } from '../../queues/lazy-wheel.js'
import { advanceTo, drain, start } from './fired.js'

test('a slot of a higher level is spread over the lower ones before a callback can start an earlier timer', () => {
  const queue = new LazyWheel()
  advanceTo(queue, 1023)
  const restarted = start(queue, 1023, 'restarted')
  start(queue, 1024, 'waiting')
  const deadlines = [1024, 1026]
  /** @type {unknown[]} */
  const fired = []
  const expire = (/** @type {number} */ timer) => {
    fired.push(queue.payloadOf(timer))
    const deadline = timer === restarted ? deadlines.shift() : undefined
    if (deadline !== undefined) queue.insert(timer, deadline)
  }
  while (queue.size > 0) queue.advance(queue.nextExpiry(), expire)
  assert.deepEqual(fired.slice().sort(), ['restarted', 'restarted', 'restarted', 'waiting'])
  assert.equal(fired.at(-1), 'restarted')
})

test('an overdue timer started by a callback fires next, and delays no other timer of that millisecond', () => {
  // All three share a slot of level 1 until it opens.
  for (const deadlines of [
    [1024, 1024, 1030],
    [1030, 1024, 1024]
  ]) {
    const queue = new LazyWheel()
    advanceTo(queue, 1000)
    for (const deadline of deadlines) start(queue, deadline)
    /** @type {unknown[]} */
    const fired = []
    queue.advance(1024, timer => {
      fired.push(queue.payloadOf(timer))
      if (fired.length === 1) start(queue, 900)
    })
    assert.deepEqual(fired, [1024, 900, 1024])
    assert.deepEqual(drain(queue), [{ payload: 1030, at: 1030 }])
  }
})

test('timers that move earlier again and again leave at most a stale entry each, and a few a slot', () => {
  const queue = new LazyWheel()
  const timers = Array.from({ length: 2000 }, () => start(queue, 65_000))
  for (let deadline = 65_000; deadline > 0; deadline -= 256) {
    for (const timer of timers) queue.reschedule(timer, deadline)
  }
  assert.ok(queue.entries.length < 4 * 2000 + 256 * 32, `${queue.entries.length} elements`)
  assert.equal(queue.size, 2000)
  assert.equal(drain(queue).length, 2000)
})

test('timers that leave a slot and come back to it again and again leave few entries', () => {
  const queue = new LazyWheel()
  const timers = Array.from({ length: 30 }, () => start(queue, 100_000))
  for (let now = 0; now < 6000; now++) {
    const timer = timers[now % timers.length]
    queue.reschedule(timer, now + 1)
    queue.reschedule(timer, 100_000)
    assert.deepEqual(advanceTo(queue, now + 1), [])
  }
  assert.ok(queue.blocksEnd < 300, `${queue.blocksEnd} elements in blocks`)
  assert.equal(drain(queue).length, 30)
})

test('with its stale entries, a timer takes at most 24 bytes from 10 000 timers on', () => {
  for (const size of [10_000, 10_150, 10_300, 11_500, 12_300, 30_000]) {
    const random = createRandom(1)
    const duration = () => 1000 + random(119_000)
    const queue = new LazyWheel()
    const timers = Array.from({ length: size }, () => start(queue, duration()))
    for (let now = 1; now <= 20_000; now++) {
      queue.advance(now, timer => queue.insert(timer, now + duration()))
      for (let i = 0; i < 40; i++) queue.reschedule(timers[random(size)], now + duration())
    }
    const bytes = queue.fields.byteLength + queue.entries.byteLength + 8 * queue.payloads.length
    assert.ok(bytes <= 24 * size, `${bytes / size} bytes with ${size} timers`)
  }
})

test('stale entries are swept as early in a slot that has been used before', () => {
  const queue = new LazyWheel()
  const timers = Array.from({ length: 200 }, (_, index) => queue.createTimer(index))
  const blocks = Array.from({ length: 20 }, (_, revolution) => {
    const end = 65_536 * (revolution + 1)
    for (let earlier = 536; earlier < 65_536; earlier += 256) {
      for (const timer of timers) queue.reschedule(timer, end - earlier)
    }
    assert.equal(advanceTo(queue, end).length, 200)
    return queue.blocksEnd
  })
  assert.equal(blocks.at(-1), blocks[0])
})

test('whatever share of a slot is stale, the other timers fire', () => {
  for (const size of [1, 2, 17, 18, 19, 31, 32, 33, 49, 62, 63, 64]) {
    for (let left = 0; left <= size; left++) {
      const queue = new LazyWheel()
      const timers = Array.from({ length: size }, () => start(queue, 5000))
      for (const timer of timers.slice(0, left)) queue.reschedule(timer, 4000)
      assert.deepEqual(
        [advanceTo(queue, 4000).length, advanceTo(queue, 5000).length],
        [left, size - left],
        `${left} of ${size}`
      )
    }
  }
})

test('a stale entry is dropped when its slot opens, though its timer is pending elsewhere', () => {
  const queue = new LazyWheel()
  const timer = queue.createTimer('timer')
  for (let now = 0; now < 20_000; now += 20) {
    queue.reschedule(timer, now + 15)
    queue.reschedule(timer, now + 5)
    assert.deepEqual(advanceTo(queue, now + 5), ['timer'])
    queue.insert(timer, now + 40)
    assert.deepEqual(advanceTo(queue, now + 20), [])
  }
  assert.ok(queue.blocksEnd <= 64, `${queue.blocksEnd} elements in blocks`)
})

test('a timer that becomes overdue again and again leaves few stale entries', () => {
  for (const deadline of [3_600_000, 2 ** 33]) {
    const queue = new LazyWheel()
    advanceTo(queue, 1)
    const timer = queue.createTimer('timer')
    for (let i = 0; i < 1000; i++) {
      queue.reschedule(timer, deadline)
      queue.reschedule(timer, 0)
      assert.deepEqual(advanceTo(queue, 1), ['timer'])
    }
    assert.ok(queue.blocksEnd <= 64, `${queue.blocksEnd} elements in blocks`)
  }
})

test('timers years away leave no more stale entries than others when they move earlier', () => {
  const queue = new LazyWheel()
  const timers = Array.from({ length: 200 }, () => start(queue, 101 * 2 ** 30))
  for (let spans = 100; spans > 1; spans--) {
    for (const timer of timers) queue.reschedule(timer, spans * 2 ** 30)
  }
  assert.ok(queue.entries.length < 4 * 200 + 100 * 32, `${queue.entries.length} elements`)
})

test('what is swept out of a slot is stale, also when timers have several entries there', () => {
  const queue = new LazyWheel()
  const timers = Array.from({ length: 200 }, (_, index) => start(queue, 60_000, index))
  // One timer after the other leaves for an earlier slot and, when that opens, comes back.
  for (let round = 0; round < 20_000; round++) {
    const timer = timers[round % timers.length]
    queue.reschedule(timer, 2 * round + 2)
    queue.reschedule(timer, 60_000)
    assert.deepEqual(advanceTo(queue, 2 * round + 2), [])
  }
  assert.ok(queue.entries.length < 4096, `${queue.entries.length} elements`)
  assert.deepEqual(
    advanceTo(queue, 60_000).sort((a, b) => Number(a) - Number(b)),
    timers.map((_, index) => index)
  )
})

test('a timer whose slot opens in time keeps its entry, whether it is moved or cancelled and started again', () => {
  for (const now of [0, 2 ** 31]) {
    const queue = new LazyWheel()
    advanceTo(queue, now)
    for (const duration of [10, 5000, 100_000, 2 ** 33]) {
      const timer = start(queue, now + duration)
      const { blocksEnd } = queue
      for (let i = 0; i < 40; i++) {
        queue.reschedule(timer, now + duration + i)
        queue.cancel(timer)
        queue.insert(timer, now + duration)
        queue.reschedule(timer, now + duration)
      }
      assert.equal(queue.blocksEnd, blocksEnd, `${duration} ms after ${now}`)
    }
  }
})

test('timers that keep moving earlier get nearer slots, so that they move less often', () => {
  let links = 0
  class Counted extends LazyWheel {
    /**
     * @param {number} timer
     * @param {number} offset
     */
    link (timer, offset) {
      links++
      super.link(timer, offset)
    }
  }
  const queue = new Counted()
  const random = createRandom(1)
  const timers = Array.from({ length: 1000 }, () => start(queue, 120_000))
  const restartAll = (/** @type {number} */ ms, /** @type {() => number} */ duration) => {
    links = 0
    for (let now = queue.clock + 1, end = queue.clock + ms; now <= end; now++) {
      for (let i = 0; i < 4; i++) queue.reschedule(timers[random(1000)], now + duration())
      queue.advance(now, () => {})
    }
    return links
  }
  restartAll(20_000, () => 1000 + random(119_000))
  assert.ok(queue.reach < 10_000, `reach ${queue.reach}`)
  assert.ok(restartAll(20_000, () => 1000 + random(119_000)) < 6500, `${links} links for 80 000 restarts`)
  restartAll(20_000, () => 120_000)
  assert.ok(restartAll(20_000, () => 120_000) < 1500, `${links} links for 80 000 restarts of one duration`)
})
