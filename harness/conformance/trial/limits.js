/**
 * Pending timers ordered by the time at which they must have fired: a binary heap of starts. A start that no longer
 * holds, because the timer has fired, was cancelled or was started again, is dropped when it comes to the top.
 *
 * @typedef {import('./ledger.js').Entry} Entry
 */
export class Limits {
  /**
   * The starts, each at the same place of three arrays: sifting compares limits alone, and finds them side by side.
   *
   * @type {number[]}
   */
  #limits = []
  /** @type {number[]} */
  #numbers = []
  /** @type {Entry[]} */
  #entries = []

  /** @param {Entry} entry  Just started. */
  add (entry) {
    const { limit, started } = entry
    const limits = this.#limits
    let index = limits.length
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (limits[parent] <= limit) break
      this.#move(parent, index)
      index = parent
    }
    this.#place(index, limit, started, entry)
  }

  /** @returns {Entry | undefined} the timer that must fire first */
  get first () {
    while (this.#limits.length > 0 && !this.#holds()) this.#pop()
    return this.#entries[0]
  }

  /**
   * @param {number} now
   * @param {(entry: Entry) => boolean} isExcused
   * @returns {Entry | undefined} a pending timer that must have fired by now
   */
  findLate (now, isExcused) {
    const excused = []
    let late
    for (let entry = this.first; entry && entry.limit <= now; entry = this.first) {
      late = entry
      if (!isExcused(late)) break
      late = undefined
      excused.push(entry)
      this.#pop()
    }
    for (const entry of excused) this.add(entry)
    return late
  }

  /** Whether the timer of the first start was not started again, and is still pending. */
  #holds () {
    const entry = this.#entries[0]
    return entry.pending && entry.started === this.#numbers[0]
  }

  #pop () {
    const limits = this.#limits
    const limit = /** @type {number} */ (limits.pop())
    const number = /** @type {number} */ (this.#numbers.pop())
    const entry = /** @type {Entry} */ (this.#entries.pop())
    if (limits.length === 0) return
    let index = 0
    for (let child = 1; child < limits.length; child = 2 * index + 1) {
      if (child + 1 < limits.length && limits[child + 1] < limits[child]) child++
      if (limits[child] >= limit) break
      this.#move(child, index)
      index = child
    }
    this.#place(index, limit, number, entry)
  }

  /**
   * @param {number} from
   * @param {number} to
   */
  #move (from, to) {
    this.#place(to, this.#limits[from], this.#numbers[from], this.#entries[from])
  }

  /**
   * @param {number} index
   * @param {number} limit
   * @param {number} number  Of the start.
   * @param {Entry} entry
   */
  #place (index, limit, number, entry) {
    this.#limits[index] = limit
    this.#numbers[index] = number
    this.#entries[index] = entry
  }
}
