/**
 * Workloads that show the growth of work: each operation in patterns that are easy for some structures and hard for
 * others.
 */
import { createRandom } from '../../model/random.js'

/**
 * @import { TimerQueue } from '../../../queues/contract.js'
 * @import { Random } from '../../model/random.js'
 *
 * @typedef {(i: number) => [deadline: number, duration: number]} Pattern  Start of the i-th timer.
 *
 * @typedef {object} Filled
 * @property {TimerQueue} queue
 * @property {any[]} pending  Pending timers in the order started.
 * @property {any[]} idle  Idle timers.
 * @property {Pattern} pattern
 * @property {Random} random
 *
 * @typedef {(operate: () => void) => void} CountWork
 *
 * @typedef {(filled: Filled, countWork: CountWork) => {calls: number, expired: number}} Run  Returns the number of
 *   counted calls, and of timers that expired in each.
 *
 * @typedef {(filled: Filled) => any[][]} Arguments  Arguments of each counted call.
 *
 * @typedef {object} Workload
 * @property {string} operation
 * @property {string} title
 * @property {string} pattern
 * @property {number} [usedUp]  Extra timers that expire before the end, so that the queue keeps its size.
 * @property {boolean} [collectsDebt]  The operation does work that others put off, which an amortised bound allows.
 * @property {boolean} [asksNext]  Calls nextExpiry in callbacks, which a queue may declare to be slow.
 * @property {Run} run
 */

const CALLS = 64
/** Calls that are counted one by one, which takes a millisecond each. */
const SINGLE_CALLS = 16
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
  'one duration': () => i => [DURATION_MS + Math.floor(i / STARTS_PER_MS), DURATION_MS],
  'one deadline': () => () => [DURATION_MS, DURATION_MS],
  'ever earlier': () => i => [HORIZON_MS - i, HORIZON_MS - i],
  'mixed durations': random => () => {
    const duration = 1 + random(HORIZON_MS)
    return [duration, duration]
  }
}

const eachCall = { calls: CALLS, expired: 0 }
const ignore = () => {}

/** @type {Arguments} */
const chosen = ({ pending, random }) => choose(pending, random).map(timer => [timer])

/** @type {Record<string, Arguments>} */
const inEveryPattern = {
  insert: ({ pending, idle, pattern }) => idle.map((timer, i) => [timer, ...pattern(pending.length + i)]),
  cancel: chosen,
  reschedule: ({ pending, pattern, random }) =>
    choose(pending, random).map((timer, i) => [timer, ...pattern(pending.length + i)])
}

/** @type {[operation: string, title: string, argumentsOf: Arguments][]} */
const onHandles = [
  ['createTimer', 'one more for each pending timer', ({ pending }) => pending.map((_, i) => [i])],
  ['releaseTimer', 'idle timers', ({ idle }) => idle.map(timer => [timer])],
  ['isPending', 'pending timers', chosen],
  ['deadlineOf', 'pending timers', chosen],
  ['payloadOf', 'pending timers', chosen]
]

/** @type {(operation: string, argumentsOf: Arguments) => Run} */
const callEach = (operation, argumentsOf) => (filled, countWork) => {
  const queue = /** @type {any} */ (filled.queue)
  const calls = argumentsOf(filled)
  countWork(() => calls.forEach(args => queue[operation](...args)))
  return { calls: calls.length, expired: 0 }
}

/** @type {Run} */
const askAfterCancel = ({ queue, pending }, countWork) => {
  for (const earliest of byDeadline(queue, pending).slice(0, SINGLE_CALLS)) {
    queue.cancel(earliest)
    countWork(() => queue.nextExpiry())
  }
  return { calls: SINGLE_CALLS, expired: 0 }
}

/** @type {(title: string, expireOf: (queue: TimerQueue) => () => void) => Workload} */
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
    countWork(() => deadlines.forEach(deadline => queue.advance(deadline, expire)))
    return { calls: CALLS, expired: 1 }
  }
})

/** @type {Workload[]} */
export const workloads = [
  ...onHandles.map(([operation, title, argumentsOf]) => ({
    operation,
    title,
    pattern: 'one duration',
    run: callEach(operation, argumentsOf)
  })),
  ...Object.keys(patterns).flatMap(pattern => [
    ...Object.entries(inEveryPattern).map(([operation, argumentsOf]) => ({
      operation,
      title: pattern,
      pattern,
      run: callEach(operation, argumentsOf)
    })),
    { operation: 'nextExpiry', title: pattern, pattern, run: askAfterCancel }
  ]),
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
    run (filled, countWork) {
      const { queue, pending } = filled
      queue.advance(DURATION_MS, ignore)
      for (const timer of pending) queue.insert(timer, DURATION_MS)
      return askAfterCancel(filled, countWork)
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
  const starts = pending.map((timer, i) => /** @type {const} */ ([timer, ...pattern(i)]))
  for (const start of starts) queue.insert(...start)
  for (let i = 0; i < SETTLING; i++) {
    const start = starts[random(starts.length)]
    if (i % SETTLED_BY === 0) queue.nextExpiry()
    queue.reschedule(...start)
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

/** @type {(queue: TimerQueue, timers: any[]) => any[]} */
const byDeadline = (queue, timers) => [...timers].sort((a, b) => queue.deadlineOf(a) - queue.deadlineOf(b))
