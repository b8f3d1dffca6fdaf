/**
 * A heap in which one of many calls of a method is slow. The URL says which one and how slow:
 * `rarely-slow-queue.js?method=advance&every=8&blocks=10000`.
 */
import { BinaryHeap } from '../../../../queues/binary-heap.js'

const { searchParams } = new URL(import.meta.url)
const method = searchParams.get('method')
const every = Number(searchParams.get('every'))
const blocks = Number(searchParams.get('blocks'))

/** Never read; keeps the loop from being optimised away. */
export let sum = 0

export default class RarelySlowQueue extends BinaryHeap {
  #calls = 0

  /** @param {Parameters<BinaryHeap['reschedule']>} parameters */
  reschedule (...parameters) {
    if (method === 'reschedule') this.#maybeSweep()
    super.reschedule(...parameters)
  }

  /** @param {Parameters<BinaryHeap['advance']>} parameters */
  advance (...parameters) {
    if (method === 'advance') this.#maybeSweep()
    super.advance(...parameters)
  }

  #maybeSweep () {
    this.#calls++
    if (this.#calls % every !== 0) return
    for (let i = 0; i < blocks; i++) sum = (sum + i) | 0
  }
}
