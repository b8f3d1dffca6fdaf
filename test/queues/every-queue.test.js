/** Every queue with crowds and at the edges of slots, levels and integers, judged as `check` judges. */
import { describe, test } from 'node:test'
import assert from 'node:assert/strict'
import { hasLinear } from '../../harness/conformance/complexity.js'
import { promisesOf } from '../../harness/conformance/subject/declaration.js'
import { Follower } from '../../harness/conformance/subject/follower.js'
import { createRandom } from '../../harness/model/random.js'
import { loadQueue } from '../../harness/subject/modules/load.js'
import { queues } from '../../queues/index.js'

const TIMERS = 2000
/**
 * Queues that look at all timers or slots are slow, and have no arrays that grow: they are tried at every fourth value.
 * The number of edges is odd, so each edge is among those.
 */
const LINEAR_STEP = 4
/** Queues of which every wake-up fires something. */
const PUNCTUAL = [
  'binary-heap',
  'quaternary-heap',
  'pairing-heap',
  'quick-heap',
  'skip-list',
  'calendar-queue',
  'ordered-map',
  'bounded-wheel'
]

/** @param {Awaited<ReturnType<typeof loadQueue>>} queue */
function createCrowd ({ Queue, meta }) {
  const follower = new Follower(promisesOf(meta), new Set())
  follower.queue = new Queue()
  /** @type {any[]} */
  const timers = []
  const timerOf = (/** @type {number} */ index) => (timers[index] ??= follower.createTimer(String(index)))
  /** @type {(index: number, deadline: number, duration?: number) => void} */
  const restart = (index, deadline, duration) => follower.reschedule(timerOf(index), deadline, duration)
  const cancel = (/** @type {number} */ index) => follower.cancel(timerOf(index))
  const advance = (/** @type {number} */ now) => {
    follower.advance(now, () => {})
    follower.nextExpiry()
  }
  const drain = () => {
    follower.judgeState()
    while (follower.size > 0) {
      const before = follower.firings
      follower.advance(Math.max(follower.now, follower.nextExpiry()), () => {})
      if (PUNCTUAL.includes(meta.name)) assert.ok(follower.firings > before, `nothing is due at ${follower.now}`)
    }
  }
  return { follower, meta, random: createRandom(1), restart, cancel, advance, drain }
}

/** @typedef {ReturnType<typeof createCrowd>} Crowd */

/** @type {(spread: number) => (crowd: Crowd) => void} */
const shuffled = spread => ({ random, restart, cancel, advance }) => {
  for (let now = 0; now < 2 * spread; now += spread / 10) {
    for (let i = 0; i < 600; i++) {
      restart(random(TIMERS), now + random(spread))
      if (i % 3 === 0) cancel(random(TIMERS))
    }
    advance(now)
  }
}

/** @type {(deadlineOf: (index: number) => number) => (crowd: Crowd) => void} */
const filled = deadlineOf => ({ random, restart, cancel, advance }) => {
  for (let began = 0; began < 9 * TIMERS; began += 3 * TIMERS) {
    advance(began)
    for (let index = 0; index < TIMERS; index++) restart(index, began + deadlineOf(index))
    for (let i = 0; i < TIMERS; i++) cancel(random(TIMERS))
    for (let i = 0; i < TIMERS / 50; i++) restart(random(TIMERS), began + 1 + random(TIMERS))
    advance(began + TIMERS / 2)
    // Node after node becomes empty, at one of the ends.
    for (let index = TIMERS - 1; index > 0.75 * TIMERS; index--) cancel(index)
  }
}

/** @type {Record<string, (crowd: Crowd) => void>} */
const crowds = {
  'timers of many deadlines, restarted and cancelled at random': shuffled(1_000_000),
  'timers of few deadlines, restarted and cancelled at random': shuffled(30),
  'deadlines that come ever later': filled(index => index),
  'deadlines that come ever earlier': filled(index => TIMERS - index),
  'deadlines that come from both ends to the middle': filled(index => (index % 2 === 0 ? index : 2 * TIMERS - index)),
  'timers of one duration that come and expire for long' ({ restart, advance }) {
    for (let now = 0; now < 3 * TIMERS; now++) {
      restart(now % TIMERS, now + 700)
      if (now % 50 === 0) advance(now)
    }
    // One out of order, after the start of a heap has moved.
    restart(0, 3 * TIMERS)
  },
  'a crowd of one deadline that is joined by others' ({ restart, advance }) {
    for (let index = 0; index < 100; index++) restart(index, 500)
    advance(100)
    for (const [index, deadline] of [450, 500, 460, 500, 600].entries()) restart(100 + index, deadline)
    advance(450)
  },
  'timers that move ever earlier, or come and go' ({ random, restart, cancel, advance }) {
    restart(TIMERS, 50)
    advance(0)
    for (let latest = 100_000; latest > 0; latest -= 5000) {
      // The earliest from here on, before entries left behind are swept.
      if (latest === 85_000) restart(TIMERS + 1, 10)
      for (let index = 0; index < 300; index++) {
        if (random(10) === 0) cancel(index)
        else restart(index, latest - random(5000))
      }
    }
  },
  ...Object.fromEntries(
    [30, 31, 32, 40].map(bits => [
      `timers that move or wait while a span of 2^${bits} ms ends`,
      ({ random, restart, advance }) => {
        for (let now = 2 ** bits - 2000; now < 2 ** bits + 2000; now += random(40)) {
          advance(now)
          for (let i = 0; i < 40; i++) restart(random(300), now + 1 + random(10 ** random(10)))
        }
      }
    ])
  )
}

const powers = [0, 1, 5, 8, 10, 14, 16, 24, 30, 31, 32, 33, 40, 48, 52]
/** Both sides of every power of two that a wheel uses as a width. */
const edges = [...new Set(powers.flatMap(bits => [2 ** bits - 1, 2 ** bits, 2 ** bits + 1]))]
const late = Number.MAX_SAFE_INTEGER - 2 ** 52 - 2

/**
 * Played at every value, each time with a new queue.
 *
 * @type {Record<string, [values: any[], play: (crowd: Crowd, value: any) => void]>}
 */
const plays = {
  ...Object.fromEntries(Object.entries(crowds).map(([title, play]) => [title, [[0], play]])),
  'timers that come and expire in order, when arrays are full': [
    [31, 32, 33, 62, 63, 64, 65],
    ({ restart, advance }, pending) => {
      for (let now = 0; now < 600; now++) {
        restart(now, now + pending)
        advance(now)
      }
    }
  ],
  'timers of which one moves earlier just after arrays were full': [
    [5, 18, 31].flatMap(pending => Array.from({ length: 100 }, (_, i) => [pending, 40 + i])),
    ({ restart, advance }, [pending, moved]) => {
      for (let now = 0; now < moved; now++) {
        restart(now, now + pending)
        advance(now)
      }
      restart(moved - 1, moved + 1)
      for (let now = moved; now <= moved + pending; now++) advance(now)
    }
  ],
  'a timer on either side of a boundary': [
    [0, ...edges, late].flatMap(from =>
      edges.filter(duration => Number.isSafeInteger(from + duration)).map(duration => [from, duration])
    ),
    ({ restart, advance }, [from, duration]) => {
      advance(from)
      restart(0, from + duration)
      if (duration > 0) advance(from + duration - 1)
      advance(from + duration)
    }
  ],
  'timers at every boundary': [
    [0, 255, 65_535, 2 ** 31 - 1, 2 ** 32 - 1, late],
    ({ restart, advance }, from) => {
      advance(from)
      for (const [index, edge] of edges.toReversed().entries()) restart(index, from + edge)
    }
  ],
  'one jump over all boundaries': [
    edges,
    ({ restart, advance }, jump) => {
      for (const [index, edge] of edges.entries()) restart(index, edge)
      advance(jump)
    }
  ],
  'a timer moved across any boundary, in either direction': [
    edges.flatMap(from => edges.map(to => [from, to])),
    ({ restart }, [from, to]) => {
      restart(0, from)
      restart(0, to)
    }
  ],
  'a timer cancelled and started again on either side of a boundary': [
    [100, 2 ** 30 - 2, 2 ** 32 - 2].flatMap(from => edges.map(to => [from, to])),
    ({ restart, cancel }, [from, to]) => {
      restart(0, from)
      cancel(0)
      restart(0, to)
    }
  ],
  'a cancelled timer among neighbours at a boundary': [
    edges,
    ({ restart, cancel }, deadline) => {
      for (const index of [0, 1, 2]) restart(index, deadline)
      for (const index of [1, 0, 2]) {
        cancel(index)
        cancel(index)
        restart(index, deadline)
      }
      cancel(1)
    }
  ],
  'overdue timers moved to other deadlines in the past': [
    [0, 2 ** 32],
    ({ restart, advance }, before) => {
      // Only an expiry tells some queues that time has passed.
      restart(1, before + 1000)
      advance(before + 1000)
      // The order left is neither that of the starts nor its reverse.
      for (const [index, deadline] of [100, 500, 700, 300, 900].entries()) restart(2 * index % 6, before + deadline)
    }
  ],
  'an overdue timer, and another one in whose slot it was a turn before': [
    [6, ...powers.slice(2)],
    ({ restart, advance }, bits) => {
      const now = 2 ** 53 - 2
      advance(now)
      restart(0, now + 1 - 2 ** bits, 2 ** bits - 1)
      restart(1, now + 1)
      advance(now)
    }
  ],
  'an advance to the deadline of an overdue timer': [
    [0, 2 ** 32],
    ({ follower, meta, restart, advance }, before) => {
      advance(before + 70_000)
      restart(0, before + 70_010)
      restart(1, before + 500)
      // It does not turn time back in an exact queue, though callers should not try.
      follower.advance(meta.accuracy === 'exact' ? follower.nextExpiry() : follower.now, () => {})
      restart(2, before + 70_005)
      advance(before + 70_007)
    }
  ],
  'an overdue timer moved to a deadline with the same lower bits': [
    [2 ** 30, 2 ** 32],
    ({ restart, advance }, revolution) => {
      advance(revolution + 10)
      restart(0, 300)
      restart(0, revolution + 300)
      restart(1, revolution + 20)
      advance(revolution + 15)
      advance(revolution + 200)
    }
  ]
}

for (const { name, url } of queues.filter(({ origin }) => origin === 'own')) {
  describe(name, () => {
    for (const [title, [values, play]] of Object.entries(plays)) {
      test(title, async () => {
        const queue = await loadQueue(url)
        const step = hasLinear(queue.meta.complexity) ? LINEAR_STEP : 1
        for (const value of values.filter((_, i) => i % step === 0)) {
          const crowd = createCrowd(queue)
          try {
            play(crowd, value)
            crowd.drain()
          } catch (error) {
            const { fault } = crowd.follower
            throw fault ? new Error(`${fault.clause} at ${value}: ${fault.message}`) : error
          }
        }
      })
    }
  })
}
