/**
 * The life of a queue: n timers are created and started in an empty queue, a few are restarted, a few are replaced by
 * new ones, and in the end none is left. Every cycle has a new queue, so growing from nothing is timed, too.
 *
 * A timer's number, modulo 4, is its role: a lifetime of days (0); a timer whose callback cancels and releases that
 * lifetime (1); a timer whose callback restarts it once (2); a timer that only expires (3).
 */
import { VirtualService } from './virtual-service.js'

/** @import { Workload } from './contract.js' */

const RESTARTS = 1000
const REPLACEMENTS = 1000
const STARTS_PER_MS = 40
const DAY_MS = 86_400_000
const LONGEST_LIFETIME_DAYS = 60

/**
 * @param {any} given  The first cycle uses this queue.
 * @param {number} size
 * @param {(limit: number) => number} random
 * @returns {Workload}
 */
export function fillAndEmpty (given, size, random) {
  const Queue = given.constructor
  const outcome = { fired: 0, checksum: 0, spuriousWakeups: 0 }
  const longest = Math.max(1, Math.ceil(size / STARTS_PER_MS))
  const durations = Float64Array.from({ length: size }, (_, number) =>
    number % 4 === 0 ? DAY_MS * (1 + random(LONGEST_LIFETIME_DAYS)) + random(DAY_MS) : 1 + random(longest)
  )
  const drawn = Uint32Array.from({ length: RESTARTS + REPLACEMENTS }, () => random(size))
  const timers = new Array(size)
  const isRestarted = new Uint8Array(size)
  /** @type {any} */
  let queue = null
  let service = new VirtualService(given)

  function startAll () {
    queue = queue === null ? given : new Queue()
    isRestarted.fill(0)
    service = new VirtualService(queue, expire)
    for (let i = 0; i < size; i++) {
      timers[i] = queue.createTimer(i)
      service.start(timers[i], durations[i])
    }
  }

  /** @param {any} timer */
  function expire (timer) {
    const number = queue.payloadOf(timer)
    if (number % 4 === 2 && isRestarted[number] === 0) {
      isRestarted[number] = 1
      return service.start(timer, durations[number])
    }
    queue.releaseTimer(timer)
    if (number % 4 !== 1) return
    queue.cancel(timers[number - 1])
    queue.releaseTimer(timers[number - 1])
  }

  function moveSome () {
    for (let i = 0; i < RESTARTS; i++) service.restart(timers[drawn[i]], longest + durations[drawn[i]])
    for (let i = RESTARTS; i < drawn.length; i++) {
      const number = drawn[i]
      queue.cancel(timers[number])
      queue.releaseTimer(timers[number])
      timers[number] = queue.createTimer(number)
      service.start(timers[number], longest + durations[number])
    }
  }

  function expireAll () {
    service.drain()
    outcome.fired += service.fired
    outcome.checksum = (outcome.checksum + service.checksum) >>> 0
    outcome.spuriousWakeups += service.spuriousWakeups
  }

  return {
    outcome,
    phases: [
      { metric: 'startNsPerTimer', operations: size, run: startAll },
      { metric: 'moveNsPerTimer', operations: drawn.length, run: moveSome },
      { metric: 'expireNsPerTimer', operations: size, run: expireAll }
    ]
  }
}
