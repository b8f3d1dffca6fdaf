/** Collects what a queue did wrong in a trial, with the place in the script where it showed. */

/**
 * @typedef {object} Fault
 * @property {string} clause  The clause that does not hold.
 * @property {string[]} after  Clauses about what the sequence did before: they are to blame if the fault does not show
 *   without it.
 * @property {string} message
 * @property {string} assertion
 * @property {import('./script.js').Mark} mark
 */

/** From this many on, counter-examples mention how many timers were pending, or how many starts it took. */
const MANY_TIMERS = 200
const MANY_STARTS = 2000

/** Thrown through the queue when it has fired wrongly: what follows would prove nothing. */
export const stop = new Error('stop')

export class Faults {
  /** Whether the queue has fired wrongly; it may swallow the error that says so. */
  stopped = false
  /** @type {Map<string, Fault>} The first of each clause. */
  #faults = new Map()
  /** @type {Set<string>} */
  #after = new Set()
  #script
  #ledger

  /**
   * @param {import('./script.js').Script} script
   * @param {import('./ledger.js').Ledger} ledger
   */
  constructor (script, ledger) {
    this.#script = script
    this.#ledger = ledger
  }

  get all () {
    return [...this.#faults.values()]
  }

  /** @param {string} clause */
  has (clause) {
    return this.#faults.has(clause)
  }

  /**
   * Notes that the sequence has now done what a clause is about. Later faults may be due to it.
   *
   * @param {string} clause
   */
  suspect (clause) {
    this.#after.add(clause)
  }

  /**
   * @param {string} clause
   * @param {string} message
   * @param {string} assertion  Code that fails here; empty where the last line of the script fails by itself.
   */
  report (clause, message, assertion) {
    if (this.#faults.has(clause)) return
    const mark = this.#script.mark()
    this.#faults.set(clause, { clause, after: [...this.#after], message: this.#scale + message, assertion, mark })
  }

  /**
   * Reports a fault after which the trial cannot go on.
   *
   * @param {string} clause
   * @param {string} message
   * @param {string} assertion
   * @returns {Error} to be thrown
   */
  stop (clause, message, assertion) {
    this.report(clause, message, assertion)
    this.stopped = true
    return stop
  }

  /** How many timers or starts the counter-example needs. */
  get #scale () {
    const { peak, starts } = this.#ledger
    if (peak > MANY_TIMERS) return `with ${peak} timers pending: `
    return starts > MANY_STARTS ? `after ${starts} starts: ` : ''
  }
}
