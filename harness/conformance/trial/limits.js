/**
 * Pending timers ordered by the time at which they must have fired: a binary heap of starts. A start that no longer
 * holds, because the timer has fired, was cancelled or was started again, is dropped when it comes to the top.
 *
 * @typedef {{limit: number, started: number, entry: import('./ledger.js').Entry}} Start
 */
export class Limits {
  /** @type {Start[]} */
  #starts = []

  /** @param {import('./ledger.js').Entry} entry  Just started. */
  add (entry) {
    const { limit, started } = entry
    this.#push({ limit, started, entry })
  }

  /** @returns {Start | undefined} the start that must fire first */
  get first () {
    while (this.#starts.length > 0 && !holds(this.#starts[0])) this.#pop()
    return this.#starts[0]
  }

  /**
   * @param {number} now
   * @param {(entry: import('./ledger.js').Entry) => boolean} isExcused
   * @returns {import('./ledger.js').Entry | undefined} a pending timer that must have fired by now
   */
  findLate (now, isExcused) {
    const excused = []
    let late
    for (let start = this.first; start && start.limit <= now; start = this.first) {
      late = start.entry
      if (!isExcused(late)) break
      late = undefined
      excused.push(start)
      this.#pop()
    }
    for (const start of excused) this.#push(start)
    return late
  }

  /** @param {Start} start */
  #push (start) {
    const starts = this.#starts
    let index = starts.length
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (starts[parent].limit <= start.limit) break
      starts[index] = starts[parent]
      index = parent
    }
    starts[index] = start
  }

  #pop () {
    const starts = this.#starts
    const last = /** @type {Start} */ (starts.pop())
    if (starts.length === 0) return
    let index = 0
    for (let child = 1; child < starts.length; child = 2 * index + 1) {
      if (child + 1 < starts.length && starts[child + 1].limit < starts[child].limit) child++
      if (starts[child].limit >= last.limit) break
      starts[index] = starts[child]
      index = child
    }
    starts[index] = last
  }
}

/** @param {Start} start */
const holds = ({ entry, started }) => entry.pending && entry.started === started
