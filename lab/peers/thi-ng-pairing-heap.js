/** @thi.ng/heaps: a pairing heap. It cannot remove: see queues/peers/lazy-deletion.js. */
import { PairingHeap } from '@thi.ng/heaps'
import { LazyDeletion, byDeadline, declared } from '../../queues/peers/lazy-deletion.js'

export const meta = declared('thi-ng-pairing-heap', 'Pairing heap', '@thi.ng/heaps')

export class ThiNgPairingHeapTimers extends LazyDeletion {
  #heap = new PairingHeap(null, { compare: byDeadline })

  first () {
    return this.#heap.peek()
  }

  push (entry) {
    this.#heap.push(entry)
  }

  pop () {
    this.#heap.pop()
  }

  takeAll () {
    const entries = []
    this.#heap.visit(entry => entries.push(entry) > 0)
    this.#heap.clear()
    return entries
  }
}
