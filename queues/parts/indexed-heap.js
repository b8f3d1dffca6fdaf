/**
 * Binary min-heap by deadline. Each entry knows its index, so any entry can be moved or removed without a search.
 * Entries are objects with `deadline` and `index`; an index of -1 means that the entry is not in the heap.
 *
 *   push        O(log n)
 *   remove      O(log n)
 *   moved       O(log n)   one sift, up or down
 *
 * Source: J. W. J. Williams, "Algorithm 232: Heapsort", CACM 7(6), 1964.
 *
 * @typedef {{deadline: number, index: number}} HeapEntry
 */

export const NOT_IN_HEAP = -1

/** @template {HeapEntry} E */
export class IndexedHeap {
  /** @type {E[]} */
  #entries = []

  get size () {
    return this.#entries.length
  }

  /** The entry with the earliest deadline. The heap must not be empty. */
  get first () {
    return this.#entries[0]
  }

  /** @param {E} entry */
  push (entry) {
    // Grows the array; percolating stores the entry where it belongs.
    this.#entries.push(entry)
    this.#percolateUp(entry, this.#entries.length - 1)
  }

  /** @param {E} entry */
  remove (entry) {
    const hole = entry.index
    const last = /** @type {E} */ (this.#entries.pop())
    entry.index = NOT_IN_HEAP
    // The last leaf may come from another subtree, so it can belong above the hole or below it.
    if (last !== entry) this.#settle(last, hole)
  }

  /**
   * Restores the order after the entry's deadline has changed.
   *
   * @param {E} entry
   */
  moved (entry) {
    this.#settle(entry, entry.index)
  }

  /**
   * @param {E} entry
   * @param {number} index  A free place, which may break the order of the heap.
   */
  #settle (entry, index) {
    if (index > 0 && entry.deadline < this.#entries[(index - 1) >> 1].deadline) this.#percolateUp(entry, index)
    else this.#percolateDown(entry, index)
  }

  /** @type {(entry: E, index: number) => void} */
  #percolateUp (entry, index) {
    const entries = this.#entries
    while (index > 0) {
      const parentIndex = (index - 1) >> 1
      const parent = entries[parentIndex]
      if (parent.deadline <= entry.deadline) break
      entries[index] = parent
      parent.index = index
      index = parentIndex
    }
    entries[index] = entry
    entry.index = index
  }

  /** @type {(entry: E, index: number) => void} */
  #percolateDown (entry, index) {
    const entries = this.#entries
    const size = entries.length
    for (let childIndex = 2 * index + 1; childIndex < size; childIndex = 2 * index + 1) {
      if (childIndex + 1 < size && entries[childIndex + 1].deadline < entries[childIndex].deadline) childIndex++
      const child = entries[childIndex]
      if (child.deadline >= entry.deadline) break
      entries[index] = child
      child.index = index
      index = childIndex
    }
    entries[index] = entry
    entry.index = index
  }
}
