/**
 * Timers of Node's shape over one queue: when the queue has due timers, their callbacks run in Node's order.
 *
 * - Timers fire by deadline, and equal deadlines in the order in which they started. The queue promises only the first; a batch
 *   of due timers is sorted, which is quick for runs that are in order or reversed.
 * - process.nextTick and microtasks run between two callbacks.
 * - When a callback throws, the error is uncaught, as in Node; the rest of the batch runs later in the same turn of the event loop.
 * - One native timer wakes the queue. It keeps the process alive while a timer with a reference is pending.
 *
 * Deadlines are whole milliseconds, rounded up, and compared with the clock rounded down: nothing fires early. The clock
 * changes its millisecond when the clock of Node's own timers does, so a native timer wakes the queue in the right one.
 */
import { AsyncResource } from 'node:async_hooks'
import { LazyWheel } from '../queues/lazy-wheel.js'
/** @import { Timeout } from './timeout.js' */

/**
 * @typedef {object} TimersOptions
 * @property {boolean} [asyncContext]  Callbacks run in the async context of the call that made the timer, as in Node: true by default.
 * @property {() => number} [now]  Monotonic clock in milliseconds.
 * @property {Pick<typeof globalThis, 'setTimeout' | 'clearTimeout' | 'setImmediate'>} [native]  Node's functions, looked up at each call.
 *   By default, those of the global object.
 */

/** The longest delay of a native timer. */
const MAX_DELAY_MS = 2 ** 31 - 1
const offset = Number(process.hrtime.bigint() % 1_000_000_000n) / 1e6 - performance.now() % 1000
const wallMs = () => performance.now() + offset + 1000

/** Runs process.nextTick and microtasks, where the runtime lets a program do so. @type {(() => void) | undefined} */
const runTicks = /** @type {any} */ (process)._tickCallback

export class Scheduler {
  #queue = new LazyWheel()
  #now
  /** Timers made outside of any callback or request. */
  #context = new AsyncResource('timerq-timers')
  #wake = /** @type {NodeJS.Timeout | undefined} */ (undefined)
  #wakeAt = Infinity
  #starts = 0
  /** Pending timers that keep the process alive. */
  #references = 0
  /** Due timers in order, from `#next` on. @type {Timeout[]} */
  #due = []
  #next = 0
  #running = false

  /** @param {TimersOptions} options */
  constructor ({ asyncContext = true, now = wallMs, native = globalThis }) {
    this.asyncContext = asyncContext
    this.native = native
    this.#now = now
  }

  /** @type {Map<number, Timeout>} Timers whose number a program has asked for. */
  byId = new Map()
  lastId = 0

  /** The current millisecond, rounded up. */
  get start () {
    return Math.ceil(this.#now())
  }

  /** @type {(timeout: Timeout, start: number) => void} */
  insert (timeout, start) {
    const duration = timeout.duration
    const deadline = start + duration
    timeout._idleStart = start
    timeout.sequence = this.#starts = (this.#starts + 1) | 0
    timeout.isDue = false
    if (timeout.handle === -1) timeout.handle = this.#queue.createTimer(timeout)
    this.#queue.reschedule(timeout.handle, deadline)
    if (deadline < this.#wakeAt) this.#arm(deadline)
  }

  /** @param {Timeout} timeout */
  remove (timeout) {
    timeout.isDue = false
    if (timeout.handle === -1) return
    this.#queue.cancel(timeout.handle)
    this.#queue.releaseTimer(timeout.handle)
    timeout.handle = -1
  }

  /** @param {1 | -1} change */
  countReference (change) {
    this.#references += change
    if (change === 1 && this.#references === 1) this.#wake?.ref()
    else if (this.#references === 0) this.#wake?.unref()
  }

  /** @param {number} wakeAt */
  #arm (wakeAt) {
    // The end of the batch arms once for all timers that callbacks start.
    if (this.#running) return
    if (this.#wake !== undefined) this.native.clearTimeout(this.#wake)
    this.#wake = undefined
    this.#wakeAt = wakeAt
    if (wakeAt === Infinity) return
    const delay = Math.min(Math.max(1, Math.ceil(wakeAt - this.#now())), MAX_DELAY_MS)
    this.#wake = this.#context.runInAsyncScope(this.native.setTimeout, undefined, this.#run, delay)
    if (this.#references === 0) this.#wake.unref()
  }

  #run = () => {
    this.#running = true
    let later = true
    try {
      later = this.#runBatches()
    } finally {
      // Also when a callback has thrown.
      this.#running = false
      if (later) this.#context.runInAsyncScope(this.native.setImmediate, undefined, this.#run)
      else this.#arm(this.#queue.nextExpiry())
    }
  }

  /** @returns {boolean} whether the rest of the batch must run later */
  #runBatches () {
    for (let ran = false; this.#next < this.#due.length || this.#collect();) {
      const timeout = this.#due[this.#next]
      if (timeout.isDue) {
        if (ran && runTicks === undefined) return true
        // A tick may clear this timer.
        if (ran) runTicks?.()
        ran = true
      }
      this.#next++
      if (timeout.isDue) {
        timeout.isDue = false
        timeout.fire()
      }
    }
    return false
  }

  /** Takes the next batch from the queue. */
  #collect () {
    this.#due = []
    this.#next = 0
    this.#queue.advance(Math.floor(this.#now()), this.#take)
    if (this.#due.length > 1) this.#due.sort(inOrder)
    return this.#due.length > 0
  }

  #take = (/** @type {number} */ handle) => {
    const timeout = /** @type {Timeout} */ (this.#queue.payloadOf(handle))
    timeout.isDue = true
    this.#due.push(timeout)
  }

  /** @param {Timeout} timeout */
  isPending (timeout) {
    return timeout.isDue || (timeout.handle !== -1 && this.#queue.isPending(timeout.handle))
  }
}

/** @type {(one: Timeout, other: Timeout) => number} */
function inOrder (one, other) {
  // Sequence numbers wrap around; their difference does not matter then.
  return one._idleStart + one.duration - other._idleStart - other.duration || (one.sequence - other.sequence) | 0
}
