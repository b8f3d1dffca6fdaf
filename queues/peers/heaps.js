/**
 * npm's binary heaps, each with what its adapter must know. None of them can remove an entry well, so nothing is
 * removed: see lazy-deletion.
 */
import { FEW, byDeadline, isEarlier } from './lazy-deletion.js'

/** @import { Heap } from './lazy-deletion.js' */

/** @type {Record<string, Heap>} */
export const heaps = {
  // It cannot remove an entry.
  tinyqueue: {
    create: ({ default: TinyQueue }) => new TinyQueue([], byDeadline),
    entries: heap => heap.data
  },
  // It cannot remove an entry.
  flatqueue: {
    structure: 'Binary heap in flat arrays',
    create: ({ default: FlatQueue }) => new FlatQueue(),
    push: (heap, entry) => heap.push(entry, entry.deadline),
    entries: heap => heap.ids.slice(0, heap.length),
    shrink: heap => {
      if (heap.ids.length > 2 * heap.length + FEW) heap.shrink()
    }
  },
  // To remove an entry, it searches the whole array.
  'heap-js': {
    create: ({ Heap }) => new Heap(byDeadline),
    push: (heap, entry) => heap.add(entry),
    entries: heap => heap.heapArray
  },
  // To remove an entry, it searches the whole array.
  fastpriorityqueue: {
    create: ({ default: FastPriorityQueue }) => new FastPriorityQueue(isEarlier),
    push: (heap, entry) => heap.add(entry),
    pop: heap => heap.poll(),
    // Not in its types, but a plain property that has always been there.
    entries: ({ array, size }) => array.slice(0, size),
    shrink: heap => {
      if (heap.array.length > 2 * heap.size + FEW) heap.trim()
    }
  },
  // To remove an entry, it pops everything and pushes it back.
  'datastructures-js-priority-queue': {
    from: '@datastructures-js/priority-queue',
    create: ({ PriorityQueue }) => new PriorityQueue(byDeadline),
    first: heap => heap.front(),
    push: (heap, entry) => heap.enqueue(entry),
    pop: heap => heap.dequeue(),
    // Its public methods list entries in sorted order only, which would cost more than popping and pushing them all.
    entries: heap => heap._heap.toArray()
  },
  // An array is its default strategy. It cannot remove an entry.
  'js-priority-queue': {
    create: ({ default: PriorityQueue }) => new PriorityQueue({ comparator: byDeadline }),
    first: heap => (heap.length > 0 ? heap.peek() : undefined),
    push: (heap, entry) => heap.queue(entry),
    pop: heap => heap.dequeue(),
    entries: heap => heap.priv.data
  },
  // A node that it removes from the middle is replaced by one that can only sink: in 61 of 1000 random sequences of
  // 100 operations it then popped out of order.
  binaryheap: {
    structure: 'Binary heap of linked nodes',
    create: ({ default: Heap }) => new Heap(true),
    first: heap => heap.root,
    push: (heap, entry) => heap.insert(entry, entry.deadline),
    entries: ({ root }) => {
      const entries = root ? [root] : []
      for (const { _left: left, _right: right } of entries) {
        if (left) entries.push(left)
        if (right) entries.push(right)
      }
      return entries
    }
  },
  // To remove an entry, it searches the whole array.
  'list-toolkit-heap': {
    from: 'list-toolkit/heap/min-heap.js',
    create: ({ default: MinHeap }) => new MinHeap({ less: isEarlier }),
    first: heap => heap.top,
    entries: heap => heap.array
  }
}
