/** Tries one sequence on a new queue, followed by the model, and writes the sequence as a test. */
import vm from 'node:vm'
import { codeOf } from './followed.js'
import { Follower, stop } from './follower.js'
import { Script, THROWN } from './script.js'
import { SELF, instantOf } from './sequences.js'

/**
 * @import { QueueMeta, TimerQueue } from '../../../queues/contract.js'
 * @import { Fault } from './follower.js'
 * @import { Followed } from './followed.js'
 * @import { Line } from './script.js'
 * @import { Action, Call, Sequence, SequenceStep, When } from './sequences.js'
 *
 * @typedef {object} QueueUnderTest
 * @property {new () => TimerQueue} Queue
 * @property {Pick<QueueMeta, 'order' | 'accuracy' | 'complexity'>} promises
 * @property {number} seed
 */

/** Wake-ups until a queue must be empty. In a wheel of many levels, a timer may need several. */
const WAKE_UPS = 1000
const WAKE_UPS_PER_TIMER = 20

/** Wake-ups that are written one by one. */
const WAKE_UPS_WRITTEN = 4

/** Timers made and released in a row. */
const CHURN = 200

/** Payloads that are easily taken for no payload or no timer. */
const ODD_PAYLOADS = [undefined, null, 0, '', false, NaN, -1]

/** Counter-examples mention how many timers were pending from here on, or how many starts came before the fault. */
const MANY_TIMERS = 200
const MANY_STARTS = 2000

const thrown = new Error(THROWN)

export class Trial {
  #queue
  #sequence
  #script
  #follower
  #firstLetter
  #clock = 0
  /**
   * Timers by the number that the steps use.
   *
   * @type {(Followed | undefined)[]}
   */
  #timers = []
  /**
   * Timers of long lives.
   *
   * @type {any[]}
   */
  #handles = []
  #made = 0
  /**
   * Code of every callback of a long life.
   *
   * @type {Function}
   */
  #inside = () => {}
  #threw = false
  #isDraining = false

  /**
   * @param {QueueUnderTest} queue
   * @param {Sequence} sequence
   * @param {Set<string>} known  Clauses known to be broken.
   * @param {{script?: Script, firstLetter?: string}} [names]  Script to continue, and name of the first timer.
   */
  constructor (queue, sequence, known, { script = new Script(), firstLetter = 'a' } = {}) {
    this.#queue = queue
    this.#sequence = sequence
    this.#script = script
    if (sequence.inside) {
      this.#script.inside = sequence.inside
      this.#inside = vm.compileFunction(sequence.inside, ['queue', 'timers', 'timer', 'i'])
    }
    this.#firstLetter = firstLetter
    this.#follower = new Follower(queue.promises, known)
  }

  /** @returns {Fault | null} the first that is not known yet */
  get fault () {
    return this.#follower.fault
  }

  get exercised () {
    return [...this.#follower.exercised]
  }

  /** Calls of the queue so far. */
  get calls () {
    return this.#follower.calls
  }

  /** Performs the sequence. A broken queue may never return from it: see watchdog.js. */
  perform () {
    this.open()
    for (const step of this.#sequence.steps) this.take(step)
    this.close()
  }

  /** Makes the queue. */
  open () {
    this.#judge(() => {
      this.#follower.queue = new this.#queue.Queue()
    })
  }

  /** @param {SequenceStep} step  Performed unless the queue has failed. */
  take (step) {
    this.#judge(() => {
      this.#take(step)
      if (this.#sequence.attentive) this.#askEverything()
    })
  }

  /** Empties the queue. */
  close () {
    this.#judge(() => {
      this.#follower.judgeState()
      this.#drain()
      this.#follower.judgeState()
    })
  }

  /** Stops all timers, so that a queue that shares its state leaves none to later queues. */
  abandon () {
    for (const timer of this.#timers) {
      try {
        if (timer) this.#follower.queue.cancel(timer.handle)
      } catch {
        // The queue has failed already.
      }
    }
  }

  /** @param {() => void} operate */
  #judge (operate) {
    if (this.fault) return
    try {
      operate()
    } catch (error) {
      if (error !== stop) this.#follower.fail('throws-nothing', `${this.#script.lastCall} threw ${error}`)
    }
  }

  /**
   * Asking must change nothing. Where asking does, the question belongs to the counter-example.
   *
   * @param {string} [situation]
   */
  #askEverything (situation) {
    this.#script.write('queue.nextExpiry()')
    this.#follower.judgeState(situation)
  }

  /**
   * Notes that perform() did not return.
   *
   * @param {number} limitMs  CPU time of the sequence.
   */
  endless (limitMs) {
    const limit = `${Number((limitMs / 1000).toPrecision(2))} s of CPU time`
    this.#follower.fail('returns', `${this.#script.lastCall} did not return within ${limit}`)
  }

  /** @param {string} title */
  print (title) {
    const { fault, peak, starts } = this.#follower
    if (!fault) throw new Error('only a trial with a fault is printed')
    let scale = starts > MANY_STARTS ? `after ${starts} starts: ` : ''
    if (peak > MANY_TIMERS) scale = `with ${peak} timers pending: `
    return this.#script.print(title, scale + fault.message, this.#queue.Queue.name, fault)
  }

  /** @param {SequenceStep} step */
  #take (step) {
    const { kind, timer: number = 0, when, silent = false } = step
    const instant = when ? this.#instantOf(when, this.#timers[number]) : 0
    const later = Math.max(this.#clock, instant)
    switch (kind) {
      case 'repeat':
        return this.#repeat(step)
      case 'churn':
        return this.#churn()
      case 'drain':
        return this.#drain()
      case 'insert':
      case 'reschedule':
        return this.#start(this.#timer(number), instant, kind, silent)
      case 'cancel':
        return this.#call('cancel', this.#timer(number))
      case 'release':
        return this.#release(number, this.#timer(number))
      case 'wait':
        this.#clock = later
        return
      case 'advance':
        return this.#advance(later, this.#script.write(`queue.advance(${later}, expire)`))
    }
  }

  /**
   * Finds the timer of a step or an action, or makes it.
   *
   * @param {number} number
   */
  #timer (number) {
    const known = this.#timers[number]
    if (known) return known
    const name = timerName(this.#made, this.#firstLetter)
    const isOdd = this.#sequence.oddPayloads && this.#made < ODD_PAYLOADS.length
    const payload = isOdd ? ODD_PAYLOADS[this.#made] : name
    this.#made++
    this.#script.writeCreation(name, codeOf(payload))
    const timer = this.#follower.timerOf(this.#follower.createTimer(name, [payload]))
    this.#timers[number] = timer
    return timer
  }

  /**
   * @param {When} when
   * @param {Followed | undefined} self
   */
  #instantOf (when, self) {
    const timerOf = (/** @type {number} */ number) => (number === SELF ? self : this.#timers[number])
    return instantOf(when, this.#clock, number => timerOf(number)?.deadline ?? this.#clock)
  }

  /**
   * @param {Followed} timer
   * @param {number} deadline
   * @param {'insert' | 'reschedule'} operation  The call for an idle timer.
   * @param {boolean} [silent]
   */
  #start (timer, deadline, operation, silent = false) {
    const isKnown = silent || this.#clock === this.#follower.now
    this.#call(timer.pending ? 'reschedule' : operation, timer, deadline, ...(isKnown ? [] : [deadline - this.#clock]))
  }

  /**
   * @param {number} number
   * @param {Followed} timer
   */
  #release (number, timer) {
    if (timer.pending) this.#call('cancel', timer)
    this.#timers[number] = undefined
    this.#call('releaseTimer', timer)
  }

  /**
   * Calls the queue, and writes the call down.
   *
   * @param {'insert' | 'reschedule' | 'cancel' | 'releaseTimer'} method
   * @param {Followed} timer
   * @param {number[]} times
   */
  #call (method, { name, handle }, ...times) {
    const code = `queue.${method}(${[name, ...times].join(', ')})`
    this.#script.write(code)
    const follower = /** @type {any} */ (this.#follower)
    if (this.#script.firing > 0) this.#blame(code, () => follower[method](handle, ...times))
    else follower[method](handle, ...times)
  }

  /** Timers that come and go. */
  #churn () {
    const follower = this.#follower
    this.#script.write(`for (let i = 0; i < ${CHURN}; i++) queue.releaseTimer(queue.createTimer(i))`)
    for (let i = 0; i < CHURN; i++) follower.releaseTimer(follower.createTimer('the timer', [i]))
  }

  /**
   * Performs a loop of a long life. The statement of the iteration that fails is written after the iterations before
   * it.
   *
   * @param {SequenceStep} step
   */
  #repeat ({ times, body = '' }) {
    const follower = this.#follower
    const handles = this.#handles
    const operate = vm.compileFunction(body, ['queue', 'timers', 'expire', 'i'])
    const count = times ?? handles.length
    let i = 0
    let callsBefore = 0
    this.#script.write(() => {
      if (i === count) return count > 0 ? [loopOf(times ?? 'timers.length', body)] : []
      const statements = body.split('; ').slice(0, Math.max(1, follower.calls - callsBefore))
      return [...(i > 0 ? [loopOf(i, body)] : []), ...statements.map(code => code.replace(/\bi\b/g, String(i)))]
    })
    for (; i < count; i++) {
      callsBefore = follower.calls
      operate(follower, handles, this.#expire, i)
    }
    this.#clock = Math.max(this.#clock, follower.now)
  }

  /**
   * @param {number} now
   * @param {Line} line  Code of this advance.
   */
  #advance (now, line) {
    this.#clock = Math.max(this.#clock, now)
    this.#threw = false
    try {
      this.#follower.advance(now, this.#expire)
    } finally {
      if (this.#threw) {
        const [code] = line.codes()
        line.codes = () => [`assert.throws(() => ${code}, /${THROWN}/)`]
      }
    }
  }

  /** Advances to nextExpiry() again and again, but never backwards: an overdue timer may ask for that. */
  #drain () {
    const follower = this.#follower
    const start = this.#clock
    const most = WAKE_UPS + WAKE_UPS_PER_TIMER * (follower.size + this.#sequence.actions.length)
    /** @type {number[]} */
    const times = []
    let isAsking = false
    const line = this.#script.write(() => [...codeOfDrain(times, start), ...(isAsking ? ['queue.nextExpiry()'] : [])])
    this.#isDraining = true
    while (follower.size > 0) {
      isAsking = true
      const next = follower.nextExpiry()
      isAsking = false
      if (times.length === most) {
        throw follower.fail(
          'drain',
          `timers are still pending after ${most} wake-ups: ${follower.size}, the next at ${next}`,
          'assert.equal(queue.size, 0)'
        )
      }
      const now = Math.max(this.#clock, next)
      times.push(now)
      this.#advance(now, line)
    }
    this.#isDraining = false
  }

  /** @param {any} handle */
  #expire = handle => {
    const follower = this.#follower
    const { actions, attentive, inside } = this.#sequence
    const { firings } = follower
    this.#script.firing = firings
    try {
      const fired = follower.timerOf(handle)
      if (inside) {
        this.#blame(inside, () => this.#inside(follower, this.#handles, handle, firings))
      } else if (attentive) {
        this.#blame('queue.nextExpiry()', () => this.#askEverything(` while ${fired.name} fires`))
      }
      if (actions[firings - 1]) this.#act(actions[firings - 1], fired)
    } finally {
      this.#script.firing = 0
    }
  }

  /**
   * Blames a call in a callback for its error, which would look like one of the callback's own.
   *
   * @param {string} code
   * @param {() => void} call
   */
  #blame (code, call) {
    try {
      call()
    } catch (error) {
      if (error === stop) throw error
      throw this.#follower.fail('throws-nothing', `${code} in a callback threw ${error}`)
    }
  }

  /**
   * @param {Action} action
   * @param {Followed} fired
   */
  #act ({ calls, throws }, fired) {
    for (const call of calls) this.#callInside(call, fired)
    if (throws && !this.#isDraining) {
      this.#threw = true
      this.#script.write(`throw new Error('${THROWN}')`)
      throw thrown
    }
  }

  /**
   * @param {Call} call
   * @param {Followed} fired
   */
  #callInside ({ kind, timer: number, when }, fired) {
    if (kind === 'ask') {
      this.#script.write('queue.nextExpiry()')
      this.#blame('queue.nextExpiry()', () => this.#follower.nextExpiry())
      return
    }
    const isSelf = number === SELF
    // An earlier call may have released it.
    if (isSelf && !this.#timers.includes(fired)) return
    const timer = isSelf ? fired : this.#timer(number)
    if (kind === 'restart') this.#start(timer, this.#instantOf(when, timer), isSelf ? 'insert' : 'reschedule')
    if (kind === 'start') this.#start(timer, this.#instantOf(when, timer), 'insert')
    if (kind === 'cancel') this.#call('cancel', timer)
    if (kind === 'release') this.#release(this.#timers.indexOf(timer), timer)
  }
}

/**
 * @param {number | string} end
 * @param {string} body
 */
function loopOf (end, body) {
  if (end === 1) return body.replace(/\bi\b/g, '0')
  return `for (let i = 0; i < ${end}; i++) ${body.includes('; ') ? `{ ${body} }` : body}`
}

/**
 * @param {number[]} times  Times of the wake-ups.
 * @param {number} start
 */
function codeOfDrain (times, start) {
  if (times.length <= WAKE_UPS_WRITTEN) {
    return times.flatMap(now => ['queue.nextExpiry()', `queue.advance(${now}, expire)`])
  }
  const wakeUp = 'queue.advance(now = Math.max(now, queue.nextExpiry()), expire)'
  return [`for (let i = 0, now = ${start}; i < ${times.length}; i++) ${wakeUp}`]
}

/**
 * a, b, ... z, a1, b1, ...
 *
 * @param {number} index
 * @param {string} firstLetter  a or A.
 */
function timerName (index, firstLetter) {
  const round = Math.floor(index / 26)
  return String.fromCharCode(firstLetter.charCodeAt(0) + (index % 26)) + (round || '')
}
