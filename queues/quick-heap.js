/**
 * Quick heap: buckets of unsorted timers, each due before the next. It is quicksort, put off until somebody asks: only
 * the first bucket is split, and only when its earliest timer is needed.
 *
 *   bucket   bound   deadlines
 *   0        none    90 71 88 96 75 ...        a start is compared with bounds, and appended
 *   1        64      48 31 55 64 37
 *   2        30      30 22 27                  the first bucket: searched, since it is small
 *
 * A new timer is due late, so it mostly passes no bound. A split reads and writes two buckets from start to end, which
 * caches do well, where a heap jumps from level to level. Each entry is moved about log2 n times.
 *
 * Timers leave lazily, as in the lazy wheel: a timer that is cancelled or moved later keeps its entry, and a split or
 * the search drops the entry or gives it the present deadline. A timer that moves earlier gets another entry and leaves
 * a stale one behind, whose key is not the timer's. When more than half of the entries belong to no pending timer, all
 * buckets are swept.
 *
 * Tombstones or an index? A variant that knows the place of each timer, and takes it out at once, took 1.6 times as
 * long on start-cancel at 10 000 timers and 2.6 times at 100 000: it writes a place for each entry that a split moves.
 * On hold, where nothing is cancelled, it took 0.85 and 0.92 times as long (1 or 2 heats each, 2026-11-25, busy AMD
 * EPYC, Node 20).
 *
 *   insert      O(log n)   expected; amortised over sweeps
 *   cancel      O(1)
 *   reschedule  O(log n)   likewise; O(1) when the timer moves later
 *   nextExpiry  O(n)       the first time: it splits; then O(log n) expected and amortised over the timers that leave
 *   advance     O(k log n) expected and amortised for k expired timers
 *
 * Timers fire by deadline; ties in any order. Not bounded: a split reads a whole bucket, and the first one reads all.
 * Pivots that the caller foresees make it quadratic, as in quicksort.
 * Source: G. Navarro and R. Paredes, "On sorting, heaps, and minimum spanning trees", Algorithmica 57(4), 2010, for
 * buckets between pivots; arXiv 2604.25681 (2026) for a bucket as a separate array, there with SIMD instructions.
 */

import { Handles, lengthened } from './parts/handles.js'

/** @import { QueueMeta } from './contract.js' */

/** @type {QueueMeta} */
export const meta = {
  name: 'quick-heap',
  title: 'Quick heap: unsorted buckets between pivots, of which only the first is split',
  complexity: {
    insert: 'O(log n) amortised',
    cancel: 'O(1)',
    reschedule: 'O(log n) amortised',
    nextExpiry: 'O(n)',
    advance: 'O(k log n) amortised'
  },
  order: 'deadline',
  accuracy: 'exact',
  source: 'Navarro and Paredes, Algorithmica 57(4), 2010; arXiv 2604.25681 (2026)'
}

/** The first bucket is searched up to this many entries, and split above. */
const MOST_SEARCHED = 16
/** Stale entries allowed in addition to one for each pending timer. */
const STALE_ALLOWED = 1024
/** Key of a timer without an entry. */
const NO_ENTRY = Infinity
/** Stands for the place of the earliest entry while it is unknown. */
const UNKNOWN = -1
/** Stands for the only key of a bucket that may have several. */
const SEVERAL = -1

class Bucket {
  keys = new Float64Array(32)
  timers = new Int32Array(32)
  length = 0
  /** The key of all entries, or SEVERAL: a bucket of one key cannot be split. */
  onlyKey = SEVERAL
  /** No key is above. */
  bound = Infinity

  /** @type {(timer: number, key: number) => void} */
  append (timer, key) {
    if (this.length === this.keys.length) {
      this.keys = lengthened(this.keys, 2 * this.length)
      this.timers = lengthened(this.timers, 2 * this.length)
    }
    this.keys[this.length] = key
    this.timers[this.length++] = timer
    if (key !== this.onlyKey) this.onlyKey = SEVERAL
  }

  /** @param {number} place */
  remove (place) {
    this.keys[place] = this.keys[--this.length]
    this.timers[place] = this.timers[this.length]
  }

  /** Place of the least key of a bucket that is not empty. */
  findLeast () {
    if (this.onlyKey !== SEVERAL) return this.length - 1
    const keys = this.keys
    let least = 0
    for (let place = 1; place < this.length; place++) {
      if (keys[place] < keys[least]) least = place
    }
    return least
  }
}

export class QuickHeap {
  size = 0
  #handles = new Handles()
  /** Deadline of each timer, or its complement to -1 while idle. */
  #deadlines = new Float64Array(64).fill(-1)
  /** Key of each timer's entry, never above the deadline; other keys belong to stale entries. */
  #keys = new Float64Array(64).fill(NO_ENTRY)

  /**
   * The last of #depth is the first to be due. Those behind it are empty, to be used again.
   *
   * @type {Bucket[]}
   */
  #buckets = [new Bucket()]
  #depth = 1
  #entries = 0
  /** Place of the earliest timer's entry in the first bucket. */
  #least = UNKNOWN

  /** @param {unknown} payload */
  createTimer (payload) {
    const timer = this.#handles.take(payload)
    if (timer === this.#keys.length) {
      this.#deadlines = lengthened(this.#deadlines, 2 * timer, -1)
      this.#keys = lengthened(this.#keys, 2 * timer, NO_ENTRY)
    }
    return timer
  }

  /** @param {number} timer */
  releaseTimer (timer) {
    this.#handles.release(timer)
  }

  /** @type {(timer: number, deadline: number) => void} */
  insert (timer, deadline) {
    this.size++
    this.#setDeadline(timer, deadline)
  }

  /** @param {number} timer */
  cancel (timer) {
    const deadline = this.#deadlines[timer]
    if (deadline < 0) return false
    this.#deadlines[timer] = -1 - deadline
    this.size--
    this.#leaveFirst(timer)
    return true
  }

  /** @type {(timer: number, deadline: number) => void} */
  reschedule (timer, deadline) {
    if (this.#deadlines[timer] < 0) this.size++
    else this.#leaveFirst(timer)
    this.#setDeadline(timer, deadline)
  }

  nextExpiry () {
    if (this.size === 0) return Infinity
    if (this.#least === UNKNOWN) this.#findLeast()
    return this.#buckets[this.#depth - 1].keys[this.#least]
  }

  /** @type {(now: number, expire: (timer: number) => void) => void} */
  advance (now, expire) {
    while (this.nextExpiry() <= now) {
      const timer = this.#buckets[this.#depth - 1].timers[this.#least]
      this.#removeLeast(timer)
      this.cancel(timer)
      expire(timer)
    }
  }

  /** @param {number} timer */
  deadlineOf (timer) {
    const deadline = this.#deadlines[timer]
    return deadline < 0 ? -1 - deadline : deadline
  }

  /** @param {number} timer */
  payloadOf (timer) {
    return this.#handles.payloadOf(timer)
  }

  /** @param {number} timer */
  isPending (timer) {
    return this.#deadlines[timer] >= 0
  }

  /** @type {(timer: number, deadline: number) => void} */
  #setDeadline (timer, deadline) {
    this.#deadlines[timer] = deadline
    if (this.#keys[timer] <= deadline) return
    this.#append(timer, deadline)
    if (this.#entries > 2 * this.size + STALE_ALLOWED) this.#sweep()
  }

  /**
   * The place of the earliest timer becomes unknown if it is this one.
   *
   * @param {number} timer
   */
  #leaveFirst (timer) {
    if (this.#least !== UNKNOWN && this.#buckets[this.#depth - 1].timers[this.#least] === timer) this.#least = UNKNOWN
  }

  /** @type {(timer: number, key: number) => void} */
  #append (timer, key) {
    this.#keys[timer] = key
    this.#entries++
    const buckets = this.#buckets
    const first = this.#depth - 1
    let index = 0
    while (index < first && key <= buckets[index + 1].bound) index++
    const bucket = buckets[index]
    bucket.append(timer, key)
    if (index === first && this.#least !== UNKNOWN && key < bucket.keys[this.#least]) this.#least = bucket.length - 1
  }

  /** @param {number} timer  The earliest one, whose entry is at #least. */
  #removeLeast (timer) {
    this.#keys[timer] = NO_ENTRY
    this.#buckets[this.#depth - 1].remove(this.#least)
    this.#entries--
    this.#least = UNKNOWN
  }

  /** At least one timer must be pending. */
  #findLeast () {
    for (;;) {
      const bucket = this.#buckets[this.#depth - 1]
      if (bucket.length > MOST_SEARCHED && bucket.onlyKey === SEVERAL) {
        this.#split()
      } else if (bucket.length === 0) {
        this.#depth--
      } else {
        const place = bucket.findLeast()
        if (this.#isCurrent(bucket, place)) {
          this.#least = place
          return
        }
      }
    }
  }

  /**
   * Whether a pending timer is due at its entry's key. Otherwise the entry is removed, and the timer gets another one
   * if it needs one.
   *
   * @type {(bucket: Bucket, place: number) => boolean}
   */
  #isCurrent (bucket, place) {
    const timer = bucket.timers[place]
    const key = bucket.keys[place]
    const deadline = this.#deadlines[timer]
    if (this.#keys[timer] === key && deadline === key) return true
    bucket.remove(place)
    this.#entries--
    if (this.#keys[timer] !== key) return false
    this.#keys[timer] = NO_ENTRY
    if (deadline >= 0) this.#append(timer, deadline)
    return false
  }

  /** Moves about half of the first bucket to a new first bucket. */
  #split () {
    const bucket = this.#buckets[this.#depth - 1]
    this.#clean(bucket)
    if (bucket.length <= MOST_SEARCHED) return
    const { keys, timers, length } = bucket
    const pivot = pivotOf(keys, length)
    if (pivot === SEVERAL) {
      bucket.onlyKey = keys[0]
      return
    }
    const lower = (this.#buckets[this.#depth++] ??= new Bucket())
    lower.bound = pivot
    let kept = 0
    for (let place = 0; place < length; place++) {
      const key = keys[place]
      const timer = timers[place]
      if (key <= pivot) {
        lower.append(timer, key)
      } else {
        keys[kept] = key
        timers[kept++] = timer
      }
    }
    bucket.length = kept
  }

  /**
   * Drops entries of timers that are not pending, and gives others the present deadline.
   *
   * @param {Bucket} bucket
   */
  #clean (bucket) {
    for (let place = bucket.length - 1; place >= 0; place--) this.#isCurrent(bucket, place)
  }

  #sweep () {
    this.#least = UNKNOWN
    // Timers that move to a later bucket are not cleaned again.
    for (let index = 0; index < this.#depth; index++) this.#clean(this.#buckets[index])
  }
}

/**
 * A key that is not the greatest: the median of three if possible. SEVERAL if all keys are the same.
 *
 * @type {(keys: Float64Array, length: number) => number}
 */
function pivotOf (keys, length) {
  const [a, b, c] = [keys[0], keys[length >> 1], keys[length - 1]]
  const [least, greatest] = [Math.min(a, b, c), Math.max(a, b, c)]
  const median = Math.max(Math.min(a, b), Math.min(Math.max(a, b), c))
  if (median < greatest) return median
  if (least < greatest) return least
  for (let place = 0; place < length; place++) {
    if (keys[place] !== least) return Math.min(keys[place], least)
  }
  return SEVERAL
}
