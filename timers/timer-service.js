/**
 * Drives one queue from the real clock, for many items such as sockets. The methods are those of Node's old timers:
 * enroll, unrefActive and unenroll.
 *
 * One native timer, unref'ed, wakes the queue. It is re-armed only when the next expiry gets earlier: refreshes, which
 * move expiries later, never touch it. The price is wake-ups at which nothing is due.
 *
 * Deadlines are whole milliseconds, rounded up, and compared with the clock rounded down: nothing fires early.
 */
/** @import { TimerQueue } from '../queues/contract.js' */

/** The longest delay of a native timer. */
const MAX_DELAY_MS = 2 ** 31 - 1
const wallMs = performance.now.bind(performance)

/** Properties of an item: its timer in the queue, and its duration. */
export const kTimer = Symbol('timerq.timer')
const kDuration = Symbol('timerq.duration')

/**
 * @typedef {object} Item
 * @property {any} [kTimer]
 * @property {() => void} _onTimeout  Called when the item's time is up.
 */

export class TimerService {
  #queue
  #clock
  #native = /** @type {NodeJS.Timeout | undefined} */ (undefined)
  #wakeAt = Infinity
  #advancing = false
  #wake = () => this.wake()

  /** @param {TimerQueue} queue @param {() => number} [clock]  Monotonic milliseconds, with or without fractions. */
  constructor (queue, clock = wallMs) {
    this.#queue = queue
    this.#clock = clock
  }

  /** Pending timers. */
  get pending () {
    return this.#queue.size
  }

  /** Gives the item a timer of this duration, and starts it. @param {any} item @param {number} duration  Milliseconds, at least 1. */
  enroll (item, duration) {
    item[kTimer] ??= this.#queue.createTimer(item)
    item[kDuration] = Math.ceil(duration)
    this.#start(item)
  }

  /** Restarts the item's timer with the duration it was enrolled with. The hot path. @param {any} item @returns {boolean} false: it is unenrolled */
  unrefActive (item) {
    if (item[kDuration] === 0) return false
    this.#start(item)
    return true
  }

  /** Stops the item's timer. Until the item is enrolled again, unrefActive does nothing for it. @param {any} item @returns {boolean} whether it was pending */
  unenroll (item) {
    item[kDuration] = 0
    return this.#queue.cancel(item[kTimer])
  }

  /** Stops the item's timer and gives it back to the queue. @param {any} item */
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

  /** @protected */
  wake () {
    const now = Math.floor(this.#clock())
    this.#advancing = true
    try {
      this.#queue.advance(now, this.#expire)
    } finally {
      // Also when a callback throws; the timers after it fire at the next wake-up.
      this.#advancing = false
      this.#arm(this.#queue.nextExpiry())
    }
  }

  #expire = (/** @type {any} */ timer) => this.expire(/** @type {Item} */ (this.#queue.payloadOf(timer)), this.#queue.deadlineOf(timer))

  /** @protected @param {Item} item @param {number} _deadline */
  expire (item, _deadline) {
    item._onTimeout()
  }
}
