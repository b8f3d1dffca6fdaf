/** A sorted list whose handles are ever larger integers, as those of setTimeout in a browser: correct. */

export const meta = {
  name: 'numbered-queue',
  title: 'Sorted array, numbered handles that are never used again',
  complexity: { insert: 'O(n)', cancel: 'O(n)', reschedule: 'O(n)', nextExpiry: 'O(1)', advance: 'O(k n)' },
  order: 'fifo',
  accuracy: 'exact',
  source: 'a fixture'
}

export class NumberedQueue {
  #made = 0
  #timers = new Map()
  #pending = []

  get size () {
    return this.#pending.length
  }

  createTimer (payload) {
    this.#made++
    this.#timers.set(this.#made, { payload, deadline: 0, pending: false })
    return this.#made
  }

  releaseTimer (handle) {
    this.#timers.delete(handle)
  }

  insert (handle, deadline) {
    Object.assign(this.#timers.get(handle), { deadline, pending: true })
    let place = this.#pending.length
    while (place > 0 && this.deadlineOf(this.#pending[place - 1]) > deadline) place--
    this.#pending.splice(place, 0, handle)
  }

  cancel (handle) {
    const timer = this.#timers.get(handle)
    if (!timer.pending) return false
    timer.pending = false
    this.#pending.splice(this.#pending.indexOf(handle), 1)
    return true
  }

  reschedule (handle, deadline) {
    this.cancel(handle)
    this.insert(handle, deadline)
  }

  nextExpiry () {
    return this.#pending.length === 0 ? Infinity : this.deadlineOf(this.#pending[0])
  }

  advance (now, expire) {
    while (this.nextExpiry() <= now) {
      const [handle] = this.#pending
      this.cancel(handle)
      expire(handle)
    }
  }

  deadlineOf (handle) {
    return this.#timers.get(handle).deadline
  }

  payloadOf (handle) {
    return this.#timers.get(handle).payload
  }

  isPending (handle) {
    return this.#timers.get(handle).pending
  }
}
