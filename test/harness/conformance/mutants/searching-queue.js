/** An unsorted array that searches with built-in methods: for mutants that declare such a search constant. */

export const meta = {
  name: 'searching-queue',
  title: 'Unsorted array, searched by indexOf',
  complexity: { insert: 'O(1)', cancel: 'O(n)', reschedule: 'O(n)', nextExpiry: 'O(n)', advance: 'O(n + k n)' },
  order: 'deadline',
  accuracy: 'exact',
  source: 'a fixture'
}

class SearchedTimer {
  deadline = 0

  constructor (payload) {
    this.payload = payload
  }
}

export class SearchingQueue {
  #timers = []

  get size () {
    return this.#timers.length
  }

  createTimer (payload) {
    return new SearchedTimer(payload)
  }

  releaseTimer () {}

  insert (timer, deadline) {
    timer.deadline = deadline
    this.#timers.push(timer)
  }

  cancel (timer) {
    const index = this.#timers.indexOf(timer)
    if (index === -1) return false
    this.#timers.splice(index, 1)
    return true
  }

  reschedule (timer, deadline) {
    this.cancel(timer)
    this.insert(timer, deadline)
  }

  nextExpiry () {
    let earliest = Infinity
    for (const { deadline } of this.#timers) if (deadline < earliest) earliest = deadline
    return earliest
  }

  advance (now, expire) {
    for (let next = this.nextExpiry(); next <= now; next = this.nextExpiry()) {
      const timer = this.#timers.find(({ deadline }) => deadline === next)
      this.cancel(timer)
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
    return this.#timers.includes(timer)
  }
}
