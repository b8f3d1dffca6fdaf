/** The clock of a time budget: one for the stop rules and the progress of a run. */

/** `setTimeout` accepts no longer delay. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

export class Budget {
  #endMs

  /**
   * @param {number} seconds
   * @param {object} [options]
   * @param {number} [options.startedMs]  Start of the measurement, by performance.now().
   */
  constructor (seconds, { startedMs = performance.now() } = {}) {
    this.seconds = seconds
    this.#endMs = startedMs + 1000 * seconds
  }

  get secondsLeft () {
    return (this.#endMs - performance.now()) / 1000
  }

  /**
   * Ends a measurement that outlasts the budget: a queue that hangs takes all its time in every count.
   *
   * @param {number} [reserveSeconds]  Seconds kept for the report.
   */
  endSignal (reserveSeconds = 0) {
    const leftMs = Math.ceil(1000 * (this.secondsLeft - reserveSeconds))
    return AbortSignal.timeout(Math.min(Math.max(0, leftMs), LONGEST_TIMER_MS))
  }
}
