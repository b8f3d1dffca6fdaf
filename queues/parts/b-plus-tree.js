/**
 * B+-tree in typed arrays: an ordered map from numbers to small integers. No value has two keys.
 *
 * A node is a block of the arrays with the block's number. Its entries lie side by side anywhere within the block, so
 * removing the first or the last moves no other. The entries of a leaf are values, those of an inner node are nodes: no
 * key below a node comes before the node's own key, except below the first. The tree knows the leaf of each value, so
 * removing a value needs no search from the root.
 *
 *   lowestKey    O(1)
 *   getOrInsert  O(log n)   O(1) for a key after all others, unless the last leaf is full
 *   replace      O(1)
 *   remove       O(log n)   O(1) unless it leaves the leaf empty
 *
 * A node is dropped when it is empty, not merged when it is half empty: deadlines come at one end and leave at the
 * other, so nodes become empty by themselves. Until then the height, log n, is that of the tree at its largest.
 * Source: R. Bayer and E. McCreight, 1972; D. Comer, 1979. Free-at-empty: T. Johnson and D. Shasha, "B-trees with
 * inserts and deletes: why free-at-empty is better than merge-at-half", 1993.
 */
import { lengthened } from './handles.js'

/** A node has at most this many entries. */
const FANOUT = 32
const NONE = -1

export class BPlusTree {
  #keys = new Float64Array(4 * FANOUT)
  #entries = new Int32Array(4 * FANOUT)
  /** Slot of each node's first entry, and slot after its last. A slot is an index of the arrays above. */
  #begins = new Int32Array(4)
  #ends = new Int32Array(4)
  #nodes = 0
  /** @type {number[]} */
  #dropped = []
  /** Leaf by value. */
  #leafOf = new Int32Array(64).fill(NONE)
  /** Levels of inner nodes above the leaves. */
  #height = 0
  #root = this.#createNode()
  #firstLeaf = this.#root
  #lastLeaf = this.#root
  /** Most deadlines are the latest so far, or equal to it. Comparing with a field is faster than with the last leaf. */
  #highestKey = -Infinity
  #highestValue = NONE

  /** The tree must not be empty. */
  get lowestKey () {
    return this.#keys[this.#begins[this.#firstLeaf]]
  }

  /** The tree must not be empty. */
  get lowestValue () {
    return this.#entries[this.#begins[this.#firstLeaf]]
  }

  /** @param {number} count  Values will be lower. */
  reserve (count) {
    this.#leafOf = lengthened(this.#leafOf, count, NONE)
  }

  /** @param {number} value */
  has (value) {
    return this.#leafOf[value] !== NONE
  }

  /**
   * Returns the value of a key, inserted if the key has none.
   *
   * @type {(key: number, value: number) => number}
   */
  getOrInsert (key, value) {
    if (key === this.#highestKey) return this.#highestValue
    if (key > this.#highestKey) {
      this.#append(key, value)
      return value
    }
    const leaf = this.#leafWithRoom(key)
    const slot = this.#slotAfter(leaf, key)
    if (slot > this.#begins[leaf] && this.#keys[slot - 1] === key) return this.#entries[slot - 1]
    this.#put(leaf, slot, key, value)
    this.#leafOf[value] = leaf
    return value
  }

  /**
   * @param {number} key  A key after all others.
   * @param {number} value
   */
  #append (key, value) {
    const leaf = this.#isFull(this.#lastLeaf) ? this.#leafWithRoom(key) : this.#lastLeaf
    this.#put(leaf, this.#ends[leaf], key, value)
    this.#leafOf[value] = leaf
    this.#highestKey = key
    this.#highestValue = value
  }

  /**
   * @param {number} value
   * @param {number} other  Not in the tree; takes over the key of the value.
   */
  replace (value, other) {
    this.#entries[this.#slotOf(value)] = other
    this.#leafOf[other] = this.#leafOf[value]
    this.#leafOf[value] = NONE
    if (value === this.#highestValue) this.#highestValue = other
  }

  /** @param {number} value */
  remove (value) {
    const leaf = this.#leafOf[value]
    const slot = this.#slotOf(value)
    const key = this.#keys[slot]
    this.#takeOut(leaf, slot)
    this.#leafOf[value] = NONE
    if (this.#isEmpty(leaf) && leaf !== this.#root) this.#dropLeaf(key)
    if (value === this.#highestValue) this.#findHighest()
  }

  /** @param {number} value */
  #slotOf (value) {
    const entries = this.#entries
    let slot = this.#begins[this.#leafOf[value]]
    while (entries[slot] !== value) slot++
    return slot
  }

  /**
   * The slot after the last key that is at most this one, or the first slot.
   *
   * @type {(node: number, key: number) => number}
   */
  #slotAfter (node, key) {
    const keys = this.#keys
    const begin = this.#begins[node]
    let slot = this.#ends[node]
    while (slot > begin && keys[slot - 1] > key) slot--
    return slot
  }

  /**
   * @param {number} node
   * @param {number} key  A key before all keys of the node belongs below the first entry.
   */
  #slotOfChild (node, key) {
    return Math.max(this.#begins[node], this.#slotAfter(node, key) - 1)
  }

  /**
   * Finds the leaf where a key belongs, and splits full nodes on the way.
   *
   * @param {number} key
   */
  #leafWithRoom (key) {
    if (this.#isFull(this.#root)) this.#addRoot()
    let node = this.#root
    let isLast = true
    for (let level = this.#height; level > 0; level--) {
      let slot = this.#slotOfChild(node, key)
      isLast &&= slot === this.#ends[node] - 1
      if (this.#isFull(this.#entries[slot])) {
        // Deadlines come at the end, so the node that stays behind there keeps nearly all entries.
        const right = this.#split(this.#entries[slot], isLast ? FANOUT - 1 : FANOUT >> 1, level === 1)
        this.#put(node, slot + 1, this.#keys[this.#begins[right]], right)
        slot = this.#slotOfChild(node, key)
        isLast &&= this.#entries[slot] === right
      }
      node = this.#entries[slot]
    }
    return node
  }

  #addRoot () {
    const root = this.#createNode()
    this.#put(root, this.#begins[root], this.#keys[this.#begins[this.#root]], this.#root)
    this.#root = root
    this.#height++
  }

  /**
   * Keeps some entries of a full node; returns a new node with the others.
   *
   * @type {(node: number, kept: number, isLeaf: boolean) => number}
   */
  #split (node, kept, isLeaf) {
    const right = this.#createNode()
    const from = node * FANOUT + kept
    const to = right * FANOUT
    for (let i = 0; i < FANOUT - kept; i++) {
      this.#keys[to + i] = this.#keys[from + i]
      this.#entries[to + i] = this.#entries[from + i]
      if (isLeaf) this.#leafOf[this.#entries[to + i]] = right
    }
    this.#ends[node] = from
    this.#ends[right] = to + FANOUT - kept
    if (node === this.#lastLeaf) this.#lastLeaf = right
    return right
  }

  /**
   * Puts an entry before the one in a slot; the node is not full.
   *
   * @type {(node: number, slot: number, key: number, entry: number) => void}
   */
  #put (node, slot, key, entry) {
    const keys = this.#keys
    const entries = this.#entries
    const start = node * FANOUT
    let end = this.#ends[node]
    if (end === start + FANOUT) {
      const shift = this.#begins[node] - start
      for (let i = start + shift; i < end; i++) {
        keys[i - shift] = keys[i]
        entries[i - shift] = entries[i]
      }
      this.#begins[node] = start
      slot -= shift
      end -= shift
    }
    for (let i = end; i > slot; i--) {
      keys[i] = keys[i - 1]
      entries[i] = entries[i - 1]
    }
    keys[slot] = key
    entries[slot] = entry
    this.#ends[node] = end + 1
  }

  /**
   * Moves the entries on the shorter side.
   *
   * @type {(node: number, slot: number) => void}
   */
  #takeOut (node, slot) {
    const keys = this.#keys
    const entries = this.#entries
    const begin = this.#begins[node]
    const last = this.#ends[node] - 1
    if (slot - begin < last - slot) {
      for (let i = slot; i > begin; i--) {
        keys[i] = keys[i - 1]
        entries[i] = entries[i - 1]
      }
      this.#begins[node] = begin + 1
    } else {
      for (let i = slot; i < last; i++) {
        keys[i] = keys[i + 1]
        entries[i] = entries[i + 1]
      }
      this.#ends[node] = last
    }
  }

  /** @param {number} key  Last key of the empty leaf. */
  #dropLeaf (key) {
    this.#dropBelow(this.#root, this.#height, key)
    while (this.#height > 0 && this.#ends[this.#root] - this.#begins[this.#root] === 1) {
      this.#dropped.push(this.#root)
      this.#root = this.#entries[this.#begins[this.#root]]
      this.#height--
    }
    this.#firstLeaf = this.#lastLeaf = this.#root
    for (let level = this.#height; level > 0; level--) {
      this.#firstLeaf = this.#entries[this.#begins[this.#firstLeaf]]
      this.#lastLeaf = this.#entries[this.#ends[this.#lastLeaf] - 1]
    }
  }

  /**
   * Drops the empty leaf of a key, and inner nodes that become empty.
   *
   * @type {(node: number, level: number, key: number) => void}
   */
  #dropBelow (node, level, key) {
    const slot = this.#slotOfChild(node, key)
    const child = this.#entries[slot]
    if (level > 1) this.#dropBelow(child, level - 1, key)
    if (!this.#isEmpty(child)) return
    this.#dropped.push(child)
    this.#takeOut(node, slot)
  }

  #findHighest () {
    const last = this.#ends[this.#lastLeaf] - 1
    const isEmpty = this.#isEmpty(this.#lastLeaf)
    this.#highestKey = isEmpty ? -Infinity : this.#keys[last]
    this.#highestValue = isEmpty ? NONE : this.#entries[last]
  }

  /** @param {number} node */
  #isEmpty (node) {
    return this.#begins[node] === this.#ends[node]
  }

  /** @param {number} node */
  #isFull (node) {
    return this.#ends[node] - this.#begins[node] === FANOUT
  }

  #createNode () {
    const node = this.#dropped.pop() ?? this.#nodes++
    if (node === this.#begins.length) {
      this.#begins = lengthened(this.#begins, 2 * node)
      this.#ends = lengthened(this.#ends, 2 * node)
      this.#keys = lengthened(this.#keys, 2 * node * FANOUT)
      this.#entries = lengthened(this.#entries, 2 * node * FANOUT)
    }
    this.#begins[node] = this.#ends[node] = node * FANOUT
    return node
  }
}
