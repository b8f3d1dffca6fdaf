/**
 * Pairing heap: a tree of timers, none due before its parent, that does its sorting as late as possible.
 *
 * A timer's children are a list, from `child` along `next`; `previous` of the first child is the parent. Melding two
 * trees hangs the one that is due later below the other. When a timer leaves, its children are melded into one tree: in
 * pairs from the left, then the pairs from the right.
 *
 *   insert      O(1)
 *   cancel      O(log n) amortised
 *   reschedule  O(log n) amortised
 *   nextExpiry  O(1)
 *   advance     O(k log n) amortised for k expired timers
 *
 * Timers fire by deadline; ties in any order. One operation may take O(n).
 * Source: M. Fredman, R. Sedgewick, D. Sleator and R. Tarjan, "The pairing heap", Algorithmica 1, 1986.
 */

/** @type {import('./contract.js').QueueMeta} */
export const meta = {
  name: 'pairing-heap',
  title: 'Pairing heap',
  complexity: {
    insert: 'O(1)',
    cancel: 'O(log n) amortised',
    reschedule: 'O(log n) amortised',
    nextExpiry: 'O(1)',
    advance: 'O(k log n) amortised'
  },
  order: 'deadline',
  accuracy: 'exact',
  source: 'Fredman, Sedgewick, Sleator and Tarjan, Algorithmica 1, 1986'
}

class PairingTimer {
  /** Absolute milliseconds; meaningful while pending. */
  deadline = 0
  pending = false
  /** @type {PairingTimer | null} */
  child = null
  /** @type {PairingTimer | null} the next child of the same parent */
  next = null
  /** @type {PairingTimer | null} the child before; for the first child, the parent */
  previous = null

  /** @param {unknown} payload */
  constructor (payload) {
    this.payload = payload
  }
}

export class PairingHeap {
  size = 0
  /** @type {PairingTimer | null} */
  #root = null

  /** @param {unknown} payload */
  createTimer (payload) {
    return new PairingTimer(payload)
  }

  releaseTimer () {}

  /**
   * @param {PairingTimer} timer
   * @param {number} deadline
   */
  insert (timer, deadline) {
    timer.deadline = deadline
    timer.pending = true
    this.size++
    this.#root = meld(this.#root, timer)
  }

  /** @param {PairingTimer} timer */
  cancel (timer) {
    if (!timer.pending) return false
    timer.pending = false
    this.size--
    this.#takeOut(timer)
    return true
  }

  /**
   * @param {PairingTimer} timer
   * @param {number} deadline
   */
  reschedule (timer, deadline) {
    if (!timer.pending) return this.insert(timer, deadline)
    if (deadline <= timer.deadline) {
      // Its children stay below it.
      timer.deadline = deadline
      if (timer === this.#root) return
      cut(timer)
    } else {
      this.#takeOut(timer)
      timer.deadline = deadline
    }
    this.#root = meld(this.#root, timer)
  }

  nextExpiry () {
    return this.#root === null ? Infinity : this.#root.deadline
  }

  /**
   * @param {number} now
   * @param {(timer: PairingTimer) => void} expire
   */
  advance (now, expire) {
    while (this.#root !== null && this.#root.deadline <= now) {
      const timer = this.#root
      this.cancel(timer)
      expire(timer)
    }
  }

  /** @param {PairingTimer} timer */
  deadlineOf (timer) {
    return timer.deadline
  }

  /** @param {PairingTimer} timer */
  payloadOf (timer) {
    return timer.payload
  }

  /** @param {PairingTimer} timer */
  isPending (timer) {
    return timer.pending
  }

  /** @param {PairingTimer} timer */
  #takeOut (timer) {
    const orphans = meldAll(timer.child)
    timer.child = null
    if (timer === this.#root) {
      this.#root = orphans
    } else {
      cut(timer)
      this.#root = meld(this.#root, orphans)
    }
  }
}

/**
 * @param {PairingTimer | null} a  A root.
 * @param {PairingTimer | null} b  A root.
 * @returns {PairingTimer | null}
 */
function meld (a, b) {
  if (a === null) return b
  if (b === null) return a
  if (b.deadline < a.deadline) return meld(b, a)
  const { child } = a
  b.next = child
  b.previous = a
  if (child !== null) child.previous = b
  a.child = b
  return a
}

/**
 * Cuts a subtree off its parent.
 *
 * @param {PairingTimer} timer  Not the root.
 */
function cut (timer) {
  const { next } = timer
  const previous = /** @type {PairingTimer} */ (timer.previous)
  if (previous.child === timer) previous.child = next
  else previous.next = next
  if (next !== null) next.previous = previous
  timer.next = timer.previous = null
}

/**
 * @param {PairingTimer | null} first  The first of the siblings whose parent leaves.
 * @returns {PairingTimer | null}
 */
function meldAll (first) {
  /** The melded pairs, the last one first. */
  let pairs = /** @type {PairingTimer | null} */ (null)
  while (first !== null) {
    const second = first.next
    const remaining = second === null ? null : second.next
    first.next = first.previous = null
    if (second !== null) second.next = second.previous = null
    const pair = /** @type {PairingTimer} */ (meld(first, second))
    pair.next = pairs
    pairs = pair
    first = remaining
  }
  let root = /** @type {PairingTimer | null} */ (null)
  while (pairs !== null) {
    const { next } = pairs
    pairs.next = null
    root = meld(root, pairs)
    pairs = next
  }
  return root
}
