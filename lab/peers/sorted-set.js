/**
 * The queue contract on a search tree that keeps its values sorted by a comparator and can remove any of them. No two
 * timers compare equal: ties go in the order started.
 */
const complexity = {
  insert: 'O(log n)',
  cancel: 'O(log n)',
  reschedule: 'O(log n)',
  nextExpiry: 'O(log n)',
  advance: 'O(k log n)'
}

/**
 * Declarations of such a queue.
 *
 * @param {string} name
 * @param {string} title
 * @param {string} packageName
 * @returns {import('../../queues/contract.js').QueueMeta}
 */
export const declared = (name, title, packageName) => ({
  name,
  title: `${title} of npm's ${packageName}`,
  complexity,
  order: 'fifo',
  accuracy: 'exact',
  source: `npm package ${packageName}`
})

export class TreeTimer {
  /** Absolute milliseconds; meaningful while pending. */
  deadline = 0
  /** Sequence number of the start; breaks ties. */
  start = 0
  pending = false

  /** @param {unknown} payload */
  constructor (payload) {
    this.payload = payload
  }
}

/**
 * @param {TreeTimer} a
 * @param {TreeTimer} b
 */
export const compare = (a, b) => a.deadline - b.deadline || a.start - b.start

/**
 * @abstract A subclass has `add(timer)`, `remove(timer)` and `first()`, which is called only while timers are pending.
 */
export class SortedSet {
  size = 0
  #starts = 0

  /** @param {unknown} payload */
  createTimer (payload) {
    return new TreeTimer(payload)
  }

  releaseTimer () {}

  /**
   * @param {TreeTimer} timer
   * @param {number} deadline
   */
  insert (timer, deadline) {
    timer.deadline = deadline
    timer.start = this.#starts++
    timer.pending = true
    this.size++
    this.add(timer)
  }

  /** @param {TreeTimer} timer */
  cancel (timer) {
    if (!timer.pending) return false
    timer.pending = false
    this.size--
    this.remove(timer)
    return true
  }

  /**
   * @param {TreeTimer} timer
   * @param {number} deadline
   */
  reschedule (timer, deadline) {
    this.cancel(timer)
    this.insert(timer, deadline)
  }

  nextExpiry () {
    return this.size === 0 ? Infinity : this.first().deadline
  }

  /**
   * @param {number} now
   * @param {(timer: TreeTimer) => void} expire
   */
  advance (now, expire) {
    while (this.size > 0) {
      const timer = this.first()
      if (timer.deadline > now) return
      this.cancel(timer)
      expire(timer)
    }
  }

  /** @param {TreeTimer} timer */
  deadlineOf (timer) {
    return timer.deadline
  }

  /** @param {TreeTimer} timer */
  payloadOf (timer) {
    return timer.payload
  }

  /** @param {TreeTimer} timer */
  isPending (timer) {
    return timer.pending
  }
}
