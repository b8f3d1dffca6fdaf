/** Advances the queue, judges what fires, and does inside `expire` what the sequence says. */
import { SELF } from '../sequences.js'
import { stop } from './faults.js'
import { THROWN } from './script.js'

/**
 * @typedef {import('./ledger.js').Entry} Entry
 * @typedef {import('../sequences.js').Action} Action
 */

/** In a wheel of many levels, one timer may need several wake-ups. */
const WAKE_UPS = 1000
const WAKE_UPS_A_TIMER = 20

/** So many of the first firings ask for the next expiry: in some queues that is a search. */
const ATTENTIVE_FIRINGS = 20

const thrown = new Error(THROWN)

export class Advances {
  #firings = 0
  #draining = false
  /** Whether expire has thrown in this advance. */
  #threw = false
  #state
  #timers
  #questions
  #sequence

  /**
   * @param {import('./state.js').State} state
   * @param {import('./timers.js').Timers} timers
   * @param {import('./questions.js').Questions} questions
   * @param {import('../sequences.js').Sequence} sequence
   */
  constructor (state, timers, questions, sequence) {
    this.#state = state
    this.#timers = timers
    this.#questions = questions
    this.#sequence = sequence
  }

  /**
   * @param {number} now
   * @param {import('./script.js').Line} line  The code of this advance.
   */
  advance (now, line) {
    const { queue, ledger, faults, clock } = this.#state
    ledger.beginAdvance(now)
    this.#state.clock = Math.max(clock, now)
    this.#state.advancedTo = now
    this.#threw = false
    let seen = false
    try {
      queue.advance(now, this.#expire)
    } catch (error) {
      if (error !== thrown && error !== stop) throw error
      seen = error === thrown
    }
    if (this.#threw) line.code = `assert.throws(() => ${line.code}, /${THROWN}/)`
    if (faults.stopped) throw stop
    if (this.#threw) {
      if (!seen) faults.report('throwing', 'advance swallowed the error that expire threw', '')
      return ledger.abandonAdvance()
    }
    const left = ledger.endAdvance(now)
    if (left) throw faults.stop(left.clause, left.message, firedTimes(left.entry, left.entry.firings + 1))
  }

  /** Advances to nextExpiry() again and again; never backwards, even where an overdue timer asks for it. */
  drain () {
    const { ledger, script, faults, clock: start } = this.#state
    const most = WAKE_UPS + WAKE_UPS_A_TIMER * (ledger.size + this.#sequence.actions.length)
    const line = script.write('')
    let wakeUp = 'queue.advance(queue.nextExpiry(), expire)'
    let loop = 'let wakeUps = 0'
    this.#draining = true
    for (let wakeUps = 1; ledger.size > 0; wakeUps++) {
      const next = this.#questions.askNextExpiry()
      if (wakeUps > most) {
        const message = `${ledger.size} still pending after ${most} wake-ups, the next is at ${next}`
        throw faults.stop('drain', message, 'assert.equal(queue.size, 0)')
      }
      const { clock } = this.#state
      if (next < clock) {
        wakeUp = 'queue.advance(now = Math.max(now, queue.nextExpiry()), expire)'
        loop = `let wakeUps = 0, now = ${start}`
      }
      line.code = wakeUps === 1 && next >= start ? wakeUp : `for (${loop}; wakeUps < ${wakeUps}; wakeUps++) ${wakeUp}`
      this.advance(Math.max(clock, next), line)
    }
    this.#draining = false
  }

  /** @param {any} handle */
  #expire = handle => {
    const { ledger, script, faults } = this.#state
    const action = this.#sequence.actions[this.#firings++]
    const entry = ledger.find(handle)
    if (!entry) {
      throw faults.stop('once', 'expire got a handle that is not in use', `assert.equal(fired.length, ${this.#firings - 1})`)
    }
    const fault = ledger.fire(entry)
    if (fault) {
      const assertion = fault.before ? firedBefore(entry, fault.before) : firedTimes(entry, entry.firings - 1)
      throw faults.stop(fault.clause, fault.message, assertion)
    }
    script.enterExpire()
    try {
      this.#questions.askInside(entry)
      if (this.#sequence.attentive && this.#firings <= ATTENTIVE_FIRINGS) {
        // Asking must change nothing.
        script.write('queue.nextExpiry()')
        this.#questions.askNextExpiry()
      }
      if (action) this.#act(action, entry)
    } finally {
      script.leaveExpire()
    }
  }

  /**
   * @param {Action} action
   * @param {Entry} fired
   */
  #act ({ kind, timer, when, throws }, fired) {
    const { script, faults } = this.#state
    if (kind !== 'none') {
      faults.suspect('re-entrant')
      const entry = timer === SELF ? fired : this.#timers.find(timer)
      const operation = entry === fired ? 'insert' : 'reschedule'
      if (kind === 'restart') this.#timers.start(entry, this.#timers.instantOf(when, entry), operation)
      if (kind === 'cancel') this.#timers.cancel(entry)
      if (kind === 'release') this.#timers.release(entry)
    }
    if (throws && !this.#draining) {
      faults.suspect('throwing')
      this.#threw = true
      script.write(`throw new Error('${THROWN}')`)
      throw thrown
    }
  }
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
