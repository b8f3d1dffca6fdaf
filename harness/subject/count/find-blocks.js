/**
 * Exercises a queue before its work is counted, so that the counter knows every block of its code.
 *
 * V8 reports a block apart from the code around it only after the two have run unequally often. Without the exercise, a
 * branch that one seed takes once in a million operations and another seed never takes adds a whole block to every
 * operation of the first. The exercise is the same for all scenarios, sizes and seeds: all of them count the same
 * blocks.
 */

/** @import { Random } from '../../model/random.js' */

const STEPS = 160
const TIMERS = 12
/** Durations lie at the edges of slots and levels: powers of two, and one less. Half of them are short. */
const BITS = [0, 1, 1, 2, 2, 3, 4, 5, 6, 8, 9, 12, 16, 24, 32, 40]
const LONGEST_MS = 2 ** 41
/** More timers than fit into a table made for a few. */
const CROWD = 1100
const CROWD_SPREAD_MS = 500

/**
 * @param {any} queue  Empty, and not used again.
 * @param {Random} random  Always of the same seed.
 * @param {() => void} takeBlocks  Called after every step: within one step, few branches run equally often.
 */
export function findBlocks (queue, random, takeBlocks) {
  const timers = Array.from({ length: TIMERS }, (_, index) => queue.createTimer(index))
  const duration = () => 2 ** BITS[random(BITS.length)] - random(2)
  let now = 0
  let fired = 0

  /** @param {number} ms */
  const start = (/** @type {any} */ timer, ms) => queue.insert(timer, now + ms, ms)
  const expire = (/** @type {any} */ timer) => {
    if (++fired % 3 === 0) start(timer, 1 + random(8))
  }
  /** @param {number} moment */
  const advanceTo = moment => {
    now = Math.max(now, moment)
    queue.advance(now, expire)
  }
  const passAll = () => {
    while (queue.size > 0) advanceTo(now + LONGEST_MS)
  }

  const operations = [
    () => advanceTo(now + duration()),
    () => {
      if (queue.size > 0) advanceTo(queue.nextExpiry())
    },
    () => queue.nextExpiry(),
    () => queue.cancel(timers[random(TIMERS)]),
    () => {
      const timer = timers[random(TIMERS)]
      queue.cancel(timer)
      start(timer, duration())
    },
    () => {
      const ms = duration()
      queue.reschedule(timers[random(TIMERS)], now + ms, ms)
    }
  ]
  for (let step = 0; step < STEPS; step++) {
    operations[random(operations.length)]()
    takeBlocks()
  }
  passAll()
  takeBlocks()

  for (let i = 0; i < CROWD; i++) start(queue.createTimer(i), 1 + random(CROWD_SPREAD_MS))
  takeBlocks()
  passAll()
  takeBlocks()
}
