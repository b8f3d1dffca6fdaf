/**
 * Binary min-heap of timers by deadline, in typed arrays. Each timer knows its place, so cancelling needs no search. The root is
 * at place 1, the children of a place at twice the place and after it, its parent at half of it; parts/timer-heap.js has the rest.
 *
 *   insert      O(log n)   O(1) when nothing is due later
 *   cancel      O(log n)
 *   reschedule  O(log n)   one percolation, up or down
 *   nextExpiry  O(1)       O(log n) the first time in a callback
 *   advance     O(k log n) for k expired timers
 *
 * Timers fire by deadline; ties in any order. Other heaps are compared with this one, so it percolates as the textbook says even if
 * its array is sorted (see quaternary-heap). createTimer copies the arrays when they are full.
 * Source: the Node wiki, "Optimizing _unrefActive", 2014, second alternative.
 */
import { FIRST_ROOT, TimerHeap } from './parts/timer-heap.js'

/** @import { QueueMeta } from './contract.js' */

/** @type {QueueMeta} */
export const meta = {
  name: 'binary-heap',
  title: 'Binary heap of timers that know their index',
  complexity: { insert: 'O(log n)', cancel: 'O(log n)', reschedule: 'O(log n)', nextExpiry: 'O(1)', advance: 'O(k log n)' },
  order: 'deadline',
  accuracy: 'exact',
  pause: 'bounded',
  source: 'J. W. J. Williams, "Algorithm 232: Heapsort", CACM 7(6), 1964'
}

/** Places after the last leaf: it may have no sibling to be compared with. */
const SPARE = 1

export class BinaryHeap extends TimerHeap {
  constructor () {
    super(SPARE)
  }

  /** @override @type {(timer: number, deadline: number, place: number) => void} */
  settle (timer, deadline, place) {
    if (deadline < this.deadlines[place >> 1]) this.percolateUp(timer, deadline, place)
    else this.percolateDown(timer, deadline, place)
  }

  /** @override @type {(timer: number, deadline: number, place: number) => void} */
  percolateUp (timer, deadline, place) {
    const { deadlines, timers, placeOf } = this
    for (; ;) {
      const parent = place >> 1
      const parentDeadline = deadlines[parent]
      if (parentDeadline <= deadline) break
      const moved = timers[parent]
      timers[place] = moved
      deadlines[place] = parentDeadline
      placeOf[moved] = place
      place = parent
    }
    timers[place] = timer
    deadlines[place] = deadline
    placeOf[timer] = place
  }

  /**
   * The earlier child cannot be predicted, so nothing branches on it. For the same reason the earlier grandchild is found below
   * both children: the time goes into waiting for one comparison before the next.
   *
   * @override @type {(timer: number, deadline: number, place: number) => void}
   */
  percolateDown (timer, deadline, place) {
    const { deadlines, timers, placeOf, end } = this
    for (let left = place << 1; left < end; left = place << 1) {
      const isRight = Number(deadlines[left | 1] < deadlines[left])
      const child = left | isRight
      const childDeadline = deadlines[child]
      if (childDeadline >= deadline) break
      const moved = timers[child]
      timers[place] = moved
      deadlines[place] = childDeadline
      placeOf[moved] = place
      place = child

      const first = left << 1
      if ((first | 3) >= end) continue
      const ofLeft = Number(deadlines[first | 1] < deadlines[first])
      const ofRight = 2 | Number(deadlines[first | 3] < deadlines[first | 2])
      const grandchild = first | (ofLeft ^ ((ofLeft ^ ofRight) & -isRight))
      const grandchildDeadline = deadlines[grandchild]
      if (grandchildDeadline >= deadline) break
      const follower = timers[grandchild]
      timers[place] = follower
      deadlines[place] = grandchildDeadline
      placeOf[follower] = place
      place = grandchild
    }
    timers[place] = timer
    deadlines[place] = deadline
    placeOf[timer] = place
  }

  /** @override @type {(timers: number) => void} */
  lengthen (timers) {
    super.lengthen(timers)
    this.lengthenHeap(FIRST_ROOT + timers)
  }
}
