/**
 * Drives one queue from the real clock, for many items such as sockets. The methods are those of Node's old timers:
 * enroll, unrefActive and unenroll.
 *
 * One native timer, unref'ed, wakes the queue. It is re-armed only when the next expiry gets earlier: refreshes, which
 * move expiries later, never touch it. The price is wake-ups at which nothing is due; they are counted as spurious.
 *
 * Deadlines are whole milliseconds, rounded up, and compared with the clock rounded down: nothing fires early.
 */
import { createHistogram } from 'node:perf_hooks'
import { kTimer } from '../../../timers/socket-timers.js'
import { wallMs } from '../../processes/clock.js'
/** @import { TimerQueue } from '../../../queues/contract.js' */

/** The longest delay of a native timer. */
const MAX_DELAY_MS = 2 ** 31 - 1

/** Property of an item. */
const kDuration = Symbol('timerq.duration')

/**
 * @typedef {object} Item
 * @property {any} [kTimer]  Its timer in the queue.
 * @property {() => void} _onTimeout  Called when the item's time is up.
 */

export class TimerService {
  /** Timer operations by kind since the last reset. */
  counts = newCounts()
  /** Lateness of the expiries since the last reset, in microseconds, plus 1: a histogram accepts no 0. */
  lateness = createHistogram()
  pendingPeak = 0

  #queue
  #clock
  #native = /** @type {NodeJS.Timeout | undefined} */ (undefined)
  #wakeAt = Infinity
  #advancing = false

  /**
   * @param {TimerQueue} queue
   * @param {() => number} [clock]  Monotonic milliseconds, with or without fractions.
   */
  constructor (queue, clock = wallMs) {
    this.#queue = queue
    this.#clock = clock
  }

  /** Pending timers. */
  get pending () {
    return this.#queue.size
  }

  resetCounts () {
    this.counts = newCounts()
    this.lateness.reset()
    this.pendingPeak = this.#queue.size
  }

  /**
   * Gives the item a timer of this duration, and starts it.
   *
   * @param {any} item
   * @param {number} duration  Milliseconds, at least 1.
   */
  enroll (item, duration) {
    item[kTimer] ??= this.#queue.createTimer(item)
    item[kDuration] = Math.ceil(duration)
    this.counts.started++
    this.#start(item)
    if (this.#queue.size > this.pendingPeak) this.pendingPeak = this.#queue.size
  }

  /**
   * Restarts the item's timer with the duration it was enrolled with. The hot path.
   *
   * @param {any} item
   * @returns {boolean} false: it is unenrolled
   */
  unrefActive (item) {
    if (item[kDuration] === 0) return false
    this.counts.refreshed++
    this.#start(item)
    return true
  }

  /**
   * Stops the item's timer. Until the item is enrolled again, unrefActive does nothing for it.
   *
   * @param {any} item
   */
  unenroll (item) {
    item[kDuration] = 0
    if (this.#queue.cancel(item[kTimer])) this.counts.cancelled++
  }

  /**
   * Stops the item's timer and gives it back to the queue.
   *
   * @param {any} item
   */
  release (item) {
    this.unenroll(item)
    this.#queue.releaseTimer(item[kTimer])
    item[kTimer] = undefined
  }

  /** @param {any} item */
  #start (item) {
    const duration = item[kDuration]
    const deadline = Math.ceil(this.#clock()) + duration
    this.#queue.reschedule(item[kTimer], deadline, duration)
    if (deadline < this.#wakeAt) this.#arm(deadline)
  }

  /** @param {number} wakeAt */
  #arm (wakeAt) {
    // Callbacks start timers while the queue advances; the end of the advance arms once for all of them.
    if (this.#advancing) return
    clearTimeout(this.#native)
    this.#wakeAt = wakeAt
    if (wakeAt === Infinity) return
    const delay = Math.min(Math.max(1, Math.ceil(wakeAt - this.#clock())), MAX_DELAY_MS)
    this.#native = setTimeout(this.#wake, delay).unref()
  }

  #wake = () => {
    const now = Math.floor(this.#clock())
    const firedBefore = this.counts.fired
    this.#advancing = true
    try {
      this.#queue.advance(now, this.#expire)
    } finally {
      // Also when a callback throws; the timers after it fire at the next wake-up.
      this.#advancing = false
      if (this.counts.fired === firedBefore) this.counts.spuriousWakeups++
      this.#arm(this.#queue.nextExpiry())
    }
  }

  #expire = (/** @type {any} */ timer) => {
    this.counts.fired++
    this.lateness.record(1 + Math.max(0, Math.floor(1000 * (this.#clock() - this.#queue.deadlineOf(timer)))))
    const item = /** @type {Item} */ (this.#queue.payloadOf(timer))
    item._onTimeout()
  }
}

function newCounts () {
  return { started: 0, refreshed: 0, cancelled: 0, fired: 0, spuriousWakeups: 0 }
}
