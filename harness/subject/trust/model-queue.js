/**
 * Reference model for the checksums of micro scenarios and for the conformance kit: a bucket of timers per millisecond,
 * in the order started. Timers of one advance fire by deadline, ties in the order started. A timer that `expire` starts
 * fires in the same advance if already due.
 */

class ModelTimer {
  deadline = 0
  pending = false

  /** @param {unknown} payload */
  constructor (payload) {
    this.payload = payload
  }
}

export class ModelQueue {
  size = 0
  /**
   * A lone timer has no set: hundreds of thousands of sets keep the garbage collector busy.
   *
   * @type {Map<number, ModelTimer | Set<ModelTimer>>}
   */
  #buckets = new Map()
  /** No bucket is earlier than this millisecond. */
  #cursor = 0

  /** @param {unknown} payload */
  createTimer (payload) {
    return new ModelTimer(payload)
  }

  releaseTimer () {}

  /**
   * @param {ModelTimer} timer
   * @param {number} deadline
   */
  insert (timer, deadline) {
    timer.deadline = deadline
    timer.pending = true
    this.size++
    const bucket = this.#buckets.get(deadline)
    if (bucket === undefined) this.#buckets.set(deadline, timer)
    else if (bucket instanceof Set) bucket.add(timer)
    else this.#buckets.set(deadline, new Set([bucket, timer]))
    if (deadline < this.#cursor) this.#cursor = deadline
  }

  /** @param {ModelTimer} timer */
  cancel (timer) {
    if (!timer.pending) return false
    timer.pending = false
    this.size--
    const bucket = this.#buckets.get(timer.deadline)
    if (bucket instanceof Set && bucket.size > 1) bucket.delete(timer)
    else this.#buckets.delete(timer.deadline)
    return true
  }

  /**
   * @param {ModelTimer} timer
   * @param {number} deadline
   */
  reschedule (timer, deadline) {
    this.cancel(timer)
    this.insert(timer, deadline)
  }

  nextExpiry () {
    // Dense deadlines: try one millisecond after another. Otherwise search all buckets.
    for (const end = this.#cursor + this.#buckets.size; this.#cursor < end; this.#cursor++) {
      if (this.#buckets.has(this.#cursor)) return this.#cursor
    }
    let earliest = Infinity
    for (const deadline of this.#buckets.keys()) earliest = Math.min(earliest, deadline)
    if (earliest !== Infinity) this.#cursor = earliest
    return earliest
  }

  /**
   * @param {number} now
   * @param {(timer: ModelTimer) => void} expire
   */
  advance (now, expire) {
    for (let deadline = this.nextExpiry(); deadline <= now; deadline = this.nextExpiry()) {
      const bucket = this.#buckets.get(deadline)
      const timer = /** @type {ModelTimer} */ (bucket instanceof Set ? bucket.values().next().value : bucket)
      this.cancel(timer)
      expire(timer)
    }
  }

  /** @param {ModelTimer} timer */
  deadlineOf (timer) {
    return timer.deadline
  }

  /** @param {ModelTimer} timer */
  payloadOf (timer) {
    return timer.payload
  }

  /** @param {ModelTimer} timer */
  isPending (timer) {
    return timer.pending
  }
}
