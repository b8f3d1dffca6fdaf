/**
 * Operations on many timers at once. A step does the same to every timer of a crowd, so it is one line of the script,
 * however many timers there are.
 */
import { spreadOf } from '../sequences.js'
import { wrongCancel } from './timers.js'

/**
 * @typedef {import('./ledger.js').Entry} Entry
 * @typedef {import('./script.js').Repetition} Repetition
 * @typedef {import('../sequences.js').Spread} Spread
 */

export class Crowds {
  #crowds = 0
  #name = ''
  #state
  #timers
  #advances
  #questions

  /**
   * @param {import('./state.js').State} state
   * @param {import('./timers.js').Timers} timers
   * @param {import('./advances.js').Advances} advances
   * @param {import('./questions.js').Questions} questions
   */
  constructor (state, timers, advances, questions) {
    this.#state = state
    this.#timers = timers
    this.#advances = advances
    this.#questions = questions
  }

  /**
   * @param {number} count
   * @param {Spread} spread
   */
  start (count, spread) {
    const name = `crowd${++this.#crowds}`
    const first = Math.min(this.#state.clock + 1, Number.MAX_SAFE_INTEGER - count)
    const { code, offsetOf } = spreadOf(spread, count)
    const creation = `queue.createTimer(\`${name}[\${i}]\`)`
    this.#name = name
    this.#state.script.write(`const ${name} = Array.from({ length: ${count} }, (_, i) => ${creation})`)
    const entries = Array.from({ length: count }, (_, i) => this.#timers.create(`${name}[${i}]`))
    this.#timers.crowd = entries
    this.#repeat(count, `queue.insert(${name}[i], ${first} + ${code})`, i => {
      this.#startMember(i, 'insert', first + offsetOf(i))
    })
  }

  /**
   * Restarts every second timer of the crowd, or every third, and so on.
   *
   * @param {number} every
   * @param {Spread} spread
   */
  move (every, spread) {
    const count = this.#timers.crowd.length
    const first = this.#state.clock + 1
    const { code, offsetOf } = spreadOf(spread, count)
    const condition = every > 1 ? `if (i % ${every} === 0) ` : ''
    this.#repeat(count, `${condition}queue.reschedule(${this.#name}[i], ${first} + ${code})`, i => {
      if (i % every === 0) this.#startMember(i, 'reschedule', first + offsetOf(i))
    })
  }

  /**
   * Keeps every second timer of the crowd, or every third, and so on, and cancels the others.
   *
   * @param {number} every
   */
  thin (every) {
    const code = `if (i % ${every} !== 0) queue.cancel(${this.#name}[i])`
    this.#repeat(this.#timers.crowd.length, code, (i, line) => {
      if (i % every !== 0) this.#cancelMember(i, line)
    })
  }

  /** Cancels and releases all timers of the crowd. */
  release () {
    const { queue, ledger, faults } = this.#state
    const name = this.#name
    faults.suspect('release')
    this.#repeat(this.#timers.crowd.length, `{ queue.cancel(${name}[i]); queue.releaseTimer(${name}[i]) }`, (i, line) => {
      const entry = this.#member(i)
      this.#cancelMember(i, line)
      ledger.remove(entry)
      queue.releaseTimer(entry.handle)
    })
    this.#timers.crowd = []
  }

  /**
   * Restarts the whole crowd every two milliseconds.
   *
   * @param {number} count
   * @param {number} ahead  Milliseconds until the first of them are due.
   */
  goRound (count, ahead) {
    const start = this.#state.clock
    const restart = `queue.reschedule(timer, ${start} + 2 * i + ${ahead} + j % 3)`
    const advance = `queue.advance(${start} + 2 * i + 2, expire)`
    this.#repeat(count, `{ ${this.#name}.forEach((timer, j) => ${restart}); ${advance} }`, (i, line) => {
      for (let j = 0; j < this.#timers.crowd.length; j++) this.#startMember(j, 'reschedule', start + 2 * i + ahead + j % 3)
      this.#advances.advance(start + 2 * i + 2, line)
    })
  }

  /**
   * Makes, starts, cancels and releases one timer after the other.
   *
   * @param {number} count
   */
  reuse (count) {
    const { queue, ledger, faults, clock, advancedTo } = this.#state
    const first = clock + 1
    faults.suspect('release')
    const life = `queue.insert(timer, ${first} + i % 64); queue.cancel(timer); queue.releaseTimer(timer)`
    this.#repeat(count, `{ const timer = queue.createTimer(i); ${life} }`, (i, line) => {
      const handle = queue.createTimer(i)
      const other = ledger.find(handle)
      if (other || queue.isPending(handle)) {
        line.times = i
        const timer = `queue.createTimer(${i})`
        if (!other) throw faults.stop('create', `${timer} is pending`, `assert.equal(queue.isPending(${timer}), false)`)
        throw faults.stop('create', `${timer} is ${other.name}, which is in use`, `assert.notEqual(${timer}, ${other.name})`)
      }
      const entry = ledger.add(`timer ${i}`, handle)
      ledger.start(entry, first + i % 64, clock, first + i % 64 - advancedTo)
      queue.insert(handle, entry.deadline)
      ledger.cancel(entry)
      queue.cancel(handle)
      ledger.remove(entry)
      queue.releaseTimer(handle)
    })
  }

  /**
   * Advances again and again by the same distance.
   *
   * @param {number} count  Advances.
   * @param {number} ms  From one to the next.
   */
  stride (count, ms) {
    const start = this.#state.clock + ms
    this.#repeat(count, `{ queue.nextExpiry(); queue.advance(${start} + ${ms} * i, expire) }`, (i, line) => {
      line.times = i
      this.#questions.askNextExpiry()
      line.times = i + 1
      this.#advances.advance(start + ms * i, line)
    })
  }

  /** @param {number} index */
  #member (index) {
    return /** @type {Entry} */ (this.#timers.crowd[index])
  }

  /**
   * @param {number} index  In the crowd.
   * @param {import('./timers.js').Start} method
   * @param {number} deadline
   */
  #startMember (index, method, deadline) {
    const { queue, ledger, clock, advancedTo } = this.#state
    const entry = this.#member(index)
    ledger.start(entry, deadline, clock, deadline - advancedTo)
    queue[method](entry.handle, deadline)
  }

  /**
   * @param {number} index  In the crowd.
   * @param {Repetition} line
   */
  #cancelMember (index, line) {
    const { queue, ledger, faults } = this.#state
    const entry = this.#member(index)
    const { name, pending } = entry
    ledger.cancel(entry)
    const returned = queue.cancel(entry.handle)
    if (returned === pending) return
    line.times = index
    throw faults.stop('cancel', wrongCancel(name, returned, pending), `assert.equal(queue.cancel(${name}), ${pending})`)
  }

  /**
   * Repeats an operation, as one line of code. Where it fails, the code stops, too.
   *
   * @param {number} count
   * @param {string} code  In terms of i.
   * @param {(i: number, line: Repetition) => void} operate
   */
  #repeat (count, code, operate) {
    const line = this.#state.script.writeRepetition(code)
    for (line.times = 1; line.times <= count; line.times++) operate(line.times - 1, line)
    line.times = count
  }
}
