/**
 * Sends every call to a queue and to the model, and judges all results and firings of the queue.
 *
 * A queue may choose the order of ties, or any order at all, and callbacks depend on that order. So the follower
 * predicts no firing, but judges each firing and each timer left behind. The model holds a timer until the last moment
 * at which the queue may fire it.
 */
import { ModelQueue } from '../../subject/trust/model-queue.js'
import { Followed, NONE, codeOf, judgeFiring, timesFired } from './followed.js'

/**
 * @import { QueueMeta, TimerQueue } from '../../../queues/contract.js'
 * @import { Firing } from './followed.js'
 *
 * @typedef {object} Fault
 * @property {string} clause
 * @property {string} message
 * @property {string} assertion  Code that fails at this point of a test; empty where the last call fails by itself.
 * @property {boolean} replaces  Whether the assertion takes the place of the last call.
 * @property {number} firing  Number of the firing in whose callback the fault shows, counted from 1; 0 outside
 *   callbacks.
 */

/** Deadlines from here on (4.7 hours) exercise the clause about far deadlines. */
const FAR = 2 ** 24

/** Thrown through the queue at the first fault: later calls would prove nothing. */
export const stop = new Error('the queue has broken a clause')

export class Follower {
  /** @type {Fault | null} */
  fault = null
  /**
   * Set before the first call; a constructor may never return.
   *
   * @type {TimerQueue}
   */
  queue = /** @type {any} */ (null)
  /**
   * Clauses whose subject was exercised, in that order: a fault that breaks no other clause counts against these.
   *
   * @type {Set<string>}
   */
  exercised = new Set()
  /** The `now` of the latest advance. */
  now = 0
  /** Numbers so far. */
  calls = 0
  starts = 0
  firings = 0
  /** Most timers pending at once. */
  peak = 0
  #promises
  #known
  #model = new ModelQueue()
  /**
   * Timers by handle.
   *
   * @type {Map<any, Followed>}
   */
  #timers = new Map()
  #advances = 0
  /** Number of the advance that is under way. */
  #advancing = NONE
  /** Number of the firing in whose callback the queue is, counted from 1; 0 outside callbacks. */
  #firing = 0
  /**
   * The latest firing of this advance, except of timers that were started in it.
   *
   * @type {Firing | null}
   */
  #last = null

  /**
   * @param {Pick<QueueMeta, 'order' | 'accuracy'>} promises
   * @param {Set<string>} known  Clauses known to be broken. Their faults are passed over where the queue can still be
   *   followed.
   */
  constructor (promises, known) {
    this.#promises = promises
    this.#known = known
  }

  get size () {
    return this.#model.size
  }

  /**
   * @param {any} handle
   * @returns {Followed}
   */
  timerOf (handle) {
    const timer = this.#timers.get(handle)
    if (!timer) throw this.fail('unknown-timer', 'the sequence uses a timer that it has not made')
    return timer
  }

  /**
   * @param {string} name  Name of the timer in code.
   * @param {[payload: unknown]} payloads  The name by default.
   */
  createTimer (name, [payload] = [name]) {
    this.calls++
    if (payload !== name) this.exercised.add('payload')
    const handle = this.queue.createTimer(payload)
    const other = this.#timers.get(handle)
    if (other) {
      throw this.fail(
        'create',
        `createTimer returned for ${name} the handle of ${other.name}, which is in use`,
        `assert.notEqual(${codeOfCreating(payload)}, ${other.name})`,
        true
      )
    }
    if (this.queue.isPending(handle)) {
      this.report(
        'create',
        `${name} is pending, but was never started`,
        `assert.equal(queue.isPending(${codeOfCreating(payload)}), false)`,
        true
      )
    }
    this.#timers.set(handle, new Followed(name, handle, this.#model.createTimer(null), payload))
    return handle
  }

  /** @param {any} handle  Handle of an idle timer. */
  releaseTimer (handle) {
    this.#enter()
    this.exercised.add('release')
    this.#timers.delete(handle)
    this.queue.releaseTimer(handle)
  }

  /**
   * @param {any} handle
   * @param {number} deadline
   * @param {number} [duration]  Milliseconds; default: counted from the latest advance.
   */
  insert (handle, deadline, duration) {
    this.#start('insert', handle, deadline, duration)
  }

  /**
   * @param {any} handle
   * @param {number} deadline
   * @param {number} [duration]
   */
  reschedule (handle, deadline, duration) {
    this.#start('reschedule', handle, deadline, duration)
  }

  /** @param {any} handle */
  cancel (handle) {
    this.#enter()
    const timer = this.timerOf(handle)
    const { name, pending } = timer
    this.#model.cancel(timer.model)
    timer.cancelled ||= pending
    timer.cancelledIn = this.#advancing
    const returned = this.queue.cancel(handle)
    if (returned === pending) return
    const message = `cancel(${name}) returned ${returned}, though ${name} was ${pending ? '' : 'not '}pending`
    this.report('cancel', message, `assert.equal(queue.cancel(${name}), ${pending})`, true)
  }

  /** @param {any} handle  Handle of a timer that was started. */
  deadlineOf (handle) {
    this.calls++
    const timer = this.timerOf(handle)
    this.#expect('deadlineOf', timer, timer.deadline)
    return timer.deadline
  }

  /** @returns {number} the next expiry of the queue, which is not too late */
  nextExpiry () {
    this.calls++
    const next = this.queue.nextExpiry()
    const limit = this.#model.nextExpiry()
    if (limit === Infinity) {
      if (next === Infinity) return next
      throw this.fail(
        'next-expiry',
        `nextExpiry is ${next}, though nothing is pending`,
        'assert.equal(queue.nextExpiry(), Infinity)'
      )
    }
    // The next expiry of an overdue timer may be the present.
    const latest = Math.max(limit, this.now)
    if (next <= latest) return next
    throw this.fail(
      'next-expiry',
      `nextExpiry is ${next}, though a timer must fire by ${limit}`,
      `assert.ok(queue.nextExpiry() <= ${latest})`
    )
  }

  /**
   * @param {number} now
   * @param {(handle: any) => void} expire  May throw; the error goes through the queue and ends here.
   */
  advance (now, expire) {
    this.calls++
    this.now = Math.max(this.now, now)
    this.#advancing = ++this.#advances
    this.#last = null
    let thrown
    let hasThrown = false
    let comesThrough = false
    try {
      this.queue.advance(now, handle => {
        this.#fire(handle)
        try {
          expire(handle)
        } catch (error) {
          thrown = error
          hasThrown = true
          if (error !== stop) this.exercised.add('throwing')
          throw error
        }
        this.#firing = 0
      })
    } catch (error) {
      if (!hasThrown || error !== thrown) throw error
      comesThrough = true
    } finally {
      this.#firing = 0
      this.#advancing = NONE
    }
    // The queue may have swallowed a fault.
    if (this.fault) throw stop
    if (!hasThrown) this.#judgeLeft()
    else if (!comesThrough) this.report('throwing', 'advance swallowed the error that expire threw', '')
  }

  /**
   * Compares the whole state of the queue with the model's.
   *
   * @param {string} [situation]
   */
  judgeState (situation = '') {
    this.#judgeSize('size', situation)
    for (const timer of this.#timers.values()) {
      this.#expect('isPending', timer, timer.pending, situation)
      this.#expect('payloadOf', timer, timer.payload, situation)
      if (timer.pending) this.#expect('deadlineOf', timer, timer.deadline, situation)
    }
    this.nextExpiry()
  }

  /**
   * @param {string} clause
   * @param {string} message
   * @param {string} [assertion]
   * @param {boolean} [replaces]
   * @returns {Error} to be thrown
   */
  fail (clause, message, assertion = '', replaces = false) {
    this.fault ??= { clause, message, assertion, replaces, firing: this.#firing }
    return stop
  }

  /**
   * Fails, unless the clause is known to be broken: the queue can still be followed.
   *
   * @param {string} clause
   * @param {string} message
   * @param {string} assertion
   * @param {boolean} [replaces]
   */
  report (clause, message, assertion, replaces) {
    if (!this.#known.has(clause)) throw this.fail(clause, message, assertion, replaces)
  }

  #enter () {
    this.calls++
    if (this.#advancing !== NONE) this.exercised.add('re-entrant')
  }

  /**
   * @param {'insert' | 'reschedule'} method
   * @param {any} handle
   * @param {number} deadline
   * @param {number | undefined} duration
   */
  #start (method, handle, deadline, duration) {
    this.#enter()
    if (deadline >= FAR) this.exercised.add('far-deadlines')
    const timer = this.timerOf(handle)
    const ms = Math.max(0, duration ?? deadline - this.now)
    const { accuracy } = this.#promises
    timer.moved = timer.pending
    timer.overdue = ms === 0
    timer.cancelled = false
    timer.deadline = deadline
    timer.started = ++this.starts
    timer.startedIn = this.#advancing
    this.#model.reschedule(timer.model, accuracy === 'exact' ? deadline : Math.floor(deadline + accuracy.relative * ms))
    this.peak = Math.max(this.peak, this.size)
    this.queue[method](handle, deadline, duration)
  }

  /** @param {any} handle */
  #fire (handle) {
    if (this.fault) throw stop
    this.#firing = ++this.firings
    const timer = this.#timers.get(handle)
    if (!timer) {
      throw this.fail(
        'once',
        'expire got a handle that is not in use',
        `assert.equal(fired.length, ${this.firings - 1})`
      )
    }
    const wrong = judgeFiring(timer, {
      now: this.now,
      advance: this.#advances,
      last: this.#last,
      order: this.#promises.order
    })
    if (wrong) {
      // Judged after the advance: in a good queue, this firing is that of another timer.
      this.#firing = 0
      throw this.fail(wrong.clause, wrong.message, wrong.assertion)
    }
    if (timer.startedIn !== this.#advances) {
      const { name, payload, deadline, started } = timer
      this.#last = { name, payload, deadline, started }
    }
    this.#model.cancel(timer.model)
    timer.firings++
    this.#judgeInside(timer)
  }

  /** @param {Followed} timer */
  #judgeInside (timer) {
    const { name, handle } = timer
    this.#expect('deadlineOf', timer, timer.deadline)
    this.#expect('payloadOf', timer, timer.payload)
    if (this.queue.isPending(handle)) {
      this.report('inside-expire', `${name} is pending while it fires`, `assert.equal(queue.isPending(${name}), false)`)
    }
    this.#judgeSize('inside-expire', ` while ${name} fires`)
  }

  /** @type {(clause: string, situation: string) => void} */
  #judgeSize (clause, situation) {
    const { size } = this
    if (this.queue.size === size) return
    const message = `size is ${this.queue.size} instead of ${size}${situation}`
    this.report(clause, message, `assert.equal(queue.size, ${size})`)
  }

  /** Judges the timers that an advance has left pending. */
  #judgeLeft () {
    /** @type {Followed[]} */
    const excused = []
    this.#model.advance(this.now, ({ payload }) => {
      const timer = /** @type {Followed} */ (payload)
      // A timer that a callback starts, overdue already, may wait for the next advance.
      if (timer.startedIn === this.#advances) {
        excused.push(timer)
        return
      }
      const { name, deadline, model, firings } = timer
      const overdue = timer.startedIn === NONE ? 'overdue' : 'due-again'
      const clause = timer.overdue ? overdue : timer.moved ? 'reschedule' : 'on-time'
      const latest = model.deadline === deadline ? '' : `, at the latest at ${model.deadline}`
      throw this.fail(
        clause,
        `${name} has not fired at ${this.now}, though it was due at ${deadline}${latest}`,
        timesFired(timer, firings + 1)
      )
    })
    for (const { model } of excused) this.#model.insert(model, model.deadline)
  }

  /**
   * @param {'isPending' | 'deadlineOf' | 'payloadOf'} method
   * @param {Followed} timer
   * @param {unknown} expected
   * @param {string} [situation]
   */
  #expect (method, { name, handle }, expected, situation = '') {
    const actual = this.queue[method](handle)
    if (Object.is(actual, expected)) return
    const code = codeOf(expected)
    this.report(
      'state',
      `${method}(${name}) is ${String(actual)} instead of ${code}${situation}`,
      `assert.equal(queue.${method}(${name}), ${code})`
    )
  }
}

/** @param {unknown} payload */
const codeOfCreating = payload => `queue.createTimer(${codeOf(payload)})`
