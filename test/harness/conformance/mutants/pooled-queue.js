/**
 * An unsorted queue that hands out small integers and deletes lazily: for mutants that mix up handles. Mutants replace
 * its text, so it is written so that one edit breaks one thing.
 */

export const meta = {
  name: 'pooled-queue',
  title: 'Integers as handles, stale entries dropped when they surface',
  complexity: { insert: 'O(1)', cancel: 'O(1)', reschedule: 'O(1)', nextExpiry: 'O(n)', advance: 'O(n + k n)' },
  order: 'deadline',
  accuracy: 'exact',
  source: 'a fixture'
}

const NONE = -1

export class PooledQueue {
  size = 0
  #payloads = []
  #deadlines = []
  #pending = []
  #free = []
  /** Cancelled timers stay here until a search comes across them. */
  #entries = new Set()

  createTimer (payload) {
    const timer = this.#free.pop() ?? this.#payloads.length
    this.#payloads[timer] = payload
    this.#pending[timer] = false
    return timer
  }

  releaseTimer (timer) {
    this.#entries.delete(timer)
    this.#payloads[timer] = undefined
    this.#free.push(timer)
  }

  insert (timer, deadline) {
    this.#deadlines[timer] = deadline
    this.#pending[timer] = true
    this.#entries.add(timer)
    this.size++
  }

  cancel (timer) {
    if (!this.#pending[timer]) return false
    this.#pending[timer] = false
    this.size--
    return true
  }

  reschedule (timer, deadline) {
    if (!this.#pending[timer]) return this.insert(timer, deadline)
    this.#deadlines[timer] = deadline
  }

  nextExpiry () {
    const earliest = this.#earliest()
    return earliest === NONE ? Infinity : this.#deadlines[earliest]
  }

  advance (now, expire) {
    while (this.nextExpiry() <= now) {
      const timer = this.#earliest()
      this.cancel(timer)
      expire(timer)
    }
  }

  deadlineOf (timer) {
    return this.#deadlines[timer]
  }

  payloadOf (timer) {
    return this.#payloads[timer]
  }

  isPending (timer) {
    return this.#pending[timer]
  }

  #earliest () {
    let earliest = NONE
    for (const timer of this.#entries) {
      if (!this.#pending[timer]) this.#entries.delete(timer)
      else if (earliest === NONE || this.#deadlines[timer] < this.#deadlines[earliest]) earliest = timer
    }
    return earliest
  }
}
