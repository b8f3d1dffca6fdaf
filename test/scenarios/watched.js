/** A queue whose calls a test sees. */
import { BinaryHeap } from '../../queues/binary-heap.js'

/**
 * @param {string} method
 * @param {(...args: any[]) => void} see  Called with the arguments of each call, before it.
 * @param {any} [queue]
 */
export function watched (method, see, queue = new BinaryHeap()) {
  const original = queue[method]
  queue[method] = (/** @type {any[]} */ ...args) => {
    see(...args)
    return original.apply(queue, args)
  }
  return queue
}
