/**
 * Fires at multiples of a power of two, of at most an eighth of the duration: for mutants that fire later than they
 * declare.
 */

export const meta = {
  name: 'coarse-queue',
  title: 'Unsorted list of rounded deadlines',
  complexity: { insert: 'O(1)', cancel: 'O(1)', reschedule: 'O(1)', nextExpiry: 'O(n)', advance: 'O(n + k n)' },
  order: 'none',
  accuracy: { relative: 0.125 },
  source: 'a fixture'
}

class CoarseTimer {
  deadline = 0
  expiry = 0

  constructor (payload) {
    this.payload = payload
  }
}

export class CoarseQueue {
  #now = 0
  #pending = new Set()

  get size () {
    return this.#pending.size
  }

  createTimer (payload) {
    return new CoarseTimer(payload)
  }

  releaseTimer () {}

  insert (timer, deadline, duration = deadline - this.#now) {
    const granularity = 2 ** Math.max(0, Math.floor(Math.log2(duration / 8)))
    timer.deadline = deadline
    timer.expiry = duration > 0 ? Math.ceil(deadline / granularity) * granularity : deadline
    this.#pending.add(timer)
  }

  cancel (timer) {
    return this.#pending.delete(timer)
  }

  reschedule (timer, deadline, duration) {
    this.cancel(timer)
    this.insert(timer, deadline, duration)
  }

  nextExpiry () {
    let earliest = Infinity
    for (const { expiry } of this.#pending) if (expiry < earliest) earliest = expiry
    return earliest
  }

  advance (now, expire) {
    this.#now = now
    for (const timer of this.#pending) {
      if (timer.expiry > now) continue
      this.#pending.delete(timer)
      expire(timer)
    }
  }

  deadlineOf (timer) {
    return timer.deadline
  }

  payloadOf (timer) {
    return timer.payload
  }

  isPending (timer) {
    return this.#pending.has(timer)
  }
}
