/** The operations on one timer: each is written to the script, entered in the ledger and performed on the queue. */
import { LAST_TIMER, SELF, instantOf } from '../sequences.js'

/**
 * @typedef {import('./ledger.js').Entry} Entry
 * @typedef {'insert' | 'reschedule'} Start
 */

/** Timers made and released in a row. */
const CHURN = 200

/** Deadlines beyond this are far: the clock of a process that has run for 24 days. */
const FAR = 2 ** 31

export class Timers {
  /** @type {(Entry | undefined)[]} The latest crowd. */
  crowd = []
  /** @type {(Entry | undefined)[]} By the number that the steps use. */
  #numbered = []
  #named = 0
  #state

  /** @param {import('./state.js').State} state */
  constructor (state) {
    this.#state = state
  }

  /**
   * Finds the timer of a step or an action, or makes it.
   *
   * @param {number} number
   */
  find (number) {
    const member = number > LAST_TIMER ? this.crowd[number % this.crowd.length] : undefined
    if (member) return member
    number %= LAST_TIMER + 1
    const known = this.#numbered[number]
    if (known) return known
    const name = nameOf(this.#named++)
    this.#state.script.writeCreation(name)
    const entry = this.create(name)
    this.#numbered[number] = entry
    return entry
  }

  /**
   * @param {import('../sequences.js').When} when
   * @param {Entry | undefined} self
   */
  instantOf (when, self) {
    const { clock } = this.#state
    const entryOf = (/** @type {number} */ number) => number === SELF ? self : this.#numbered[number]
    return instantOf(when, clock, number => entryOf(number)?.deadline ?? clock)
  }

  /**
   * @param {import('../sequences.js').When} when
   * @param {number} number  Of the timer that SELF means.
   */
  instantFor (when, number) {
    return this.instantOf(when, this.#numbered[number])
  }

  /** @param {string} name */
  create (name) {
    const { queue, ledger, faults } = this.#state
    const handle = queue.createTimer(name)
    const other = ledger.find(handle)
    if (other) {
      const message = `the handle of ${name} is the one of ${other.name}, which is in use`
      throw faults.stop('create', message, `assert.notEqual(${name}, ${other.name})`)
    }
    if (queue.isPending(handle)) {
      const message = `${name} is pending and has never been started`
      faults.report('create', message, `assert.equal(queue.isPending(${name}), false)`)
    }
    return ledger.add(name, handle)
  }

  /**
   * @param {Entry} entry
   * @param {number} deadline
   * @param {Start} operation  A pending timer is rescheduled, not inserted.
   * @param {boolean} [silent]
   */
  start (entry, deadline, operation, silent = false) {
    const { queue, ledger, script, faults, clock, advancedTo } = this.#state
    const method = entry.pending ? 'reschedule' : operation
    // Whoever starts a timer knows its duration. A queue that is not given it counts from the latest advance.
    const isGiven = !silent && clock !== advancedTo
    const duration = deadline - (isGiven ? clock : advancedTo)
    const given = isGiven ? [duration] : []
    script.write(`queue.${method}(${[entry.name, deadline, ...given].join(', ')})`)
    if (deadline >= FAR) faults.suspect('far-deadlines')
    ledger.start(entry, deadline, clock, duration)
    queue[method](entry.handle, deadline, ...given)
  }

  /** @param {Entry} entry */
  cancel (entry) {
    const { queue, ledger, script, faults } = this.#state
    const { name, pending } = entry
    const line = script.write(`queue.cancel(${name})`)
    ledger.cancel(entry)
    const returned = queue.cancel(entry.handle)
    if (returned === pending) return
    line.code = `assert.equal(queue.cancel(${name}), ${pending})`
    faults.report('cancel', wrongCancel(name, returned, pending), '')
  }

  /** @param {Entry} entry */
  release (entry) {
    const { queue, ledger, script, faults } = this.#state
    if (entry.pending) this.cancel(entry)
    faults.suspect('release')
    script.write(`queue.releaseTimer(${entry.name})`)
    ledger.remove(entry)
    for (const holders of [this.#numbered, this.crowd]) {
      const place = holders.indexOf(entry)
      if (place !== -1) holders[place] = undefined
    }
    queue.releaseTimer(entry.handle)
  }

  /** Timers that come and go: small integers stay small only if they are reused. */
  churn () {
    const { queue, script, faults } = this.#state
    const line = script.write(`for (let i = 0; i < ${CHURN}; i++) queue.releaseTimer(queue.createTimer(i))`)
    const handles = new Set()
    for (let i = 0; i < CHURN; i++) {
      const handle = queue.createTimer(i)
      if (typeof handle === 'number') handles.add(handle)
      queue.releaseTimer(handle)
    }
    if (handles.size < CHURN) return
    const body = '{ const timer = queue.createTimer(i); queue.releaseTimer(timer); return timer }'
    line.code = `const handles = Array.from({ length: ${CHURN} }, (_, i) => ${body})`
    const message = `${CHURN} timers, made and released one after the other, had ${CHURN} different handles: none was reused`
    faults.report('release', message, `assert.ok(new Set(handles).size < ${CHURN})`)
  }
}

/**
 * @param {string} name
 * @param {unknown} returned
 * @param {boolean} pending
 */
export function wrongCancel (name, returned, pending) {
  return `cancel(${name}) returned ${returned}, ${name} was ${pending ? '' : 'not '}pending`
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
