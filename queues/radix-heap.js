/**
 * Radix heap: 55 buckets of timers, by the highest bit in which a deadline differs from the time of the latest expiry.
 *
 *   latest expiry   1001 0110
 *   deadlines       1001 0110   bucket 0: no bit differs
 *                   1001 0111   bucket 1
 *                   1001 010*   none: the time is past
 *                   1001 10**   bucket 4
 *                   101* ****   bucket 6
 *                   11** ****   bucket 7
 *
 * All deadlines of a bucket are earlier than those of the next. When a timer of the first bucket is due, the time moves
 * to this timer's deadline, and all timers of the bucket agree with it in one more bit at least: they are distributed
 * over lower buckets. So a timer moves at most once for each bit of its duration, and other buckets are not touched.
 *
 * The heap is monotone: its time never goes back. Timers have just this property, and in exchange nothing is compared
 * with other timers. A hierarchical wheel is the same structure with 256 buckets for every 8 bits, which moves a timer
 * less often, and wakes up early where a radix heap knows the earliest deadline of a bucket.
 *
 * A timer is a small integer; its fields lie side by side as in the hierarchical wheel:
 *
 *   links       [4 t] next   [4 t + 1] previous
 *   deadlines                                     [2 t + 1] deadline
 *
 *   insert      O(1)
 *   cancel      O(1)
 *   reschedule  O(1)   no relinking when the timer stays in its bucket
 *   nextExpiry  O(1)   too early if the earliest timer of a bucket has left it
 *   advance     O(k log n) amortised for k expired timers; at most as many moves as their durations have bits
 *
 * Timers fire by deadline; ties in any order. Not constant: an advance that opens a bucket moves all its timers, and a
 * timer already overdue when started is sorted in among the other overdue timers.
 * Source: R. Ahuja, K. Mehlhorn, J. Orlin and R. Tarjan, "Faster algorithms for the shortest path problem", JACM 37(2),
 * 1990: the one-level radix heap.
 */

import { lowestBit } from './parts/bits.js'
import { Handles } from './parts/handles.js'

/** @import { QueueMeta } from './contract.js' */

/** @type {QueueMeta} */
export const meta = {
  name: 'radix-heap',
  title: 'Radix heap: a bucket for each bit in which a deadline differs from the time',
  complexity: {
    insert: 'O(1)',
    cancel: 'O(1)',
    reschedule: 'O(1)',
    nextExpiry: 'O(1)',
    advance: 'O(k log n) amortised'
  },
  order: 'deadline',
  accuracy: 'exact',
  source: 'Ahuja, Mehlhorn, Orlin and Tarjan, JACM 37(2), 1990'
}

/** One for deadlines that have come, and one for each bit of a sum of two safe integers. */
const BUCKETS = 55
/** Bitwise operators see 32 bits; the bits above them are the epoch. */
const EPOCH = 2 ** 32
const EPOCH_BITS = 32
/** In the long run each timer is copied four times; at worst a fifth of the memory is unused. */
const GROWTH = 1.25
const IDLE = -1

/**
 * Bucket of a deadline: the number of its highest bit that differs from the time, counted from 1.
 *
 * @type {(deadline: number, time: number) => number}
 */
export function bucketOf (deadline, time) {
  const epochs = Math.floor(deadline / EPOCH) ^ Math.floor(time / EPOCH)
  return epochs === 0 ? bucketWithinEpoch(deadline, time) : 2 * EPOCH_BITS - Math.clz32(epochs)
}

/** @type {(deadline: number, time: number) => number} */
const bucketWithinEpoch = (deadline, time) => EPOCH_BITS - Math.clz32(deadline ^ time)

export class RadixHeap {
  size = 0
  /** No timer is due before this, except timers that were overdue when started. */
  #time = 0
  #epochEnd = EPOCH

  #handles = new Handles()
  #links = new Int32Array(0)
  #deadlines = new Float64Array(0)

  /** One bit per bucket. */
  #occupied = new Int32Array(2)
  /** Time before which no timer of a bucket is due. */
  #earliest = new Float64Array(BUCKETS)

  constructor () {
    this.#makeRoom(BUCKETS + 64)
    // A bucket is a ring of timers closed by its head: the handle with the number of the bucket.
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      const head = this.#handles.take(null)
      this.#links[4 * head] = this.#links[4 * head + 1] = head
      // Earlier than any timer, so that the search for an overdue timer's place ends here.
      this.#deadlines[2 * head + 1] = -1
    }
  }

  /** @param {unknown} payload */
  createTimer (payload) {
    const timer = this.#handles.take(payload)
    if (4 * timer === this.#links.length) this.#makeRoom(Math.ceil(timer * GROWTH))
    this.#links[4 * timer] = IDLE
    return timer
  }

  /** @param {number} timer */
  releaseTimer (timer) {
    this.#handles.release(timer)
  }

  /** @type {(timer: number, deadline: number) => void} */
  insert (timer, deadline) {
    this.#deadlines[2 * timer + 1] = deadline
    this.#link(timer, deadline, this.#bucketOf(deadline))
    this.size++
  }

  /** @param {number} timer */
  cancel (timer) {
    if (this.#links[4 * timer] === IDLE) return false
    this.#unlink(timer)
    this.#links[4 * timer] = IDLE
    this.size--
    return true
  }

  /** @type {(timer: number, deadline: number) => void} */
  reschedule (timer, deadline) {
    if (this.#links[4 * timer] === IDLE) return this.insert(timer, deadline)
    const bucket = this.#bucketOf(deadline)
    const stays = bucket !== 0 && bucket === this.#bucketOf(this.#deadlines[2 * timer + 1])
    this.#deadlines[2 * timer + 1] = deadline
    if (stays) {
      if (deadline < this.#earliest[bucket]) this.#earliest[bucket] = deadline
    } else {
      this.#unlink(timer)
      this.#link(timer, deadline, bucket)
    }
  }

  nextExpiry () {
    if (this.size === 0) return Infinity
    const bucket = this.#firstBucket()
    return bucket === 0 ? this.deadlineOf(this.#links[0]) : this.#earliest[bucket]
  }

  /** @type {(now: number, expire: (timer: number) => void) => void} */
  advance (now, expire) {
    while (this.nextExpiry() <= now) {
      const bucket = this.#firstBucket()
      if (bucket === 0) {
        const timer = this.#links[0]
        this.cancel(timer)
        expire(timer)
      } else {
        this.#distribute(bucket)
      }
    }
  }

  /** @param {number} timer */
  deadlineOf (timer) {
    return this.#deadlines[2 * timer + 1]
  }

  /** @param {number} timer */
  payloadOf (timer) {
    return this.#handles.payloadOf(timer)
  }

  /** @param {number} timer */
  isPending (timer) {
    return this.#links[4 * timer] !== IDLE
  }

  /**
   * A pending timer lies there: the time moves only when the first bucket is distributed.
   *
   * @param {number} deadline
   */
  #bucketOf (deadline) {
    if (deadline <= this.#time) return 0
    return deadline < this.#epochEnd ? bucketWithinEpoch(deadline, this.#time) : bucketOf(deadline, this.#time)
  }

  /** At least one timer must be pending. */
  #firstBucket () {
    const low = this.#occupied[0]
    return low !== 0 ? lowestBit(low) : 32 + lowestBit(this.#occupied[1])
  }

  /**
   * Moves the time to the earliest deadline of the first bucket, which empties the bucket.
   *
   * @param {number} bucket  Not bucket 0.
   */
  #distribute (bucket) {
    const links = this.#links
    this.#time = this.#earliest[bucket]
    this.#epochEnd = (Math.floor(this.#time / EPOCH) + 1) * EPOCH
    let timer = links[4 * bucket]
    links[4 * bucket] = links[4 * bucket + 1] = bucket
    this.#vacate(bucket)
    while (timer !== bucket) {
      const next = links[4 * timer]
      const deadline = this.deadlineOf(timer)
      this.#link(timer, deadline, this.#bucketOf(deadline))
      timer = next
    }
  }

  /** @type {(timer: number, deadline: number, bucket: number) => void} */
  #link (timer, deadline, bucket) {
    const links = this.#links
    let next = bucket
    let previous = links[4 * bucket + 1]
    // Only overdue timers meet timers with other deadlines there. They are sorted, so that the first is the earliest.
    if (bucket === 0) {
      while (this.deadlineOf(previous) > deadline) {
        next = previous
        previous = links[4 * next + 1]
      }
    }
    links[4 * timer] = next
    links[4 * timer + 1] = previous
    links[4 * previous] = timer
    links[4 * next + 1] = timer
    if (next === previous) this.#occupied[bucket >> 5] |= 1 << bucket
    if (next === previous || deadline < this.#earliest[bucket]) this.#earliest[bucket] = deadline
  }

  /** @param {number} timer */
  #unlink (timer) {
    const links = this.#links
    const next = links[4 * timer]
    const previous = links[4 * timer + 1]
    links[4 * next + 1] = previous
    links[4 * previous] = next
    // When both neighbours are the same, only the head is left.
    if (next === previous) this.#vacate(next)
  }

  /** @param {number} bucket */
  #vacate (bucket) {
    this.#occupied[bucket >> 5] &= ~(1 << bucket)
  }

  /** @param {number} timers */
  #makeRoom (timers) {
    const links = new Int32Array(4 * timers)
    links.set(this.#links)
    this.#links = links
    this.#deadlines = new Float64Array(links.buffer)
  }
}
