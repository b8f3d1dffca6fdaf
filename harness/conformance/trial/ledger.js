/**
 * The reference that judges a queue: which timers are pending, and until when.
 *
 * A queue may choose the order of ties, and some queues any order at all; what a callback does depends on it. So the
 * ledger does not predict what fires. It follows the queue, and judges every firing and every timer left behind.
 *
 * @typedef {object} Entry
 * @property {string} name
 * @property {any} handle
 * @property {boolean} pending
 * @property {number} deadline  Of the last start.
 * @property {number} limit  When it must have fired: the deadline, or later where the queue declares that it may be late.
 * @property {number} started  Sequence number of the start; breaks ties.
 * @property {number} startedIn  The advance in whose callback it was started; NONE if in no callback.
 * @property {number} stoppedIn  The same for its last cancellation.
 * @property {boolean} cancelled
 * @property {boolean} moved  Restarted while it was pending.
 * @property {boolean} overdue  Already due when it was started.
 * @property {number} firings
 *
 * @typedef {object} Fault
 * @property {string} clause
 * @property {string} message
 * @property {string} [before]  The timer that fired before it and should not have.
 */

import { Limits } from './limits.js'

const NONE = -1

export class Ledger {
  /** Pending timers now, and the most at any time. */
  size = 0
  peak = 0
  /** Starts so far. */
  starts = 0
  /** @type {Map<any, Entry>} */
  #entries = new Map()
  #limits = new Limits()
  #declared
  #clock = 0
  #advance = 0
  #advancing = false
  /**
   * The last timer fired in this advance, leaving out timers started in it.
   *
   * @type {{deadline: number, started: number, name: string} | null}
   */
  #last = null

  /** @param {Pick<import('../../../queues/contract.js').QueueMeta, 'order' | 'accuracy'>} declared */
  constructor (declared) {
    this.#declared = declared
  }

  get entries () {
    return this.#entries.values()
  }

  /** The latest time at which the queue may be woken next. */
  get earliestLimit () {
    return this.#limits.first?.limit ?? Infinity
  }

  /** @param {any} handle */
  find (handle) {
    return this.#entries.get(handle)
  }

  /**
   * @param {string} name
   * @param {any} handle
   */
  add (name, handle) {
    /** @type {Entry} */
    const entry = {
      name,
      handle,
      pending: false,
      deadline: 0,
      limit: 0,
      started: 0,
      startedIn: NONE,
      stoppedIn: NONE,
      cancelled: false,
      moved: false,
      overdue: false,
      firings: 0
    }
    this.#entries.set(handle, entry)
    return entry
  }

  /** @param {Entry} entry */
  remove (entry) {
    this.#entries.delete(entry.handle)
  }

  /**
   * @param {Entry} entry
   * @param {number} deadline
   * @param {number} clock
   * @param {number} duration  As passed to the queue, or as the queue must assume.
   */
  start (entry, deadline, clock, duration) {
    const { accuracy } = this.#declared
    entry.moved = entry.pending
    if (!entry.pending) this.peak = Math.max(this.peak, ++this.size)
    entry.pending = true
    entry.cancelled = false
    entry.deadline = deadline
    entry.limit = accuracy === 'exact' ? deadline : deadline + accuracy.relative * Math.max(0, duration)
    entry.overdue = deadline <= clock
    entry.started = ++this.starts
    entry.startedIn = this.#advancing ? this.#advance : NONE
    this.#limits.add(entry)
  }

  /** @param {Entry} entry */
  cancel (entry) {
    if (entry.pending) {
      entry.cancelled = true
      entry.pending = false
      this.size--
    }
    entry.stoppedIn = this.#advancing ? this.#advance : NONE
  }

  /** @param {number} now */
  beginAdvance (now) {
    this.#clock = Math.max(this.#clock, now)
    this.#advance++
    this.#advancing = true
    this.#last = null
  }

  /**
   * @param {Entry} entry  What the queue has just fired.
   * @returns {Fault | null}
   */
  fire (entry) {
    const fault = this.#faultOfFiring(entry)
    const { deadline, started, name } = entry
    if (entry.startedIn !== this.#advance) this.#last = { deadline, started, name }
    if (entry.pending) this.size--
    entry.pending = false
    entry.firings++
    return fault
  }

  /**
   * @param {number} now
   * @returns {(Fault & {entry: Entry}) | null} a timer that had to fire in this advance and is still pending
   */
  endAdvance (now) {
    this.#advancing = false
    // A timer that was already overdue when a callback of this advance started it may wait for the next advance.
    const entry = this.#limits.findLate(now, ({ startedIn }) => startedIn === this.#advance)
    if (!entry) return null
    const clause = entry.overdue ? 'overdue' : entry.moved ? 'reschedule' : 'on-time'
    const lateUntil = entry.limit === entry.deadline ? '' : `, and may be late until ${entry.limit}`
    return { clause, entry, message: `${entry.name} was due at ${entry.deadline}${lateUntil}, and has not fired at ${now}` }
  }

  /** After expire has thrown, an advance may leave timers for the next one. */
  abandonAdvance () {
    this.#advancing = false
  }

  /**
   * @param {Entry} entry
   * @returns {Fault | null}
   */
  #faultOfFiring ({ name, pending, deadline, startedIn, stoppedIn, started, cancelled, moved, firings }) {
    if (!pending) {
      if (cancelled && stoppedIn === this.#advance) {
        return { clause: 'same-batch', message: `${name} fired though an earlier callback had cancelled it` }
      }
      if (cancelled) return { clause: 'cancel', message: `${name} fired though it had been cancelled` }
      return { clause: 'once', message: `${name} fired ${firings > 0 ? 'again ' : ''}without having been started` }
    }
    if (deadline > this.#clock) {
      const message = `${name} fired at ${this.#clock}, its deadline is ${deadline}`
      if (!moved) return { clause: 'never-early', message }
      return { clause: startedIn === this.#advance ? 'same-batch' : 'reschedule', message }
    }
    const last = this.#last
    if (last === null || this.#declared.order === 'none' || startedIn === this.#advance) return null
    const before = last.name
    if (deadline < last.deadline) {
      const message = `${name}, due at ${deadline}, fired after ${before}, due at ${last.deadline}`
      return { clause: 'order', before, message }
    }
    if (this.#declared.order === 'fifo' && deadline === last.deadline && started < last.started) {
      const message = `${name} fired after ${before}, due at ${deadline} too but started later`
      return { clause: 'order', before, message }
    }
    return null
  }
}
