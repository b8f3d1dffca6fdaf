/** Tries one sequence on one queue: performs it step by step, judges it by the ledger, and writes it down as a test. */
import { Advances } from './advances.js'
import { Crowds } from './crowds.js'
import { stop } from './faults.js'
import { Questions } from './questions.js'
import { State } from './state.js'
import { Timers } from './timers.js'

export class Trial {
  #Queue
  #sequence
  #state
  #timers
  #questions
  #advances
  #crowds

  /**
   * @param {new () => import('../../../queues/contract.js').TimerQueue} Queue
   * @param {Pick<import('../../../queues/contract.js').QueueMeta, 'order' | 'accuracy'>} declared
   * @param {import('../sequences.js').Sequence} sequence
   */
  constructor (Queue, declared, sequence) {
    this.#Queue = Queue
    this.#sequence = sequence
    this.#state = new State(declared)
    this.#timers = new Timers(this.#state)
    this.#questions = new Questions(this.#state)
    this.#advances = new Advances(this.#state, this.#timers, this.#questions, sequence)
    this.#crowds = new Crowds(this.#state, this.#timers, this.#advances, this.#questions)
  }

  get faults () {
    return this.#state.faults.all
  }

  /**
   * @param {import('./faults.js').Fault} fault
   * @param {string} title
   */
  print ({ message, assertion, mark }, title) {
    return this.#state.script.print({ title, remark: message, className: this.#Queue.name, mark, assertion })
  }

  /** May never return, so call it under a watchdog; if it does not return, call endless(). */
  perform () {
    const { script, faults } = this.#state
    try {
      this.#state.queue = new this.#Queue()
      for (const step of this.#sequence.steps) {
        this.#take(step)
        if (!this.#sequence.attentive) continue
        // Asking must change nothing. Where it does, the question belongs to the counter-example.
        script.write('queue.nextExpiry()')
        this.#questions.askAll()
      }
      this.#questions.askAll()
      this.#advances.drain()
      this.#questions.askAll()
    } catch (error) {
      if (error !== stop) faults.report('throws-nothing', `${this.#lastCall} threw ${error}`, '')
    }
  }

  endless () {
    this.#state.faults.report('returns', `${this.#lastCall} does not return`, '')
  }

  get #lastCall () {
    return this.#state.script.lastLine || 'the constructor'
  }

  /** @param {import('../sequences.js').Step} step */
  #take ({ kind, timer = 0, when, silent = false, count = 0, spread = 'dense', every = 1, ms = 0 }) {
    const { script, clock } = this.#state
    const [timers, crowds] = [this.#timers, this.#crowds]
    const instant = when ? timers.instantFor(when, timer) : 0
    const later = Math.max(clock, instant)
    switch (kind) {
      case 'start': return timers.start(timers.find(timer), instant, 'insert', silent)
      case 'reschedule': return timers.start(timers.find(timer), instant, 'reschedule', silent)
      case 'cancel': return timers.cancel(timers.find(timer))
      case 'release': return timers.release(timers.find(timer))
      case 'churn': return timers.churn()
      case 'crowd': return crowds.start(count, spread)
      case 'moveCrowd': return crowds.move(every, spread)
      case 'thinCrowd': return crowds.thin(every)
      case 'releaseCrowd': return crowds.release()
      case 'rounds': return crowds.goRound(count, ms)
      case 'reuse': return crowds.reuse(count)
      case 'stride': return crowds.stride(count, ms)
      case 'wait': this.#state.clock = later; return
      case 'advance': return this.#advances.advance(later, script.write(`queue.advance(${later}, expire)`))
      case 'drain': return this.#advances.drain()
    }
  }
}
