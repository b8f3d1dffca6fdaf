/**
 * A heap in which one of many calls of a method is slow. The URL says which one and how slow:
 * `rarely-slow-queue.js?method=advance&every=8&blocks=10000`.
 */
import { BinaryHeap } from '../../../../queues/binary-heap.js'

const { searchParams } = new URL(import.meta.url)
const method = String(searchParams.get('method'))
const every = Number(searchParams.get('every'))
const blocks = Number(searchParams.get('blocks'))

/** Never read; keeps the loop from being optimised away. */
export let sum = 0

export default class RarelySlowQueue extends BinaryHeap {
  calls = 0
}

/** @type {Record<string, any>} */
const { prototype } = RarelySlowQueue
const fast = prototype[method]
prototype[method] = function (/** @type {unknown[]} */ ...parameters) {
  if (++this.calls % every === 0) {
    for (let i = 0; i < blocks; i++) sum = (sum + i) | 0
  }
  return fast.apply(this, parameters)
}
