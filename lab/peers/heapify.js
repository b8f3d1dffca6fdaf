/**
 * heapify: a binary heap of integers in typed arrays of fixed length. It cannot remove: see
 * queues/peers/lazy-deletion.js.
 */
import { MinQueue } from 'heapify'
import { LazyDeletion, declared } from '../../queues/peers/lazy-deletion.js'

export const meta = declared('heapify', 'Binary heap in typed arrays')

export class HeapifyTimers extends LazyDeletion {
  #capacity = 64
  #heap = new MinQueue(this.#capacity, [], [], Uint32Array, Float64Array)
  /** By the integer that stands for each entry in the heap. */
  #entries = []
  #free = []

  first () {
    return this.#heap.size === 0 ? undefined : this.#entries[this.#heap.peek()]
  }

  push (entry) {
    if (this.#heap.size === this.#capacity) this.#grow()
    const id = this.#free.pop() ?? this.#entries.length
    this.#entries[id] = entry
    this.#heap.push(id, entry.deadline)
  }

  pop () {
    this.#free.push(this.#heap.pop())
  }

  takeAll () {
    const entries = this.#ids().map(id => this.#entries[id])
    this.#entries = []
    this.#free = []
    this.#heap.clear()
    return entries
  }

  #grow () {
    const ids = this.#ids()
    this.#capacity *= 2
    this.#heap = new MinQueue(
      this.#capacity,
      ids,
      ids.map(id => this.#entries[id].deadline),
      Uint32Array,
      Float64Array
    )
  }

  /** Its public methods list no entries. */
  #ids () {
    this.#heap.removePoppedElement()
    return Array.from(this.#heap._keys.subarray(1, this.#heap.size + 1))
  }
}
