/** Lazy wheel: bounds of its stale entries, of its memory and of its moves. Its behaviour is tested in lives.js. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { createRandom } from '../../harness/model/random.js'
import { LazyWheel } from '../../queues/lazy-wheel.js'
import { advanceTo, drain, start } from './fired.js'

/**
 * Loads that leave stale entries: number of timers, first deadline, most elements of the blocks, and the load.
 *
 * @type {Record<string, [timers: number, deadline: number, most: number, (queue: LazyWheel, timers: any[]) => void]>}
 */
const loads = {
  'timers move ever earlier': [
    2000,
    65_000,
    4 * 2000 + 256 * 32,
    (queue, timers) => {
      for (let deadline = 65_000; deadline > 0; deadline -= 256) {
        for (const timer of timers) queue.reschedule(timer, deadline)
      }
    }
  ],
  'timers years away move ever earlier': [
    200,
    101 * 2 ** 30,
    4 * 200 + 100 * 32,
    (queue, timers) => {
      for (let spans = 100; spans > 1; spans--) for (const timer of timers) queue.reschedule(timer, spans * 2 ** 30)
    }
  ],
  'one timer after the other leaves a slot and comes back': [
    30,
    100_000,
    300,
    (queue, timers) => {
      for (let now = 0; now < 6000; now++) {
        const timer = timers[now % timers.length]
        queue.reschedule(timer, now + 1)
        queue.reschedule(timer, 100_000)
        assert.deepEqual(advanceTo(queue, now + 1), [])
      }
    }
  ],
  ...Object.fromEntries(
    [3_600_000, 2 ** 33].map(deadline => [
      `a timer of ${deadline} ms becomes overdue again and again`,
      [
        1,
        deadline,
        64,
        (/** @type {LazyWheel} */ queue, /** @type {any[]} */ [timer]) => {
          for (let i = 0; i < 1000; i++) {
            queue.reschedule(timer, 0)
            assert.equal(advanceTo(queue, 1).length, 1)
            queue.reschedule(timer, deadline)
          }
        }
      ]
    ])
  )
}

for (const [title, [size, deadline, most, load]] of Object.entries(loads)) {
  test(`${title}: few entries are left behind, and every timer fires`, () => {
    const queue = new LazyWheel()
    const timers = Array.from({ length: size }, () => start(queue, deadline))
    load(queue, timers)
    assert.ok(queue.blocksEnd < most, `${queue.blocksEnd} elements in blocks`)
    assert.equal(drain(queue).length, size)
  })
}

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

test('the reach is shorter only where a shorter one spares early moves', () => {
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
  const linksOf = (/** @type {() => number[]} */ durations) => {
    links = 0
    for (let now = queue.clock + 1, end = queue.clock + 20_000; now <= end; now++) {
      for (let i = 0; i < 4; i++) {
        const timer = timers[random(1000)]
        for (const duration of durations()) queue.reschedule(timer, now + duration)
      }
      queue.advance(now, () => {})
    }
    return links
  }
  const settledLinksOf = (/** @type {() => number[]} */ durations) => linksOf(durations) && linksOf(durations)
  const mixed = settledLinksOf(() => [1000 + random(119_000)])
  assert.ok(queue.reach < 10_000 && mixed < 6500, `mixed: ${mixed} links for 80 000 restarts, reach ${queue.reach}`)
  const single = settledLinksOf(() => [120_000])
  assert.ok(single < 1500, `one duration: ${single} links for 80 000 restarts`)
  const sudden = settledLinksOf(() => [100, 120_000])
  assert.equal(queue.reach, 2 ** 30, `much earlier and back: ${sudden} links`)
})
