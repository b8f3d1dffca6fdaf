/**
 * An unsorted queue that hands out small integers and deletes lazily: for mutants that mix up handles. Mutants replace
 * its text, so it is written to be broken in one place at a time.
 */

export const meta = {
  name: 'pooled-queue',
  title: 'Integers as handles, stale entries dropped when they surface',
  complexity: { insert: 'O(1)', cancel: 'O(1)', reschedule: 'O(1)', nextExpiry: 'O(n)', advance: 'O(n + k n)' },
  order: 'deadline',
  accuracy: 'exact',
  source: 'a fixture'
}

const IDLE = -1

export class PooledQueue {
  size = 0
  #payloads = []
  #deadlines = []
  #free = []
  /** Timers whose deadline changed or went away stay until they are looked at. */
  #entries = new Set()

  createTimer (payload) {
    const timer = this.#free.pop() ?? this.#payloads.length
    this.#payloads[timer] = payload
    this.#deadlines[timer] = IDLE
    return timer
  }

  releaseTimer (timer) {
    this.#entries.delete(timer)
    this.#payloads[timer] = undefined
    this.#free.push(timer)
  }

  insert (timer, deadline) {
    this.#deadlines[timer] = deadline
    this.#entries.add(timer)
    this.size++
  }

  cancel (timer) {
    if (this.#deadlines[timer] === IDLE) return false
    this.#deadlines[timer] = IDLE
    this.size--
    return true
  }

  reschedule (timer, deadline) {
    if (this.#deadlines[timer] === IDLE) return this.insert(timer, deadline)
    this.#deadlines[timer] = deadline
  }

  nextExpiry () {
    const earliest = this.#earliest()
    return earliest === IDLE ? Infinity : this.#deadlines[earliest]
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
    return this.#deadlines[timer] !== IDLE
  }

  #earliest () {
    let earliest = IDLE
    for (const timer of this.#entries) {
      if (this.#deadlines[timer] === IDLE) this.#entries.delete(timer)
      else if (earliest === IDLE || this.#deadlines[timer] < this.#deadlines[earliest]) earliest = timer
    }
    return earliest
  }
}
