/** Tries one program on a new queue, followed by the model, and writes the program as a test. */
import vm from 'node:vm'
import { Follower, stop, thrown } from './follower.js'
import { SELF, instantOf } from './programs.js'
import { THROWN } from './script.js'

/**
 * @import { QueueMeta, TimerQueue } from '../../../queues/contract.js'
 * @import { Followed } from './followed.js'
 * @import { Program, Step, When } from './programs.js'
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

/** Timers that come and go. */
const CHURN = 'queue.releaseTimer(queue.createTimer(i))'
const CHURNED = 200
/** Calls of a second queue. */
const BESIDE = [
  'other.reschedule(x, 5)',
  'other.reschedule(x, 40)',
  'other.cancel(x)',
  'other.advance(20, () => {})',
  'other.releaseTimer(other.createTimer(1))'
]

/** Kinds of steps that callbacks take. */
const INSIDE = ['insert', 'reschedule', 'cancel', 'release', 'ask', 'throw']

/** Payloads that are easily taken for no payload or no timer. */
const ODD_PAYLOADS = [undefined, null, 0, '', false, NaN, -1]

/** Counter-examples mention how many timers were pending from here on, or how many starts came before the fault. */
const MANY_TIMERS = 200
const MANY_STARTS = 2000

export class Trial {
  #queue
  #program
  #follower
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
   * A second queue, and its timer.
   *
   * @type {{queue: TimerQueue, timer: any} | null}
   */
  #other = null
  /**
   * Code of every callback of a long life.
   *
   * @type {Function | null}
   */
  #inside = null
  #isDraining = false

  /**
   * @param {QueueUnderTest} queue
   * @param {Program} program
   * @param {Set<string>} known  Clauses known to be broken.
   */
  constructor (queue, program, known) {
    this.#queue = queue
    this.#program = program
    this.#follower = new Follower(queue.promises, known)
    if (!program.inside) return
    this.#follower.script.inside = program.inside
    this.#inside = vm.compileFunction(program.inside, ['queue', 'timers', 'timer', 'i'])
  }

  /** The first fault that is not known yet. */
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

  /** Performs the program, and empties the queue. A broken queue may never return from it: see watchdog.js. */
  perform () {
    const follower = this.#follower
    try {
      follower.queue = new this.#queue.Queue()
      follower.writes = true
      for (const step of this.#program.steps) {
        if (step.at) continue
        this.#take(step)
        this.#askIfAttentive()
      }
      follower.judgeState()
      this.#drain()
      follower.judgeState()
      follower.nextExpiry()
    } catch (error) {
      if (error !== stop) follower.fail('throws-nothing', `${follower.script.lastCall} threw ${error}`)
      if (this.#other) this.#abandon(this.#other)
    }
  }

  /**
   * Stops all timers, so that a queue that shares its state leaves none to later queues.
   *
   * @param {{queue: TimerQueue, timer: any}} other
   */
  #abandon (other) {
    const { queue } = this.#follower
    const own = this.#timers.flatMap(timer => (timer ? [{ queue, timer: timer.handle }] : []))
    for (const { queue, timer } of [...own, other]) {
      try {
        queue.cancel(timer)
      } catch {
        // The queue has failed already.
      }
    }
  }

  /**
   * Notes that perform() did not return.
   *
   * @param {number} limitMs  CPU time of the program.
   */
  endless (limitMs) {
    const { script } = this.#follower
    script.firing = 0
    const limit = `${Number((limitMs / 1000).toPrecision(2))} s of CPU time`
    this.#follower.fail('returns', `${script.lastCall} did not return within ${limit}`)
  }

  /** @param {string} title */
  print (title) {
    const { fault, peak, starts, script } = this.#follower
    if (!fault) throw new Error('only a trial with a fault is printed')
    let scale = starts > MANY_STARTS ? `after ${starts} starts: ` : ''
    if (peak > MANY_TIMERS) scale = `with ${peak} timers pending: `
    return script.print(title, scale + fault.message, this.#queue.Queue.name)
  }

  /**
   * @param {Step} step
   * @param {Followed} [fired]  Timer in whose callback the step is taken.
   */
  #take (step, fired) {
    const { kind, timer: number = 0, when, silent = false } = step
    const follower = this.#follower
    const place = number === SELF ? this.#timers.findIndex(timer => timer && timer === fired) : number
    // An earlier step of the callback may have released the fired timer.
    if (place < 0 || (fired ? !INSIDE.includes(kind) : kind === 'throw')) return
    const instant = when ? this.#instantOf(when, place) : 0
    switch (kind) {
      case 'insert':
      case 'reschedule': {
        const { handle, pending } = this.#timer(place)
        const isKnown = silent || this.#clock === follower.now
        return follower[pending ? 'reschedule' : kind](handle, instant, ...(isKnown ? [] : [instant - this.#clock]))
      }
      case 'cancel':
        return follower.cancel(this.#timer(place).handle)
      case 'release':
        return this.#release(place)
      case 'ask':
        return follower.nextExpiry()
      case 'throw':
        if (this.#isDraining) return
        follower.script.write(`throw new Error('${THROWN}')`)
        throw thrown
      case 'wait':
        this.#clock = Math.max(this.#clock, instant)
        return
      case 'advance':
        return this.#advance(Math.max(this.#clock, instant))
      case 'drain':
        return this.#drain()
      case 'churn':
        return this.#repeat({ body: CHURN, times: CHURNED })
      case 'repeat':
        return this.#repeat(step)
      case 'beside':
        return this.#useOther(BESIDE[place % BESIDE.length])
    }
  }

  /**
   * @param {When} when
   * @param {number} place  Place of the step's timer.
   */
  #instantOf (when, place) {
    const timerOf = (/** @type {number} */ number) => this.#timers[number === SELF ? place : number]
    return instantOf(when, this.#clock, number => timerOf(number)?.deadline ?? this.#clock)
  }

  /**
   * Finds the timer of a step, or makes it.
   *
   * @param {number} place
   */
  #timer (place) {
    const known = this.#timers[place]
    if (known) return known
    const name = timerName(this.#made)
    const payload = this.#program.oddPayloads && this.#made < ODD_PAYLOADS.length ? ODD_PAYLOADS[this.#made] : name
    this.#made++
    const timer = this.#follower.timerOf(this.#follower.createTimer(name, [payload]))
    this.#timers[place] = timer
    return timer
  }

  /** @param {number} place */
  #release (place) {
    const { handle, pending } = this.#timer(place)
    if (pending) this.#follower.cancel(handle)
    this.#timers[place] = undefined
    this.#follower.releaseTimer(handle)
  }

  /** @param {string} code  Call of the second queue. */
  #useOther (code) {
    const { Queue } = this.#queue
    const { script } = this.#follower
    if (this.#other === null) {
      const queue = new Queue()
      this.#other = { queue, timer: queue.createTimer('x') }
      script.write(`const other = new ${Queue.name}()`)
      script.write("const x = other.createTimer('x')")
    }
    script.write(code)
    vm.compileFunction(code, ['other', 'x'])(this.#other.queue, this.#other.timer)
  }

  /**
   * Performs a loop of a long life. The statement of the iteration that fails is written after the iterations before
   * it.
   *
   * @param {Pick<Step, 'times' | 'body'>} step
   */
  #repeat ({ times, body = '' }) {
    const follower = this.#follower
    const handles = this.#handles
    const operate = vm.compileFunction(body, ['queue', 'timers', 'expire', 'i'])
    const count = times ?? handles.length
    let i = 0
    let callsBefore = 0
    follower.script.write(() => {
      if (i === count) return count > 0 ? [loopOf(times ?? 'timers.length', body)] : []
      const statements = body.split('; ').slice(0, Math.max(1, follower.calls - callsBefore))
      return [...(i > 0 ? [loopOf(i, body)] : []), ...statements.map(code => code.replace(/\bi\b/g, String(i)))]
    })
    follower.writes = false
    for (; i < count; i++) {
      callsBefore = follower.calls
      operate(follower, handles, this.#expire, i)
    }
    follower.writes = true
    this.#clock = Math.max(this.#clock, follower.now)
  }

  /** @param {number} now */
  #advance (now) {
    this.#clock = now
    this.#follower.advance(now, this.#expire)
  }

  /** Advances to nextExpiry() again and again, but never backwards: an overdue timer may ask for that. */
  #drain () {
    const follower = this.#follower
    const { lines } = follower.script
    const written = lines.length
    const start = this.#clock
    const most = WAKE_UPS + WAKE_UPS_PER_TIMER * (follower.size + this.#program.steps.length)
    this.#isDraining = true
    for (let wakeUps = 0; follower.size > 0; wakeUps++) {
      if (wakeUps > WAKE_UPS_WRITTEN) lines.splice(written, Infinity, codeOfDrain(start, wakeUps))
      const next = follower.nextExpiry()
      if (wakeUps === most) {
        throw follower.fail(
          'drain',
          `timers are still pending after ${most} wake-ups: ${follower.size}, the next at ${next}`,
          'assert.equal(queue.size, 0)'
        )
      }
      this.#advance(Math.max(this.#clock, next))
    }
    this.#isDraining = false
  }

  /** @param {any} handle */
  #expire = handle => {
    const follower = this.#follower
    const { firings } = follower
    const fired = follower.timerOf(handle)
    this.#inside?.(follower, this.#handles, handle, firings)
    this.#askIfAttentive(` while ${fired.name} fires`)
    for (const step of this.#program.steps) if (step.at === firings) this.#take(step, fired)
  }

  /**
   * Asking must change nothing. Where asking does, the question belongs to the counter-example.
   *
   * @param {string} [situation]
   */
  #askIfAttentive (situation) {
    if (!this.#program.attentive) return
    this.#follower.judgeState(situation)
    this.#follower.nextExpiry()
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
 * @param {number} start
 * @param {number} wakeUps
 */
const codeOfDrain = (start, wakeUps) =>
  `for (let i = 0, now = ${start}; i < ${wakeUps}; i++) ` +
  'queue.advance(now = Math.max(now, queue.nextExpiry()), expire)'

/**
 * a, b, ... z, a1, b1, ...
 *
 * @param {number} index
 */
const timerName = index => String.fromCharCode(97 + (index % 26)) + (Math.floor(index / 26) || '')
