/**
 * A FIFO list of timers per duration and a binary heap of the lists: Node's own design.
 *
 * Timers of one duration expire in the order started, so appending keeps a list sorted. The heap orders the lists by
 * the deadline of their first timer. A list is not moved when its first timer leaves or is refreshed, so a list may
 * wake up early. Then the list takes the deadline of its present first timer and sinks.
 *
 *   insert      O(log n)   amortised; O(1) when its list exists; the heap has one entry per duration
 *   cancel      O(log n)   O(1) unless its list becomes empty
 *   reschedule  O(log n)   amortised, likewise
 *   nextExpiry  O(1)       the time when a list wakes up; its first timer may be due later
 *   advance     O(k log n) amortised for k expired timers; a list that was refreshed sinks when it wakes up
 *
 * Timers fire list by list, in no particular order. The caller's duration decides the list; without one, the duration
 * counts from the latest advance.
 * Source: Node.js pull requests 4007 (lists in a map, 2016) and 20555 (a heap of lists, 2018).
 */
import { DurationTable } from './parts/duration-table.js'
import { IndexedHeap, NOT_IN_HEAP } from './parts/indexed-heap.js'

/** @import { QueueMeta } from './contract.js' */

/** @type {QueueMeta} */
export const meta = {
  name: 'duration-lists',
  title: "A FIFO list per duration and a heap of lists: Node's design",
  complexity: {
    insert: 'O(log n) amortised',
    cancel: 'O(log n)',
    reschedule: 'O(log n) amortised',
    nextExpiry: 'O(1)',
    advance: 'O(k log n) amortised'
  },
  order: 'none',
  accuracy: 'exact',
  source: 'Node.js pull requests 4007 (2016) and 20555 (2018)'
}

class DurationTimer {
  /** Absolute milliseconds; meaningful while pending. */
  deadline = 0
  /** @type {DurationList | null} null while idle */
  list = null
  /** @type {DurationTimer | null} */
  next = null
  /** @type {DurationTimer | null} */
  previous = null

  /** @param {unknown} payload */
  constructor (payload) {
    this.payload = payload
  }
}

/** Timers of one duration. `deadline` is the time when the list wakes up: never later than its first timer's. */
class DurationList {
  index = NOT_IN_HEAP
  /** @type {DurationTimer | null} */
  first = null
  /** @type {DurationTimer | null} */
  last = null

  /**
   * @param {number} duration
   * @param {number} deadline
   */
  constructor (duration, deadline) {
    this.duration = duration
    this.deadline = deadline
  }
}

export class DurationLists {
  size = 0
  #now = 0
  /** @type {DurationTable<DurationList>} */
  #lists = new DurationTable()
  /** Lists by the time when they wake up. */
  #heap
  /**
   * Empty lists to reuse.
   *
   * @type {DurationList[]}
   */
  #spare = []

  /**
   * @param {Pick<IndexedHeap<DurationList>, 'size' | 'first' | 'push' | 'remove' | 'moved'>} heap  Queue of the
   *   lists, the first to wake up first.
   */
  constructor (heap = new IndexedHeap()) {
    this.#heap = heap
  }

  /** @param {unknown} payload */
  createTimer (payload) {
    return new DurationTimer(payload)
  }

  releaseTimer () {}

  /** @type {(timer: DurationTimer, deadline: number, duration?: number) => void} */
  insert (timer, deadline, duration = deadline - this.#now) {
    let list = this.#lists.find(duration)
    if (list === null) {
      list = this.#createList(duration, deadline)
      this.#lists.add(list)
      this.#heap.push(list)
    } else if (deadline < list.deadline) {
      list.deadline = deadline
      this.#heap.moved(list)
    }
    timer.deadline = deadline
    append(timer, list)
    this.size++
  }

  /** @param {DurationTimer} timer */
  cancel (timer) {
    const { list } = timer
    if (list === null) return false
    unlink(timer, list)
    this.size--
    if (list.first === null) {
      this.#heap.remove(list)
      this.#lists.remove(list)
      this.#spare.push(list)
    }
    return true
  }

  /** @type {(timer: DurationTimer, deadline: number, duration?: number) => void} */
  reschedule (timer, deadline, duration = deadline - this.#now) {
    const { list } = timer
    if (list !== null && list.duration === duration && deadline >= timer.deadline) {
      unlink(timer, list)
      timer.deadline = deadline
      append(timer, list)
    } else {
      this.cancel(timer)
      this.insert(timer, deadline, duration)
    }
  }

  nextExpiry () {
    return this.#heap.size === 0 ? Infinity : this.#heap.first.deadline
  }

  /** @type {(now: number, expire: (timer: DurationTimer) => void) => void} */
  advance (now, expire) {
    this.#now = now
    while (this.nextExpiry() <= now) {
      const list = this.#heap.first
      const timer = /** @type {DurationTimer} */ (list.first)
      if (timer.deadline <= now) {
        this.cancel(timer)
        expire(timer)
      } else {
        list.deadline = timer.deadline
        this.#heap.moved(list)
      }
    }
  }

  /** @param {DurationTimer} timer */
  deadlineOf (timer) {
    return timer.deadline
  }

  /** @param {DurationTimer} timer */
  payloadOf (timer) {
    return timer.payload
  }

  /** @param {DurationTimer} timer */
  isPending (timer) {
    return timer.list !== null
  }

  /** @type {(duration: number, deadline: number) => DurationList} */
  #createList (duration, deadline) {
    const list = this.#spare.pop()
    if (list === undefined) return new DurationList(duration, deadline)
    list.duration = duration
    list.deadline = deadline
    return list
  }
}

/**
 * Timers due later can be in front only if the clock went backwards; the timer goes before them.
 *
 * @type {(timer: DurationTimer, list: DurationList) => void}
 */
function append (timer, list) {
  let previous = list.last
  while (previous !== null && previous.deadline > timer.deadline) previous = previous.previous
  const next = previous === null ? list.first : previous.next
  timer.list = list
  timer.previous = previous
  timer.next = next
  if (previous === null) list.first = timer
  else previous.next = timer
  if (next === null) list.last = timer
  else next.previous = timer
}

/** @type {(timer: DurationTimer, list: DurationList) => void} */
function unlink (timer, list) {
  const { next, previous } = timer
  if (previous === null) list.first = next
  else previous.next = next
  if (next === null) list.last = previous
  else next.previous = previous
  timer.list = timer.next = timer.previous = null
}
