/**
 * Min-heap of timers by deadline with four children per node, in typed arrays. Each timer's place is kept, so cancelling
 * needs no search.
 *
 * It is half as deep as a binary heap, and the four children that a percolation compares lie side by side in one array of
 * deadlines, usually in one cache line.
 *
 *   insert      O(log n)   O(1) when nothing is due later
 *   cancel      O(log n)
 *   reschedule  O(log n)   one percolation, up or down
 *   nextExpiry  O(1)
 *   advance     O(k log n) for k expired timers; O(k) while timers only start in the order of their deadlines, and expire
 *
 * Timers fire by deadline; ties in any order.
 * Source: D. B. Johnson, "Priority queues with update and finding minimum spanning trees", IPL 4(3), 1975;
 * A. LaMarca and R. Ladner, "The influence of caches on the performance of heaps", 1996. All but percolation is in
 * parts/array-heap.js.
 */
import { ArrayHeap } from './parts/array-heap.js'

/** @type {import('./contract.js').QueueMeta} */
export const meta = {
  name: 'quaternary-heap',
  title: 'Heap of four children a node, deadlines in a typed array',
  complexity: { insert: 'O(log n)', cancel: 'O(log n)', reschedule: 'O(log n)', nextExpiry: 'O(1)', advance: 'O(k log n)' },
  order: 'deadline',
  accuracy: 'exact',
  source: 'D. B. Johnson, Information Processing Letters 4(3), 1975; LaMarca and Ladner, 1996'
}

export class QuaternaryHeap extends ArrayHeap {
  constructor () {
    super(true)
  }

  /**
   * @override
   * @param {number} timer
   * @param {number} deadline
   * @param {number} place
   */
  percolateUp (timer, deadline, place) {
    const { deadlines, timers, root } = this
    while (place > root) {
      const parent = (place + 3 * root - 1) >> 2
      if (deadlines[parent] <= deadline) break
      this.put(timers[parent], deadlines[parent], place)
      place = parent
    }
    this.put(timer, deadline, place)
  }

  /**
   * @override
   * @param {number} timer
   * @param {number} deadline
   * @param {number} place
   */
  settle (timer, deadline, place) {
    const { deadlines, timers, root, end } = this
    if (place > root && deadline < deadlines[(place + 3 * root - 1) >> 2]) return this.percolateUp(timer, deadline, place)
    for (let first = 4 * place + 1 - 3 * root; first < end; first = 4 * place + 1 - 3 * root) {
      const child = earliestOfFour(deadlines, first)
      if (deadlines[child] >= deadline) break
      this.put(timers[child], deadlines[child], place)
      place = child
    }
    this.put(timer, deadline, place)
  }
}

/**
 * Which one is the earliest cannot be predicted, so nothing branches on it, and no comparison waits for another.
 *
 * @param {Float64Array} deadlines
 * @param {number} first
 */
function earliestOfFour (deadlines, first) {
  const a = deadlines[first]
  const b = deadlines[first + 1]
  const c = deadlines[first + 2]
  const d = deadlines[first + 3]
  const isSecond = Number(b < a)
  const isThird = Number(c < a) & Number(c < b)
  const isFourth = Number(d < a) & Number(d < b) & Number(d < c)
  return first + ((3 * isFourth) | (2 * isThird) | (isSecond & (1 - isThird)))
}
