/**
 * Workloads that show the growth of work: each operation in patterns that are easy for some structures and hard for
 * others.
 */
import { createRandom } from '../../model/random.js'

/**
 * @import { TimerQueue } from '../../../queues/contract.js'
 * @import { Random } from '../../model/random.js'
 *
 * @typedef {(i: number) => {deadline: number, duration: number}} Pattern  Start of the i-th timer.
 *
 * @typedef {object} Filled
 * @property {TimerQueue} queue
 * @property {any[]} pending  In the order started.
 * @property {any[]} idle
 * @property {Pattern} pattern
 * @property {Random} random
 *
 * @typedef {object} Workload
 * @property {string} operation
 * @property {string} title
 * @property {string} pattern
 * @property {number} [usedUp]  Extra timers that expire before the end, so that the queue keeps its size.
 * @property {boolean} [collectsDebt]  The operation does work that others put off, which an amortised bound allows.
 * @property {boolean} [asksNext]  Calls nextExpiry in callbacks, which a queue may declare to be slow.
 * @property {(filled: Filled, countWork: (operate: () => void) => void) => {calls: number, expired: number}} run
 *   Returns the number of calls counted, and of timers that expired in each.
 */

const CALLS = 64
const SEED = 1
/**
 * Operations before the count: random timers restart at the same deadline, or the first timers expire. They settle the
 * debt of the insertions: a pairing heap defers work, and a splay tree filled in order is one long branch.
 */
const SETTLING = 128
/** Restarts per call of nextExpiry, which scans the whole queue in some designs. */
const SETTLED_BY = 16

/** The same for any number of timers, so that a wheel cascades equally often at every size. */
const HORIZON_MS = 131_072
const DURATION_MS = 60_000
const STARTS_PER_MS = 40

/** @type {Record<string, (random: Random) => Pattern>} */
const patterns = {
  'one duration': () => i => ({ deadline: DURATION_MS + Math.floor(i / STARTS_PER_MS), duration: DURATION_MS }),
  'one deadline': () => () => ({ deadline: DURATION_MS, duration: DURATION_MS }),
  'ever earlier': () => i => ({ deadline: HORIZON_MS - i, duration: HORIZON_MS - i }),
  'mixed durations': random => () => {
    const duration = 1 + random(HORIZON_MS)
    return { deadline: duration, duration }
  }
}

const eachCall = { calls: CALLS, expired: 0 }
const ignore = () => {}

/** @type {Record<string, Workload['run']>} */
const inEveryPattern = {
  insert ({ queue, pending, idle, pattern }, countWork) {
    const starts = idle.map((timer, i) => ({ timer, ...pattern(pending.length + i) }))
    countWork(() => {
      for (const { timer, deadline, duration } of starts) queue.insert(timer, deadline, duration)
    })
    return eachCall
  },

  cancel ({ queue, pending, random }, countWork) {
    const chosen = choose(pending, random)
    countWork(() => {
      for (const timer of chosen) queue.cancel(timer)
    })
    return eachCall
  },

  reschedule ({ queue, pending, pattern, random }, countWork) {
    const moves = choose(pending, random).map((timer, i) => ({ timer, ...pattern(pending.length + i) }))
    countWork(() => {
      for (const { timer, deadline, duration } of moves) queue.reschedule(timer, deadline, duration)
    })
    return eachCall
  },

  nextExpiry ({ queue, pending }, countWork) {
    for (const earliest of byDeadline(queue, pending).slice(0, CALLS)) {
      queue.cancel(earliest)
      countWork(() => queue.nextExpiry())
    }
    return eachCall
  }
}

/** @type {Workload[]} */
const onHandles = [
  {
    operation: 'createTimer',
    title: 'as many again',
    pattern: 'one duration',
    run ({ queue, pending }, countWork) {
      countWork(() => {
        for (let i = 0; i < pending.length; i++) queue.createTimer(i)
      })
      return { calls: pending.length, expired: 0 }
    }
  },
  {
    operation: 'releaseTimer',
    title: 'idle timers',
    pattern: 'one duration',
    run ({ queue, idle }, countWork) {
      countWork(() => {
        for (const timer of idle) queue.releaseTimer(timer)
      })
      return eachCall
    }
  },
  ...(/** @type {const} */ (['isPending', 'deadlineOf', 'payloadOf'])).map(operation => ({
    operation,
    title: 'pending timers',
    pattern: 'one duration',
    run: (/** @type {Filled} */ { queue, pending, random }, /** @type {(operate: () => void) => void} */ countWork) => {
      const chosen = choose(pending, random)
      countWork(() => {
        for (const timer of chosen) queue[operation](timer)
      })
      return eachCall
    }
  }))
]

/**
 * @param {string} title
 * @param {(queue: TimerQueue) => () => void} expireOf
 * @returns {Workload}
 */
const oneDueAtATime = (title, expireOf) => ({
  operation: 'advance',
  title,
  pattern: 'mixed durations',
  usedUp: SETTLING + CALLS,
  run ({ queue, pending }, countWork) {
    const expire = expireOf(queue)
    const deadlines = byDeadline(queue, pending)
      .slice(0, SETTLING + CALLS)
      .map(timer => queue.deadlineOf(timer))
    for (const deadline of deadlines.splice(0, SETTLING)) queue.advance(deadline, ignore)
    countWork(() => {
      for (const deadline of deadlines) queue.advance(deadline, expire)
    })
    return { calls: CALLS, expired: 1 }
  }
})

/** @type {Workload[]} */
export const workloads = [
  ...onHandles,
  ...Object.entries(inEveryPattern).flatMap(([operation, run]) =>
    Object.keys(patterns).map(pattern => ({ operation, title: pattern, pattern, run }))
  ),
  {
    operation: 'advance',
    title: 'nothing due',
    pattern: 'one duration',
    run ({ queue }, countWork) {
      countWork(() => {
        for (let now = 1; now <= CALLS; now++) queue.advance(now, ignore)
      })
      return eachCall
    }
  },
  {
    operation: 'nextExpiry',
    title: 'all overdue',
    pattern: 'one deadline',
    collectsDebt: true,
    run ({ queue, pending }, countWork) {
      queue.advance(DURATION_MS, ignore)
      for (const timer of pending) queue.insert(timer, DURATION_MS)
      for (const timer of pending.slice(0, CALLS)) {
        queue.cancel(timer)
        countWork(() => queue.nextExpiry())
      }
      return eachCall
    }
  },
  {
    operation: 'advance',
    title: 'nothing due, all refreshed',
    pattern: 'mixed durations',
    collectsDebt: true,
    run ({ queue, pending }, countWork) {
      const durations = pending.map(timer => HORIZON_MS + queue.deadlineOf(timer))
      for (const now of [0, HORIZON_MS]) {
        queue.advance(now, ignore)
        for (const [i, timer] of pending.entries()) queue.reschedule(timer, now + durations[i], durations[i])
      }
      countWork(() => queue.advance(2 * HORIZON_MS, ignore))
      return { calls: 1, expired: 0 }
    }
  },
  oneDueAtATime('one due at a time', () => ignore),
  {
    ...oneDueAtATime('one due at a time, whose callback asks for the next expiry', queue => () => queue.nextExpiry()),
    asksNext: true
  },
  {
    operation: 'advance',
    title: 'all due at once',
    pattern: 'mixed durations',
    run ({ queue, pending }, countWork) {
      countWork(() => queue.advance(HORIZON_MS, ignore))
      return { calls: 1, expired: pending.length }
    }
  }
]

/**
 * @param {new () => TimerQueue} Queue
 * @param {Workload} workload
 * @param {number} n  Timers pending.
 * @returns {Filled}
 */
export function fill (Queue, { pattern: name, usedUp = 0 }, n) {
  const queue = new Queue()
  const random = createRandom(SEED)
  const pattern = patterns[name](random)
  const create = (/** @type {number} */ length) => Array.from({ length }, (_, i) => queue.createTimer(i))
  const pending = create(n + usedUp)
  const starts = pending.map((timer, i) => ({ timer, ...pattern(i) }))
  for (const { timer, deadline, duration } of starts) queue.insert(timer, deadline, duration)
  for (let i = 0; i < SETTLING; i++) {
    const { timer, deadline, duration } = starts[random(starts.length)]
    if (i % SETTLED_BY === 0) queue.nextExpiry()
    queue.reschedule(timer, deadline, duration)
  }
  return { queue, pending, idle: create(CALLS), pattern, random }
}

/**
 * Chooses timers at an odd distance: among a power of two, all differ.
 *
 * @param {any[]} timers
 * @param {Random} random
 */
function choose (timers, random) {
  const first = random(timers.length)
  return Array.from({ length: CALLS }, (_, i) => timers[(first + i * 37) % timers.length])
}

/**
 * @param {TimerQueue} queue
 * @param {any[]} timers
 */
function byDeadline (queue, timers) {
  return [...timers].sort((a, b) => queue.deadlineOf(a) - queue.deadlineOf(b))
}
