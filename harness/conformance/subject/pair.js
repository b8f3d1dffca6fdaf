/**
 * Tries two sequences on two queues of a class that live at the same time. Each sequence is first tried alone: where
 * only both together fail, the queues share state, and tests of one queue would fail or pass by chance.
 */
import { Script } from './script.js'
import { Trial } from './trial.js'

/**
 * @import { Fault } from './follower.js'
 * @import { Sequence } from './sequences.js'
 * @import { QueueUnderTest } from './trial.js'
 */

const CLAUSE = 'instances'

export class Pair {
  /** @type {string[]} */
  exercised = []
  #queue
  #sequence
  #known
  #script = new Script()
  /** @type {Trial[]} */
  #trials = []
  /**
   * The trial under way, which may not return.
   *
   * @type {Trial | null}
   */
  #current = null
  /** @type {Fault | null} */
  fault = null

  /**
   * @param {QueueUnderTest} queue
   * @param {Sequence} sequence
   * @param {Set<string>} known  Clauses known to be broken.
   */
  constructor (queue, sequence, known) {
    this.#queue = queue
    this.#sequence = sequence
    this.#known = known
  }

  perform () {
    const { beside = [], ...first } = this.#sequence
    const sequences = [first, { ...first, steps: beside }]
    const alone = sequences.map(sequence => new Trial(this.#queue, sequence, this.#known))
    for (const trial of alone) {
      this.#current = trial
      trial.perform()
      trial.abandon()
    }
    if (alone.some(({ fault }) => fault !== null)) return

    const script = this.#script
    this.#trials = sequences.map(
      (sequence, i) => new Trial(this.#queue, sequence, this.#known, { script, firstLetter: 'aA'[i] })
    )
    this.#each(trial => trial.open())
    for (let i = 0; i < Math.max(first.steps.length, beside.length); i++) {
      this.#each((trial, queue) => {
        const step = sequences[queue].steps[i]
        if (step) trial.take(step)
      })
    }
    this.#each(trial => trial.close())
    if (this.fault) for (const trial of this.#trials) trial.abandon()
  }

  /** Calls of the queue in the trial under way. */
  get calls () {
    return this.#current?.calls ?? 0
  }

  /** @param {number} limitMs  CPU time of the sequence. */
  endless (limitMs) {
    this.#current?.endless(limitMs)
    this.fault = this.#current?.fault ?? null
  }

  /** @param {string} title */
  print (title) {
    if (this.fault?.clause !== CLAUSE) return /** @type {Trial} */ (this.#current).print(title)
    const remark =
      `${this.fault.message}; each queue alone passes: the queues share state, ` + 'perhaps a variable of the module'
    return this.#script.print(title, remark, this.#queue.Queue.name, this.fault)
  }

  /** @param {(trial: Trial, queue: number) => void} perform  Called for each queue until one has failed. */
  #each (perform) {
    for (const [queue, trial] of this.#trials.entries()) {
      if (this.fault) return
      this.#current = trial
      this.#script.isBeside = queue === 1
      perform(trial, queue)
      this.fault = trial.fault && { ...trial.fault, clause: CLAUSE }
    }
  }
}
