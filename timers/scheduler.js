/**
 * Timers of Node's shape over one queue: when the queue has due timers, their callbacks run in Node's order.
 *
 * - Timers fire by deadline, and equal deadlines in the order in which they started. The queue promises only the first.
 * - process.nextTick and microtasks run between two callbacks.
 * - When a callback throws, the error is uncaught, as in Node; the rest of the batch runs later in the same turn of the
 * event loop.
 * - One native timer wakes the queue. It keeps the process alive while a timer with a reference is pending.
 *
 * Deadlines are whole milliseconds, rounded up, and compared with the clock rounded down: nothing fires early. The
 * clock changes its millisecond when the clock of Node's own timers does, so a native timer wakes the queue in the
 * right one.
 */
import { AsyncResource } from 'node:async_hooks'
import { LazyWheel } from '../queues/lazy-wheel.js'
/** @import { Timeout } from './timeout.js' */

/**
 * @typedef {object} TimersOptions
 * @property {boolean} [asyncContext] Callbacks run in the async context of the call that made the timer, as in Node:
 *   true by default.
 * @property {() => number} [now]  Monotonic clock in milliseconds.
 * @property {Pick<typeof globalThis, 'setTimeout' | 'clearTimeout' | 'setImmediate'>} [native] Node's functions, looked
 *   up at each call. By default, those of the global object.
 */

/** The longest delay of a native timer. */
const MAX_DELAY_MS = 2 ** 31 - 1
/** Milliseconds, so that whole milliseconds change when those of Node change. */
const offset = 1000 + Number(process.hrtime.bigint() % 1_000_000_000n) / 1e6 - (performance.now() % 1000)
const sinceStart = performance.now.bind(performance)
const wallMs = () => sinceStart() + offset

/**
 * Runs process.nextTick and microtasks: only Node lets a program do so; Bun's function does nothing.
 *
 * @type {(() => void) | undefined}
 */
const runTicks = process.versions.bun ? undefined : /** @type {any} */ (process)._tickCallback

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
  /**
   * Due timers in order, from `#next` on.
   *
   * @type {Timeout[]}
   */
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
    // Fractions of a delay are cut, as in Node.
    const deadline = start + Math.floor(timeout._idleTimeout)
    timeout._idleStart = start
    timeout.deadline = deadline
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
    this.#wake = this.#outside(() => this.native.setTimeout(this.#run, delay))
    if (this.#references === 0) this.#wake.unref()
  }

  /**
   * Calls a function outside of any async context, and of the domain of a callback that throws.
   *
   * @template T
   * @param {() => T} start
   * @returns {T}
   */
  #outside (start) {
    const { domain } = /** @type {any} */ (process)
    if (domain) Object.assign(process, { domain: null })
    try {
      return this.#context.runInAsyncScope(start)
    } finally {
      if (domain) Object.assign(process, { domain })
    }
  }

  #run = () => {
    this.#running = true
    try {
      if (this.#next === this.#due.length) this.#collect()
      this.#runDue()
    } finally {
      this.#running = false
      // A callback has thrown, or ticks must run before the next one.
      if (this.#next < this.#due.length) this.#outside(() => this.native.setImmediate(this.#run))
      else this.#arm(this.#queue.nextExpiry())
    }
  }

  /** Takes the next batch from the queue. */
  #collect () {
    this.#due = []
    this.#next = 0
    this.#queue.advance(Math.floor(this.#now()), this.#take)
    sortEqualDeadlines(this.#due)
  }

  #runDue () {
    for (let ran = false; this.#next < this.#due.length;) {
      if (ran) {
        if (runTicks === undefined) return
        runTicks()
      }
      const timeout = this.#due[this.#next++]
      // An earlier callback or a tick may have stopped or restarted it.
      ran = timeout.isDue
      if (!ran) continue
      timeout.isDue = false
      timeout.fire()
    }
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

/**
 * Sorts each run of equal deadlines by the order of the starts. Most runs are in order or reversed: no sort is called.
 *
 * @param {Timeout[]} due
 */
function sortEqualDeadlines (due) {
  for (let from = 0, to; from < due.length; from = to) {
    const { deadline } = due[from]
    let rises = true
    let falls = true
    for (to = from + 1; to < due.length && due[to].deadline === deadline; to++) {
      if (startsBefore(due[to - 1], due[to])) falls = false
      else rises = false
    }
    if (rises) continue
    if (falls) {
      for (let low = from, high = to - 1; low < high; low++, high--) [due[low], due[high]] = [due[high], due[low]]
    } else {
      due
        .slice(from, to)
        .sort((one, other) => (startsBefore(one, other) ? -1 : 1))
        .forEach((timeout, index) => {
          due[from + index] = timeout
        })
    }
  }
}

/**
 * Sequence numbers wrap around.
 *
 * @type {(one: Timeout, other: Timeout) => boolean}
 */
function startsBefore (one, other) {
  return ((one.sequence - other.sequence) | 0) < 0
}
