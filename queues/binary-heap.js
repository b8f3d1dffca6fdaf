/**
 * Binary min-heap of timers by deadline, in typed arrays. Each timer's place is kept, so cancelling needs no search.
 *
 *   insert      O(log n)   O(1) when nothing is due later
 *   cancel      O(log n)
 *   reschedule  O(log n)   one percolation, up or down
 *   nextExpiry  O(1)
 *   advance     O(k log n) for k expired timers
 *
 * Timers fire by deadline; ties in any order. This is the heap that others are compared with, so it percolates as the textbook
 * says, even where its array is sorted: quaternary-heap then knows better.
 * Source: the Node wiki, "Optimizing _unrefActive", 2014, second alternative. All but percolation is in parts/array-heap.js.
 */
import { ArrayHeap } from './parts/array-heap.js'

/** @type {import('./contract.js').QueueMeta} */
export const meta = {
  name: 'binary-heap',
  title: 'Binary heap of timers that know their index',
  complexity: { insert: 'O(log n)', cancel: 'O(log n)', reschedule: 'O(log n)', nextExpiry: 'O(1)', advance: 'O(k log n)' },
  order: 'deadline',
  accuracy: 'exact',
  pause: 'bounded',
  source: 'J. W. J. Williams, "Algorithm 232: Heapsort", CACM 7(6), 1964'
}

export class BinaryHeap extends ArrayHeap {
  constructor () {
    super(false)
  }

  /**
   * @override
   * @param {number} timer
   * @param {number} deadline
   * @param {number} place
   */
  percolateUp (timer, deadline, place) {
    const { deadlines, timers } = this
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (deadlines[parent] <= deadline) break
      this.put(timers[parent], deadlines[parent], place)
      place = parent
    }
    this.put(timer, deadline, place)
  }

  /**
   * Which child is earlier cannot be predicted, so nothing branches on it. For the same reason the earlier of the
   * grandchildren is found below both children: waiting for one comparison before the next is what takes the time.
   *
   * @override
   * @param {number} timer
   * @param {number} deadline
   * @param {number} place
   */
  settle (timer, deadline, place) {
    const { deadlines, timers, end } = this
    if (place > 0 && deadline < deadlines[(place - 1) >> 1]) return this.percolateUp(timer, deadline, place)
    for (let left = 2 * place + 1; left < end; left = 2 * place + 1) {
      const isRight = Number(deadlines[left + 1] < deadlines[left])
      const child = left + isRight
      if (deadlines[child] >= deadline) break
      this.put(timers[child], deadlines[child], place)
      place = child

      const first = 2 * left + 1
      if (first + 3 >= end) continue
      const ofLeft = Number(deadlines[first + 1] < deadlines[first])
      const ofRight = 2 + Number(deadlines[first + 3] < deadlines[first + 2])
      const grandchild = first + (ofLeft ^ ((ofLeft ^ ofRight) & -isRight))
      if (deadlines[grandchild] >= deadline) break
      this.put(timers[grandchild], deadlines[grandchild], place)
      place = grandchild
    }
    this.put(timer, deadline, place)
  }
}
