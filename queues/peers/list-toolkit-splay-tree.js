/**
 * list-toolkit's SplayTree: a search tree that moves the entry found to its root. It can remove.
 *
 *   insert      O(log n) amortised
 *   cancel      O(log n) amortised
 *   reschedule  O(log n) amortised
 *   nextExpiry  O(log n) amortised   moves the earliest timer to the root, so that long chains are walked once only
 *   advance     O(k log n) amortised for k expired timers
 *
 * Timers fire by deadline, ties in the order started: the tree keeps no two values that compare equal.
 * Source: npm package list-toolkit; D. Sleator and R. Tarjan, "Self-adjusting binary search trees", JACM 32(3), 1985.
 */
import SplayTree from 'list-toolkit/tree/splay-tree.js'

/** @import { QueueMeta } from '../contract.js' */

/** @type {QueueMeta} */
export const meta = {
  name: 'list-toolkit-splay-tree',
  title: "Splay tree of npm's list-toolkit",
  complexity: {
    insert: 'O(log n) amortised',
    cancel: 'O(log n) amortised',
    reschedule: 'O(log n) amortised',
    nextExpiry: 'O(log n) amortised',
    advance: 'O(k log n) amortised'
  },
  order: 'fifo',
  accuracy: 'exact',
  source: 'npm package list-toolkit'
}

class TreeTimer {
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

/** @type {(a: TreeTimer, b: TreeTimer) => number} */
const compare = (a, b) => a.deadline - b.deadline || a.start - b.start

export class ListToolkitSplayTreeTimers {
  /** @type {SplayTree<TreeTimer>} */
  #tree = new SplayTree({ compare })
  #starts = 0

  get size () {
    return this.#tree.size
  }

  /** @param {unknown} payload */
  createTimer (payload) {
    return new TreeTimer(payload)
  }

  releaseTimer () {}

  /** @type {(timer: TreeTimer, deadline: number) => void} */
  insert (timer, deadline) {
    timer.deadline = deadline
    timer.start = this.#starts++
    timer.pending = true
    this.#tree.insert(timer)
  }

  /** @param {TreeTimer} timer */
  cancel (timer) {
    if (!timer.pending) return false
    timer.pending = false
    this.#tree.remove(timer)
    return true
  }

  /** @type {(timer: TreeTimer, deadline: number) => void} */
  reschedule (timer, deadline) {
    this.cancel(timer)
    this.insert(timer, deadline)
  }

  nextExpiry () {
    return this.size === 0 ? Infinity : this.#first().deadline
  }

  /** @type {(now: number, expire: (timer: TreeTimer) => void) => void} */
  advance (now, expire) {
    while (this.nextExpiry() <= now) {
      const timer = this.#first()
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

  #first () {
    const node = this.#tree.getMin()
    this.#tree.splay(node)
    return node.value
  }
}
