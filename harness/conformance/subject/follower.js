/**
 * Sends every call to a queue and to the model, and judges all results and firings of the queue.
 *
 * A queue may choose the order of ties, or any order at all, and callbacks depend on that order. So the follower
 * predicts no firing, but judges each firing and each timer left behind. The model holds a timer until the last moment
 * at which the queue may fire it.
 */
import { ModelQueue } from '../../subject/trust/model-queue.js'
import { Followed, NONE, codeOf, judgeFiring, timesFired } from './followed.js'
import { Script, THROWN } from './script.js'

/**
 * @import { QueueMeta, TimerQueue } from '../../../queues/contract.js'
 * @import { Firing } from './followed.js'
 *
 * @typedef {{clause: string, message: string}} Fault
 */

/** Deadlines from here on (4.7 hours) exercise the clause about far deadlines. */
const FAR = 2 ** 24

/** Thrown through the queue at the first fault: later calls would prove nothing. */
export const stop = new Error('the queue has broken a clause')
/** Thrown through the queue on purpose. */
export const thrown = new Error(THROWN)

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
  script = new Script()
  /** Whether calls are written into the script. Assertions that fail always are. */
  writes = false
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
    if (this.writes) this.script.writeCreation(name, codeOf(payload))
    const handle = this.queue.createTimer(payload)
    const other = this.#timers.get(handle)
    const creating = `queue.createTimer(${codeOf(payload)})`
    if (other) {
      const message = `createTimer returned for ${name} the handle of ${other.name}, which is in use`
      throw this.fail('create', message, `assert.notEqual(${creating}, ${other.name})`, true)
    }
    if (this.queue.isPending(handle)) {
      const message = `${name} is pending, but was never started`
      this.report('create', message, `assert.equal(queue.isPending(${creating}), false)`, true)
    }
    this.#timers.set(handle, new Followed(name, handle, this.#model.createTimer(null), payload))
    return handle
  }

  /** @param {any} handle  Handle of an idle timer. */
  releaseTimer (handle) {
    this.#enter('releaseTimer', this.timerOf(handle))
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
    const timer = this.timerOf(handle)
    const { name, pending } = timer
    this.#enter('cancel', timer)
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
    if (this.writes) this.script.write('queue.nextExpiry()')
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
   * @param {(handle: any) => void} expire  May throw `thrown`, which goes through the queue and ends here.
   */
  advance (now, expire) {
    this.calls++
    this.now = Math.max(this.now, now)
    this.#advancing = ++this.#advances
    this.#last = null
    const { script } = this
    const { lines } = script
    const place = lines.length
    const code = `queue.advance(${now}, expire)`
    if (this.writes) lines.push(code)
    /** @type {unknown} */
    let passed = null
    let comesThrough = false
    try {
      this.queue.advance(now, handle => {
        this.#fire(handle)
        try {
          expire(handle)
        } catch (error) {
          const isOwn = error !== stop && error !== thrown
          passed = isOwn ? this.fail('throws-nothing', `${script.lastCall} in a callback threw ${error}`) : error
          if (error === thrown) this.exercised.add('throwing')
          throw passed
        }
        script.firing = 0
      })
    } catch (error) {
      if (error !== passed) throw error
      comesThrough = true
    } finally {
      script.firing = 0
      this.#advancing = NONE
    }
    // The queue may have swallowed a fault.
    if (this.fault) throw stop
    if (passed === null) return this.#judgeLeft()
    if (this.writes) lines[place] = `assert.throws(() => ${code}, /${THROWN}/)`
    if (!comesThrough) this.report('throwing', 'advance swallowed the error that expire threw', '')
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
  }

  /**
   * @param {string} clause
   * @param {string} message
   * @param {string} [assertion]  Code that fails; empty where the last call fails by itself.
   * @param {boolean} [replaces]  Whether the assertion takes the place of the last call.
   * @returns {Error} to be thrown
   */
  fail (clause, message, assertion = '', replaces = false) {
    if (this.fault) return stop
    this.fault = { clause, message }
    if (replaces) this.script.dropLast()
    if (assertion !== '') this.script.write(assertion)
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

  /**
   * Notes a call of the queue, except for those that only ask.
   *
   * @param {string} method
   * @param {Followed} timer
   * @param {number[]} times
   */
  #enter (method, { name }, ...times) {
    this.calls++
    if (this.#advancing !== NONE) this.exercised.add('re-entrant')
    if (this.writes) this.script.write(`queue.${method}(${[name, ...times].join(', ')})`)
  }

  /**
   * @param {'insert' | 'reschedule'} method
   * @param {any} handle
   * @param {number} deadline
   * @param {number | undefined} duration
   */
  #start (method, handle, deadline, duration) {
    const timer = this.timerOf(handle)
    this.#enter(method, timer, deadline, ...(duration === undefined ? [] : [duration]))
    if (deadline >= FAR) this.exercised.add('far-deadlines')
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
    this.script.firing = ++this.firings
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
      this.script.firing = 0
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
