/**
 * Ordered map of deadlines: a B-tree whose leaves hold a ring of timers for each deadline.
 *
 *   insert      O(log n)   O(1) after the search when the deadline exists
 *   cancel      O(log n)   O(1) unless it is the last of its deadline
 *   reschedule  O(log n)
 *   nextExpiry  O(log n)
 *   advance     O(k log n) for k expired timers
 *
 * Timers fire by deadline, ties in the order started. A node is dropped when it is empty, not merged when it is half
 * empty: deadlines come at one end and leave at the other, so nodes become empty by themselves.
 * Source: R. Bayer and E. McCreight, 1972; suggested in neqo pull request 1780. Free-at-empty:
 * T. Johnson and D. Shasha, "B-trees with inserts and deletes: why free-at-empty is better than merge-at-half", 1993.
 */
import { LinkedTimers, createRing } from './parts/linked-timers.js'

/** @type {import('./contract.js').QueueMeta} */
export const meta = {
  name: 'ordered-map',
  title: 'Ordered map of deadlines: a B-tree',
  complexity: {
    insert: 'O(log n)',
    cancel: 'O(log n)',
    reschedule: 'O(log n)',
    nextExpiry: 'O(log n)',
    advance: 'O(k log n)'
  },
  order: 'fifo',
  accuracy: 'exact',
  source: 'Bayer and McCreight, Acta Informatica 1, 1972; suggested in neqo pull request 1780'
}

/** A node has at most this many entries. */
const FANOUT = 32

/**
 * @typedef {import('./parts/linked-timers.js').Linked} Linked
 * @typedef {ReturnType<LinkedTimers['createTimer']>} ListTimer
 */

/** No deadline below entries[i] is before keys[i], except for i = 0. The entries of a leaf are rings of timers. */
class Node {
  /**
   * @param {boolean} leaf
   * @param {number[]} keys
   * @param {any[]} entries
   */
  constructor (leaf, keys, entries) {
    this.leaf = leaf
    this.keys = keys
    this.entries = entries
  }
}

export class OrderedMap extends LinkedTimers {
  #root = new Node(true, [], [])
  /** The last leaf, or an empty one. A timer that is due after all others needs no search. */
  #last = this.#root
  /** @type {Linked[]} */
  #spareRings = []

  /**
   * @override
   * @param {ListTimer} timer
   * @param {number} deadline
   */
  insert (timer, deadline) {
    const isAfterAll = this.#isAfterAll(deadline)
    const leaf = isAfterAll ? this.#last : this.#leafWithRoom(deadline)
    let index = isAfterAll ? leaf.keys.length - 1 : lastNotAfter(leaf.keys, deadline)
    if (leaf.keys[index] !== deadline) put(leaf, ++index, deadline, this.#takeRing())
    this.insertAfter(timer, deadline, leaf.entries[index].previous)
  }

  /**
   * @override
   * @param {ListTimer} timer
   */
  cancel (timer) {
    const { next, previous } = timer
    if (!super.cancel(timer)) return false
    // Only the head is left in the ring.
    if (next === previous) this.#remove(timer.deadline, /** @type {Linked} */ (/** @type {unknown} */ (next)))
    return true
  }

  nextExpiry () {
    return this.size === 0 ? Infinity : this.#firstRing().next.deadline
  }

  /**
   * @param {number} now
   * @param {(timer: ListTimer) => void} expire
   */
  advance (now, expire) {
    while (this.size > 0) {
      const timer = this.#firstRing().next
      if (timer.deadline > now) return
      this.cancel(timer)
      expire(timer)
    }
  }

  /** @returns {Linked} the head of the earliest deadline's ring; the queue must not be empty */
  #firstRing () {
    let node = this.#root
    while (!node.leaf) node = node.entries[0]
    return node.entries[0]
  }

  /** @param {number} deadline */
  #isAfterAll (deadline) {
    const { keys } = this.#last
    return keys.length > 0 && keys.length < FANOUT && deadline >= keys[keys.length - 1]
  }

  /**
   * Finds the leaf where a deadline belongs, and splits full nodes on the way.
   *
   * @param {number} deadline
   */
  #leafWithRoom (deadline) {
    if (this.#root.keys.length === FANOUT) this.#root = new Node(false, [this.#root.keys[0]], [this.#root])
    let node = this.#root
    let isLast = true
    while (!node.leaf) {
      const index = childFor(node, deadline)
      const child = node.entries[index]
      if (child.keys.length < FANOUT) {
        isLast &&= index === node.entries.length - 1
        node = child
      } else {
        // Deadlines come at the end, so the node that stays behind there keeps nearly all entries.
        const right = splitOff(child, isLast && index === node.entries.length - 1 ? FANOUT - 1 : FANOUT >> 1)
        if (child === this.#last) this.#last = right
        put(node, index + 1, right.keys[0], right)
      }
    }
    if (isLast) this.#last = node
    return node
  }

  /**
   * @param {number} deadline  In the tree.
   * @param {Linked} ring  Its ring, now empty.
   */
  #remove (deadline, ring) {
    remove(this.#root, deadline)
    while (!this.#root.leaf && this.#root.entries.length === 1) this.#root = this.#root.entries[0]
    this.#spareRings.push(ring)
  }

  #takeRing () {
    return this.#spareRings.pop() ?? createRing()
  }
}

/**
 * Splits a full node.
 *
 * @param {Node} node
 * @param {number} index  Of the first entry that is split off.
 */
function splitOff (node, index) {
  return new Node(node.leaf, node.keys.splice(index), node.entries.splice(index))
}

/**
 * @param {Node} node
 * @param {number} deadline  Somewhere below the node.
 * @returns {boolean} whether the node is empty now
 */
function remove (node, deadline) {
  const index = childFor(node, deadline)
  if (node.leaf || remove(node.entries[index], deadline)) takeOut(node, index)
  return node.entries.length === 0
}

/**
 * @param {Node} node
 * @param {number} index
 * @param {number} key
 * @param {Linked | Node} entry
 */
function put ({ keys, entries }, index, key, entry) {
  // For so few entries, splice() would take three times as long.
  for (let i = keys.length; i > index; i--) {
    keys[i] = keys[i - 1]
    entries[i] = entries[i - 1]
  }
  keys[index] = key
  entries[index] = entry
}

/**
 * @param {Node} node
 * @param {number} index
 */
function takeOut ({ keys, entries }, index) {
  if (index === 0) {
    keys.shift()
    entries.shift()
    return
  }
  const last = keys.length - 1
  for (let i = index; i < last; i++) {
    keys[i] = keys[i + 1]
    entries[i] = entries[i + 1]
  }
  keys.pop()
  entries.pop()
}

/**
 * A deadline before all keys of an inner node belongs below its first entry.
 *
 * @param {Node} node
 * @param {number} deadline
 */
function childFor (node, deadline) {
  return Math.max(0, lastNotAfter(node.keys, deadline))
}

/**
 * @param {number[]} keys  Ascending.
 * @param {number} deadline
 * @returns {number} the index of the last key that is not after the deadline, -1 if all are
 */
function lastNotAfter (keys, deadline) {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (keys[middle] <= deadline) low = middle + 1
    else high = middle
  }
  return low - 1
}
