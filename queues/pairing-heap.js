/**
 * Pairing heap: a tree of timers, none due before its parent, which sorts as late as possible.
 *
 * A timer is a small integer, the place of its links in typed arrays. Its children are a list, from `child` along
 * `next`; `previous` of the first child is the parent. Melding two trees hangs the later root below the earlier. When a
 * timer leaves, its children are melded into one tree, which takes its place: in pairs from the left, then the pairs
 * from the right.
 *
 * A timer that is due no earlier than the latest is hung below the latest. So timers started in the order of their
 * deadlines form a chain, and leave it without any melding.
 *
 *   insert      O(1)
 *   cancel      O(log n) amortised
 *   reschedule  O(log n) amortised
 *   nextExpiry  O(1)
 *   advance     O(k log n) amortised for k expired timers
 *
 * Timers fire by deadline; ties in any order. Not bounded: one call may take O(n).
 * Source: M. Fredman, R. Sedgewick, D. Sleator and R. Tarjan, "The pairing heap", Algorithmica 1, 1986.
 */
import { Handles, lengthened } from './parts/handles.js'

/** @import { QueueMeta } from './contract.js' */

/** @type {QueueMeta} */
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

/** Stands for no timer. Its links are written like any other's and never followed, which saves a condition. */
const NONE = 0
/** `previous` of a timer that is not pending. */
const IDLE = -1

export class PairingHeap {
  size = 0
  #handles = new Handles()
  /** Deadline by timer. NONE is due after all others. */
  #deadlines = new Float64Array(64)
  #child = new Int32Array(64)
  /** The next child of the same parent. */
  #next = new Int32Array(64)
  /** The preceding child; for the first child, the parent; for the root, NONE. */
  #previous = new Int32Array(64).fill(IDLE)
  #root = NONE
  /**
   * The latest of the timers started since this was NONE, which it is again when that timer leaves or moves earlier.
   */
  #latest = NONE

  constructor () {
    this.#handles.take(undefined)
    this.#deadlines[NONE] = Infinity
  }

  /** @param {unknown} payload */
  createTimer (payload) {
    const timer = this.#handles.take(payload)
    if (timer === this.#child.length) this.#grow()
    return timer
  }

  /** @param {number} timer */
  releaseTimer (timer) {
    this.#handles.release(timer)
  }

  /** @type {(timer: number, deadline: number) => void} */
  insert (timer, deadline) {
    this.#deadlines[timer] = deadline
    this.size++
    this.#add(timer, deadline)
  }

  /** @param {number} timer */
  cancel (timer) {
    if (this.#previous[timer] === IDLE) return false
    this.#takeOut(timer)
    this.#previous[timer] = IDLE
    this.size--
    return true
  }

  /** @type {(timer: number, deadline: number) => void} */
  reschedule (timer, deadline) {
    if (this.#previous[timer] === IDLE) return this.insert(timer, deadline)
    if (deadline >= this.#deadlines[timer]) {
      this.#takeOut(timer)
      this.#deadlines[timer] = deadline
      this.#add(timer, deadline)
      return
    }
    this.#deadlines[timer] = deadline
    if (timer === this.#latest) this.#latest = NONE
    if (timer === this.#root) return
    // Its children stay below it.
    this.#replace(timer, NONE)
    this.#previous[timer] = NONE
    this.#root = this.#meld(this.#root, timer)
  }

  nextExpiry () {
    return this.#deadlines[this.#root]
  }

  /** @type {(now: number, expire: (timer: number) => void) => void} */
  advance (now, expire) {
    while (this.#deadlines[this.#root] <= now) {
      const timer = this.#root
      if (timer === this.#latest) this.#latest = NONE
      this.#takeOutRoot()
      this.#previous[timer] = IDLE
      this.size--
      expire(timer)
    }
  }

  /** @param {number} timer */
  deadlineOf (timer) {
    return this.#deadlines[timer]
  }

  /** @param {number} timer */
  payloadOf (timer) {
    return this.#handles.payloadOf(timer)
  }

  /** @param {number} timer */
  isPending (timer) {
    return this.#previous[timer] !== IDLE
  }

  /**
   * @param {number} timer  A timer without children.
   * @param {number} deadline
   */
  #add (timer, deadline) {
    const latest = this.#latest
    if (deadline >= this.#deadlines[latest]) {
      this.#hang(timer, latest)
      this.#latest = timer
      return
    }
    if (latest === NONE) this.#latest = timer
    const root = this.#root
    if (deadline >= this.#deadlines[root]) {
      this.#hang(timer, root)
    } else {
      this.#previous[timer] = NONE
      if (root !== NONE) this.#hang(root, timer)
      this.#root = timer
    }
  }

  /**
   * @param {number} tree  A root.
   * @param {number} parent  New parent of the tree, not due later.
   */
  #hang (tree, parent) {
    const child = this.#child[parent]
    this.#next[tree] = child
    this.#previous[child] = tree
    this.#previous[tree] = parent
    this.#child[parent] = tree
  }

  /** @param {number} timer */
  #takeOut (timer) {
    if (timer === this.#latest) this.#latest = NONE
    if (timer === this.#root) {
      this.#takeOutRoot()
      return
    }
    const orphans = this.#meldAll(this.#child[timer])
    this.#child[timer] = NONE
    this.#replace(timer, orphans)
  }

  #takeOutRoot () {
    const timer = this.#root
    const first = this.#child[timer]
    this.#child[timer] = NONE
    const second = this.#next[first]
    if (second === NONE) {
      this.#root = first
      this.#previous[first] = NONE
    } else if (this.#deadlines[first] === this.#deadlines[timer] && this.#child[first] === NONE) {
      // Its siblings are not due before it.
      this.#child[first] = second
      this.#previous[second] = first
      this.#root = first
      this.#next[first] = this.#previous[first] = NONE
    } else {
      this.#root = this.#meldAll(first)
    }
  }

  /**
   * Returns the earlier of two roots, with the other as its first child.
   *
   * @type {(a: number, b: number) => number}
   */
  #meld (a, b) {
    // The earlier root cannot be predicted, so nothing branches on it.
    const isSecond = Number(this.#deadlines[b] < this.#deadlines[a])
    const parent = a ^ ((a ^ b) & -isSecond)
    this.#hang(a ^ b ^ parent, parent)
    return parent
  }

  /**
   * @param {number} timer  Not the root.
   * @param {number} tree  Successor among the timer's siblings; NONE: none.
   */
  #replace (timer, tree) {
    const next = this.#next[timer]
    const previous = this.#previous[timer]
    let follower = next
    if (tree === NONE) {
      this.#previous[next] = previous
    } else {
      follower = tree
      this.#next[tree] = next
      this.#previous[next] = tree
      this.#previous[tree] = previous
    }
    if (this.#child[previous] === timer) this.#child[previous] = follower
    else this.#next[previous] = follower
    this.#next[timer] = NONE
  }

  /**
   * Melds siblings whose parent leaves. Returns the root; NONE if there are none.
   *
   * @param {number} first  First sibling.
   */
  #meldAll (first) {
    const nextOf = this.#next
    /** The melded pairs, the last one first. */
    let pairs = NONE
    while (first !== NONE) {
      const second = nextOf[first]
      const remaining = nextOf[second]
      const pair = second === NONE ? first : this.#meld(first, second)
      nextOf[pair] = pairs
      pairs = pair
      first = remaining
    }
    let root = pairs
    let pair = nextOf[root]
    while (pair !== NONE) {
      const next = nextOf[pair]
      root = this.#meld(root, pair)
      pair = next
    }
    nextOf[root] = NONE
    this.#previous[root] = NONE
    return root
  }

  #grow () {
    const capacity = 2 * this.#child.length
    this.#deadlines = lengthened(this.#deadlines, capacity)
    this.#child = lengthened(this.#child, capacity)
    this.#next = lengthened(this.#next, capacity)
    this.#previous = lengthened(this.#previous, capacity, IDLE)
  }
}
