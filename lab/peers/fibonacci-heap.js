/** @tyriar/fibonacci-heap: a Fibonacci heap of linked nodes. It can remove, and move a node to an earlier key. */
import { FibonacciHeap } from '@tyriar/fibonacci-heap'

/** @type {import('../../queues/contract.js').QueueMeta} */
export const meta = {
  name: 'fibonacci-heap',
  title: "Fibonacci heap of npm's @tyriar/fibonacci-heap",
  complexity: {
    insert: 'O(1)',
    cancel: 'O(log n) amortised',
    reschedule: 'O(log n) amortised',
    nextExpiry: 'O(1)',
    advance: 'O(k log n) amortised'
  },
  order: 'deadline',
  accuracy: 'exact',
  source: 'npm package @tyriar/fibonacci-heap'
}

class NodeTimer {
  deadline = 0
  /** null while idle */
  node = null

  constructor (payload) {
    this.payload = payload
  }
}

export class FibonacciHeapTimers {
  #heap = new FibonacciHeap()

  get size () {
    return this.#heap.size()
  }

  createTimer (payload) {
    return new NodeTimer(payload)
  }

  releaseTimer () {}

  insert (timer, deadline) {
    timer.deadline = deadline
    timer.node = this.#heap.insert(deadline, timer)
  }

  cancel (timer) {
    if (timer.node === null) return false
    this.#heap.delete(timer.node)
    timer.node = null
    return true
  }

  reschedule (timer, deadline) {
    if (timer.node !== null && deadline < timer.deadline) {
      timer.deadline = deadline
      this.#heap.decreaseKey(timer.node, deadline)
    } else {
      this.cancel(timer)
      this.insert(timer, deadline)
    }
  }

  nextExpiry () {
    return this.#heap.findMinimum()?.key ?? Infinity
  }

  advance (now, expire) {
    while (this.nextExpiry() <= now) {
      const { value } = this.#heap.extractMinimum()
      value.node = null
      expire(value)
    }
  }

  deadlineOf (timer) {
    return timer.deadline
  }

  payloadOf (timer) {
    return timer.payload
  }

  isPending (timer) {
    return timer.node !== null
  }
}
