/**
 * One sequence tried on one queue: performed step by step, judged by the ledger, and written down as code that repeats
 * it.
 */
import { Ledger } from './ledger.js'
import { Script, THROWN } from './script.js'
import { LAST_TIMER, SELF, instantOf, spreadOf } from './sequences.js'

/**
 * @typedef {import('../../queues/contract.js').TimerQueue} TimerQueue
 * @typedef {import('../../queues/contract.js').QueueMeta} QueueMeta
 * @typedef {import('./ledger.js').Entry} Entry
 * @typedef {import('./sequences.js').Sequence} Sequence
 *
 * @typedef {object} Fault
 * @property {string} clause  The clause that does not hold.
 * @property {string[]} after  Clauses about what the sequence did before: to blame when all is well without it.
 * @property {string} message
 * @property {string} assertion
 * @property {import('./script.js').Mark} mark
 */

/** In a wheel of many levels, one timer may need several wake-ups. */
const WAKE_UPS = 1000
const WAKE_UPS_A_TIMER = 20

/** Timers made and released in a row. */
const CHURN = 200

/** From so many on, counter-examples mention their number. */
const MANY_TIMERS = 200
const MANY_STARTS = 2000

/** Deadlines beyond this are far: the clock of a process that runs for 24 days. */
const FAR = 2 ** 31

const thrown = new Error(THROWN)
/** Thrown through the queue when it has fired wrongly: what follows would prove nothing. */
const stop = new Error('stop')

export class Trial {
  /** @type {Map<string, Fault>} The first of each clause. */
  #faults = new Map()
  #script = new Script()
  #Queue
  /** @type {TimerQueue} */
  #queue = /** @type {any} */ (null)
  #ledger
  #sequence

  #clock = 0
  /** The `now` of the latest advance. */
  #advancedTo = 0
  #firings = 0
  #draining = false
  /** Whether expire has thrown in this advance. */
  #threw = false
  /** Whether the queue has fired wrongly; it may swallow the error that says so. */
  #stopped = false
  /** @type {Set<string>} */
  #after = new Set()

  /** @type {(Entry | undefined)[]} By the number that the steps use. */
  #timers = []
  #named = 0
  #crowds = 0
  #crowdName = ''
  /** @type {(Entry | undefined)[]} The latest one. */
  #crowd = []

  /**
   * @param {new () => TimerQueue} Queue
   * @param {Pick<QueueMeta, 'order' | 'accuracy'>} declared
   * @param {Sequence} sequence
   */
  constructor (Queue, declared, sequence) {
    this.#Queue = Queue
    this.#ledger = new Ledger(declared)
    this.#sequence = sequence
  }

  get faults () {
    return [...this.#faults.values()]
  }

  /**
   * @param {Fault} fault
   * @param {string} title
   */
  print ({ message, assertion, mark }, title) {
    return this.#script.print({ title, remark: message, className: this.#Queue.name, mark, assertion })
  }

  /** May never return, so call it under a watchdog; if it does not return, call endless(). */
  perform () {
    try {
      this.#queue = new this.#Queue()
      for (const step of this.#sequence.steps) {
        this.#take(step)
        if (!this.#sequence.attentive) continue
        // Asking must change nothing. Where it does, the question belongs to the counter-example.
        this.#script.write('queue.nextExpiry()')
        this.#ask()
      }
      this.#ask()
      this.#drain()
      this.#ask()
    } catch (error) {
      if (error !== stop) this.#report('throws-nothing', `${this.#lastCall} threw ${error}`, '')
    }
  }

  get isEndless () {
    return this.#faults.has('returns')
  }

  endless () {
    this.#report('returns', `${this.#lastCall} does not return`, '')
  }

  get #lastCall () {
    return this.#script.lastLine || 'the constructor'
  }

  /** @param {import('./sequences.js').Step} step */
  #take ({ kind, timer = 0, when, silent = false, count = 0, spread = 'dense', every = 1, ms = 0 }) {
    const instant = when ? this.#instantOf(when, this.#timers[timer]) : 0
    const later = Math.max(this.#clock, instant)
    switch (kind) {
      case 'start': return this.#start(this.#timer(timer), instant, 'insert', silent)
      case 'reschedule': return this.#start(this.#timer(timer), instant, 'reschedule', silent)
      case 'cancel': return this.#cancel(this.#timer(timer))
      case 'release': return this.#release(this.#timer(timer))
      case 'crowd': return this.#startCrowd(count, spread)
      case 'moveCrowd': return this.#moveCrowd(every, spread)
      case 'thinCrowd': return this.#thinCrowd(every)
      case 'releaseCrowd': return this.#releaseCrowd()
      case 'rounds': return this.#goRound(count, ms)
      case 'reuse': return this.#reuse(count)
      case 'stride': return this.#stride(count, ms)
      case 'churn': return this.#churn()
      case 'wait': this.#clock = later; return
      case 'advance': return this.#advance(later, this.#script.write(`queue.advance(${later}, expire)`))
      case 'drain': return this.#drain()
    }
  }

  /**
   * @param {import('./sequences.js').When} when
   * @param {Entry} [self]
   */
  #instantOf (when, self) {
    const entryOf = (/** @type {number} */ number) => number === SELF ? self : this.#timers[number]
    return instantOf(when, this.#clock, number => entryOf(number)?.deadline ?? this.#clock)
  }

  /** @param {number} number */
  #timer (number) {
    const member = number > LAST_TIMER ? this.#crowd[number % this.#crowd.length] : undefined
    if (member) return member
    number %= LAST_TIMER + 1
    const known = this.#timers[number]
    if (known) return known
    const name = nameOf(this.#named++)
    this.#script.writeCreation(name)
    const entry = this.#create(name)
    this.#timers[number] = entry
    return entry
  }

  /** @param {string} name */
  #create (name) {
    const handle = this.#queue.createTimer(name)
    const other = this.#ledger.find(handle)
    if (other) {
      const message = `the handle of ${name} is the one of ${other.name}, which is in use`
      throw this.#stop('create', message, `assert.notEqual(${name}, ${other.name})`)
    }
    if (this.#queue.isPending(handle)) {
      const message = `${name} is pending and has never been started`
      this.#report('create', message, `assert.equal(queue.isPending(${name}), false)`)
    }
    return this.#ledger.add(name, handle)
  }

  /**
   * @param {Entry} entry
   * @param {number} deadline
   * @param {'insert' | 'reschedule'} operation  A pending timer is rescheduled, not inserted.
   * @param {boolean} [silent]
   */
  #start (entry, deadline, operation, silent = false) {
    const method = entry.pending ? 'reschedule' : operation
    // Whoever starts a timer knows its duration. A queue that is not given it counts from the latest advance.
    const isGiven = !silent && this.#clock !== this.#advancedTo
    const duration = deadline - (isGiven ? this.#clock : this.#advancedTo)
    const given = isGiven ? [duration] : []
    this.#script.write(`queue.${method}(${[entry.name, deadline, ...given].join(', ')})`)
    if (deadline >= FAR) this.#after.add('far-deadlines')
    this.#ledger.start(entry, deadline, this.#clock, duration)
    this.#queue[method](entry.handle, deadline, ...given)
  }

  /** @param {Entry} entry */
  #cancel (entry) {
    const { name, pending } = entry
    const line = this.#script.write(`queue.cancel(${name})`)
    this.#ledger.cancel(entry)
    const returned = this.#queue.cancel(entry.handle)
    if (returned === pending) return
    line.code = `assert.equal(queue.cancel(${name}), ${pending})`
    this.#report('cancel', `cancel(${name}) returned ${returned}, ${name} was ${pending ? '' : 'not '}pending`, '')
  }

  /** @param {Entry} entry */
  #release (entry) {
    if (entry.pending) this.#cancel(entry)
    this.#after.add('release')
    this.#script.write(`queue.releaseTimer(${entry.name})`)
    this.#ledger.remove(entry)
    for (const holders of [this.#timers, this.#crowd]) {
      const place = holders.indexOf(entry)
      if (place !== -1) holders[place] = undefined
    }
    this.#queue.releaseTimer(entry.handle)
  }

  /** Timers that come and go: small integers stay small only if they are reused. */
  #churn () {
    const line = this.#script.write(`for (let i = 0; i < ${CHURN}; i++) queue.releaseTimer(queue.createTimer(i))`)
    const handles = new Set()
    for (let i = 0; i < CHURN; i++) {
      const handle = this.#queue.createTimer(i)
      if (typeof handle === 'number') handles.add(handle)
      this.#queue.releaseTimer(handle)
    }
    if (handles.size < CHURN) return
    const body = '{ const timer = queue.createTimer(i); queue.releaseTimer(timer); return timer }'
    line.code = `const handles = Array.from({ length: ${CHURN} }, (_, i) => ${body})`
    const message = `${CHURN} timers, made and released one after the other, had ${CHURN} different handles: none was reused`
    this.#report('release', message, `assert.ok(new Set(handles).size < ${CHURN})`)
  }

  /**
   * @param {number} count
   * @param {import('./sequences.js').Spread} spread
   */
  #startCrowd (count, spread) {
    const name = `crowd${++this.#crowds}`
    const first = Math.min(this.#clock + 1, Number.MAX_SAFE_INTEGER - count)
    const { code, offsetOf } = spreadOf(spread, count)
    const creation = `queue.createTimer(\`${name}[\${i}]\`)`
    this.#crowdName = name
    this.#script.write(`const ${name} = Array.from({ length: ${count} }, (_, i) => ${creation})`)
    const entries = Array.from({ length: count }, (_, i) => this.#create(`${name}[${i}]`))
    this.#crowd = entries
    this.#repeat(count, `queue.insert(${name}[i], ${first} + ${code})`, i => {
      this.#startMember(i, 'insert', first + offsetOf(i))
    })
  }

  /**
   * Restarts one timer in so many of the crowd.
   *
   * @param {number} every
   * @param {import('./sequences.js').Spread} spread
   */
  #moveCrowd (every, spread) {
    const count = this.#crowd.length
    const first = this.#clock + 1
    const { code, offsetOf } = spreadOf(spread, count)
    const condition = every > 1 ? `if (i % ${every} === 0) ` : ''
    this.#repeat(count, `${condition}queue.reschedule(${this.#crowdName}[i], ${first} + ${code})`, i => {
      if (i % every === 0) this.#startMember(i, 'reschedule', first + offsetOf(i))
    })
  }

  /**
   * @param {number} index  In the crowd.
   * @param {'insert' | 'reschedule'} method
   * @param {number} deadline
   */
  #startMember (index, method, deadline) {
    const entry = /** @type {Entry} */ (this.#crowd[index])
    this.#ledger.start(entry, deadline, this.#clock, deadline - this.#advancedTo)
    this.#queue[method](entry.handle, deadline)
  }

  /**
   * Cancels all but one timer in so many of the crowd.
   *
   * @param {number} every
   */
  #thinCrowd (every) {
    const name = this.#crowdName
    this.#repeat(this.#crowd.length, `if (i % ${every} !== 0) queue.cancel(${name}[i])`, (i, line) => {
      if (i % every !== 0) this.#cancelMember(i, line)
    })
  }

  /**
   * @param {number} index  In the crowd.
   * @param {import('./script.js').Repetition} line
   */
  #cancelMember (index, line) {
    const entry = /** @type {Entry} */ (this.#crowd[index])
    const { name, pending } = entry
    this.#ledger.cancel(entry)
    const returned = this.#queue.cancel(entry.handle)
    if (returned === pending) return
    line.times = index
    const message = `cancel(${name}) returned ${returned}, ${name} was ${pending ? '' : 'not '}pending`
    throw this.#stop('cancel', message, `assert.equal(queue.cancel(${name}), ${pending})`)
  }

  /** Cancels and releases all timers of the crowd. */
  #releaseCrowd () {
    const name = this.#crowdName
    this.#after.add('release')
    this.#repeat(this.#crowd.length, `{ queue.cancel(${name}[i]); queue.releaseTimer(${name}[i]) }`, (i, line) => {
      const entry = /** @type {Entry} */ (this.#crowd[i])
      this.#cancelMember(i, line)
      this.#ledger.remove(entry)
      this.#queue.releaseTimer(entry.handle)
    })
    this.#crowd = []
  }

  /**
   * Restarts the whole crowd every two milliseconds.
   *
   * @param {number} count
   * @param {number} ahead  Milliseconds until the first of them are due.
   */
  #goRound (count, ahead) {
    const start = this.#clock
    const restart = `queue.reschedule(timer, ${start} + 2 * i + ${ahead} + j % 3)`
    const advance = `queue.advance(${start} + 2 * i + 2, expire)`
    this.#repeat(count, `{ ${this.#crowdName}.forEach((timer, j) => ${restart}); ${advance} }`, (i, line) => {
      for (let j = 0; j < this.#crowd.length; j++) this.#startMember(j, 'reschedule', start + 2 * i + ahead + j % 3)
      this.#advance(start + 2 * i + 2, line)
    })
  }

  /**
   * Timers that come, are started, cancelled and go, one after the other.
   *
   * @param {number} count
   */
  #reuse (count) {
    const first = this.#clock + 1
    this.#after.add('release')
    const life = `queue.insert(timer, ${first} + i % 64); queue.cancel(timer); queue.releaseTimer(timer)`
    this.#repeat(count, `{ const timer = queue.createTimer(i); ${life} }`, (i, line) => {
      const handle = this.#queue.createTimer(i)
      const other = this.#ledger.find(handle)
      if (other || this.#queue.isPending(handle)) {
        line.times = i
        const timer = `queue.createTimer(${i})`
        if (!other) throw this.#stop('create', `${timer} is pending`, `assert.equal(queue.isPending(${timer}), false)`)
        throw this.#stop('create', `${timer} is ${other.name}, which is in use`, `assert.notEqual(${timer}, ${other.name})`)
      }
      const entry = this.#ledger.add(`timer ${i}`, handle)
      this.#ledger.start(entry, first + i % 64, this.#clock, first + i % 64 - this.#advancedTo)
      this.#queue.insert(handle, entry.deadline)
      this.#ledger.cancel(entry)
      this.#queue.cancel(handle)
      this.#ledger.remove(entry)
      this.#queue.releaseTimer(handle)
    })
  }

  /**
   * @param {number} count  Advances.
   * @param {number} ms  Between two of them.
   */
  #stride (count, ms) {
    const start = this.#clock + ms
    this.#repeat(count, `{ queue.nextExpiry(); queue.advance(${start} + ${ms} * i, expire) }`, (i, line) => {
      line.times = i
      this.#askNextExpiry()
      line.times = i + 1
      this.#advance(start + ms * i, line)
    })
  }

  /**
   * The same operation many times over, as one line of code. Where it fails the code stops, too.
   *
   * @param {number} count
   * @param {string} code  In terms of i.
   * @param {(i: number, line: import('./script.js').Repetition) => void} operate
   */
  #repeat (count, code, operate) {
    const line = this.#script.writeRepetition(code)
    for (line.times = 1; line.times <= count; line.times++) operate(line.times - 1, line)
    line.times = count
  }

  /**
   * @param {number} now
   * @param {import('./script.js').Line} line
   */
  #advance (now, line) {
    this.#ledger.beginAdvance(now)
    this.#clock = Math.max(this.#clock, now)
    this.#advancedTo = now
    this.#threw = false
    let seen = false
    try {
      this.#queue.advance(now, this.#expire)
    } catch (error) {
      if (error !== thrown && error !== stop) throw error
      seen = error === thrown
    }
    if (this.#threw) line.code = `assert.throws(() => ${line.code}, /${THROWN}/)`
    if (this.#stopped) throw stop
    if (this.#threw) {
      if (!seen) this.#report('throwing', 'advance swallowed the error that expire threw', '')
      return this.#ledger.abandonAdvance()
    }
    const left = this.#ledger.endAdvance(now)
    if (left) throw this.#stop(left.clause, left.message, firedTimes(left.entry, left.entry.firings + 1))
  }

  /** Advances to nextExpiry() again and again; never backwards, even where an overdue timer asks for it. */
  #drain () {
    const start = this.#clock
    const most = WAKE_UPS + WAKE_UPS_A_TIMER * (this.#ledger.size + this.#sequence.actions.length)
    const line = this.#script.write('')
    let wakeUp = 'queue.advance(queue.nextExpiry(), expire)'
    let loop = 'let wakeUps = 0'
    this.#draining = true
    for (let wakeUps = 1; this.#ledger.size > 0; wakeUps++) {
      const next = this.#askNextExpiry()
      if (wakeUps > most) {
        const message = `${this.#ledger.size} still pending after ${most} wake-ups, the next is at ${next}`
        throw this.#stop('drain', message, 'assert.equal(queue.size, 0)')
      }
      if (next < this.#clock) {
        wakeUp = 'queue.advance(now = Math.max(now, queue.nextExpiry()), expire)'
        loop = `let wakeUps = 0, now = ${start}`
      }
      line.code = wakeUps === 1 && next >= start ? wakeUp : `for (${loop}; wakeUps < ${wakeUps}; wakeUps++) ${wakeUp}`
      this.#advance(Math.max(this.#clock, next), line)
    }
    this.#draining = false
  }

  /** @param {any} handle */
  #expire = handle => {
    const action = this.#sequence.actions[this.#firings++]
    const entry = this.#ledger.find(handle)
    if (!entry) {
      throw this.#stop('once', 'expire got a handle that is not in use', `assert.equal(fired.length, ${this.#firings - 1})`)
    }
    const fault = this.#ledger.fire(entry)
    if (fault) {
      const assertion = fault.before ? firedBefore(entry, fault.before) : firedTimes(entry, entry.firings - 1)
      throw this.#stop(fault.clause, fault.message, assertion)
    }
    this.#script.enterExpire()
    try {
      this.#askInside(entry)
      if (action) this.#act(action, entry)
    } finally {
      this.#script.leaveExpire()
    }
  }

  /**
   * @param {import('./sequences.js').Action} action
   * @param {Entry} fired
   */
  #act ({ kind, timer, when, throws }, fired) {
    if (kind !== 'none') {
      this.#after.add('re-entrant')
      const entry = timer === SELF ? fired : this.#timer(timer)
      const operation = entry === fired ? 'insert' : 'reschedule'
      if (kind === 'restart') this.#start(entry, this.#instantOf(when, entry), operation)
      if (kind === 'cancel') this.#cancel(entry)
      if (kind === 'release') this.#release(entry)
    }
    if (throws && !this.#draining) {
      this.#after.add('throwing')
      this.#threw = true
      this.#script.write(`throw new Error('${THROWN}')`)
      throw thrown
    }
  }

  /** @param {Entry} entry */
  #askInside ({ name, handle, deadline }) {
    // The lateness of an expiry is measured in its callback.
    this.#expect('deadlineOf', name, handle, deadline)
    this.#expect('payloadOf', name, handle, name)
    if (this.#queue.isPending(handle)) {
      const message = `${name} is pending while it fires`
      this.#report('inside-expire', message, `assert.equal(queue.isPending(${name}), false)`)
    }
    const { size } = this.#ledger
    if (this.#queue.size !== size) {
      const message = `size is ${this.#queue.size} while ${name} fires and ${size} others are pending`
      this.#report('inside-expire', message, `assert.equal(queue.size, ${size})`)
    }
  }

  /** Asks everything that can be asked. */
  #ask () {
    const { size } = this.#ledger
    if (this.#queue.size !== size) {
      this.#report('size', `size is ${this.#queue.size}, ${size} are pending`, `assert.equal(queue.size, ${size})`)
    }
    for (const entry of this.#ledger.entries) this.#askState(entry)
    this.#askNextExpiry()
  }

  /** @param {Entry} entry */
  #askState ({ name, handle, pending, deadline }) {
    this.#expect('isPending', name, handle, pending)
    this.#expect('payloadOf', name, handle, name)
    if (pending) this.#expect('deadlineOf', name, handle, deadline)
  }

  /**
   * @param {'isPending' | 'deadlineOf' | 'payloadOf'} method
   * @param {string} name
   * @param {any} handle
   * @param {unknown} expected
   */
  #expect (method, name, handle, expected) {
    const actual = this.#queue[method](handle)
    if (actual === expected) return
    const code = typeof expected === 'string' ? `'${expected}'` : String(expected)
    const message = `${method}(${name}) is ${String(actual)} instead of ${code}`
    this.#report('state', message, `assert.equal(queue.${method}(${name}), ${code})`)
  }

  #askNextExpiry () {
    const next = this.#queue.nextExpiry()
    const { earliestLimit } = this.#ledger
    // For an overdue timer it may be the present.
    const latest = earliestLimit === Infinity ? Infinity : Math.max(earliestLimit, this.#advancedTo)
    if (latest === Infinity ? next === Infinity : next <= latest) return next
    const [state, assertion] = latest === Infinity
      ? ['nothing is pending', 'assert.equal(queue.nextExpiry(), Infinity)']
      : [`a timer must fire by ${earliestLimit}`, `assert.ok(queue.nextExpiry() <= ${latest})`]
    throw this.#stop('next-expiry', `nextExpiry is ${next} while ${state}`, assertion)
  }

  /**
   * @param {string} clause
   * @param {string} message
   * @param {string} assertion
   */
  #report (clause, message, assertion) {
    if (this.#faults.has(clause)) return
    const mark = this.#script.mark()
    this.#faults.set(clause, { clause, after: [...this.#after], message: this.#scale + message, assertion, mark })
  }

  /** How many timers or starts the counter-example needs. */
  get #scale () {
    const { peak, starts } = this.#ledger
    if (peak > MANY_TIMERS) return `with ${peak} timers pending: `
    return starts > MANY_STARTS ? `after ${starts} starts: ` : ''
  }

  /**
   * @param {string} clause
   * @param {string} message
   * @param {string} assertion
   */
  #stop (clause, message, assertion) {
    this.#report(clause, message, assertion)
    this.#stopped = true
    return stop
  }
}

/**
 * a, b, ... z, a1, b1, ...
 *
 * @param {number} index
 */
function nameOf (index) {
  const round = Math.floor(index / 26)
  return String.fromCharCode(97 + index % 26) + (round || '')
}

/**
 * @param {Entry} entry
 * @param {number} times
 */
function firedTimes ({ name }, times) {
  if (times === 0) return `assert.ok(!fired.includes('${name}'))`
  return `assert.equal(fired.filter(name => name === '${name}').length, ${times})`
}

/**
 * @param {Entry} later
 * @param {string} earlier
 */
function firedBefore ({ name }, earlier) {
  return `assert.ok(fired.lastIndexOf('${name}') < fired.lastIndexOf('${earlier}'))`
}
