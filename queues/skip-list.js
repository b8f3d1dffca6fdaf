/**
 * Skip list of timers by deadline: a sorted list with express lanes. One timer in four is also in the list above, one
 * in sixteen in the next, and so on.
 *
 *   level 2   head ------------------------------> 70 ---------------> head
 *   level 1   head ---------> 20 ----------------> 70 ------> 90 ----> head
 *   level 0   head --> 10 --> 20 --> 30 --> 30 --> 70 --> 80 --> 90 --> head
 *
 * A search runs along the highest list as long as nothing is due later, and goes on one level below: about four steps a
 * level. The lists are rings with links in both directions, so a timer leaves them without a search.
 *
 * A timer is a small integer. Its height is drawn once, when its handle is first made, not at every start: heights need
 * only be independent of deadlines. So nothing is allocated or drawn while timers start and stop. A tower is a stretch
 * of one array, `[next, previous]` for each level from 0 up: 8 bytes a level and 10.7 on average, plus 8 for the
 * deadline, 4 for the place of the tower, 1 for its height and the reference to the payload.
 *
 *   insert      O(log n)   expected; O(1) when nothing is due later
 *   cancel      O(1)       expected
 *   reschedule  O(log n)   expected
 *   nextExpiry  O(1)
 *   advance     O(k)       expected, for k expired timers
 *
 * Timers fire by deadline, ties in the order started. Not bounded: heights are luck, and when the arrays are full, one
 * call copies all timers. Each step of a search is a cache miss in a long list; a B+-tree (ordered-map) reads eight
 * deadlines in one.
 * Source: W. Pugh, "Skip lists: a probabilistic alternative to balanced trees", CACM 33(6), 1990; known from Redis,
 * from Java's ConcurrentSkipListMap and from the Linux scheduler MuQSS.
 */

import { Handles, lengthened } from './parts/handles.js'

/** @import { QueueMeta } from './contract.js' */

/** @type {QueueMeta} */
export const meta = {
  name: 'skip-list',
  title: 'Skip list: a sorted list with express lanes, links in typed arrays',
  complexity: {
    insert: 'O(log n)',
    cancel: 'O(1)',
    reschedule: 'O(log n)',
    nextExpiry: 'O(1)',
    advance: 'O(k)'
  },
  order: 'fifo',
  accuracy: 'exact',
  source: 'W. Pugh, CACM 33(6), 1990'
}

/** One in four timers of a level is at the next level, too: 2 bits of a random number decide. */
const BITS_PER_LEVEL = 2
/** Enough for 4 ** 12 timers; more would only make the highest list longer. */
const HIGHEST = 12
/** The handle that closes the rings; due after all timers. */
const HEAD = 0
const IDLE = -1
/** Must not be zero. */
const SEED = 0x9e3779b9

/**
 * Height of a tower: 1, and one more for each pair of zeros at the end of a random number.
 *
 * @param {number} bits
 */
export function heightOf (bits) {
  const zeros = bits === 0 ? 32 : 31 - Math.clz32(bits & -bits)
  return Math.min(HIGHEST, 1 + Math.floor(zeros / BITS_PER_LEVEL))
}

export class SkipList {
  size = 0
  #handles = new Handles()
  /** Deadline of each timer. */
  #deadlines = new Float64Array(64)
  #heights = new Uint8Array(64)
  /** Place of each timer's tower. */
  #towers = new Int32Array(64)
  /** Towers; `next` of an idle timer at level 0 is IDLE. */
  #links = new Int32Array(256)
  #linksEnd = 0
  /** Number of handles ever made, and of levels in use. */
  #made = 0
  #levels = 1
  #random = SEED

  constructor () {
    this.#make(this.#handles.take(null), HIGHEST)
    this.#deadlines[HEAD] = Infinity
    this.#links.fill(HEAD, 0, 2 * HIGHEST)
  }

  /** @param {unknown} payload */
  createTimer (payload) {
    const timer = this.#handles.take(payload)
    if (timer === this.#made) this.#make(timer, this.#drawHeight())
    return timer
  }

  /** @param {number} timer */
  releaseTimer (timer) {
    this.#handles.release(timer)
  }

  /** @type {(timer: number, deadline: number) => void} */
  insert (timer, deadline) {
    this.#deadlines[timer] = deadline
    const latest = this.#links[this.#towers[HEAD] + 1]
    if (latest === HEAD || this.#deadlines[latest] <= deadline) this.#append(timer)
    else this.#link(timer, deadline)
    this.size++
  }

  /** @param {number} timer */
  cancel (timer) {
    const links = this.#links
    const tower = this.#towers[timer]
    if (links[tower] === IDLE) return false
    const end = tower + 2 * this.#heights[timer]
    for (let place = tower; place < end; place += 2) {
      const level = place - tower
      const next = links[place]
      const previous = links[place + 1]
      links[this.#towers[previous] + level] = next
      links[this.#towers[next] + level + 1] = previous
    }
    links[tower] = IDLE
    this.size--
    return true
  }

  /** @type {(timer: number, deadline: number) => void} */
  reschedule (timer, deadline) {
    this.cancel(timer)
    this.insert(timer, deadline)
  }

  nextExpiry () {
    return this.#deadlines[this.#links[this.#towers[HEAD]]]
  }

  /** @type {(now: number, expire: (timer: number) => void) => void} */
  advance (now, expire) {
    while (this.nextExpiry() <= now) {
      const timer = this.#links[this.#towers[HEAD]]
      this.cancel(timer)
      expire(timer)
    }
  }

  /** @param {number} timer */
  deadlineOf (timer) {
    return this.#deadlines[timer]
  }

  /** @param {number} timer */
  payloadOf (timer) {
    return this.#handles.payloadOf(timer)
  }

  /** @param {number} timer */
  isPending (timer) {
    return this.#links[this.#towers[timer]] !== IDLE
  }

  /**
   * Links a timer at the end of each of its lists.
   *
   * @param {number} timer
   */
  #append (timer) {
    const end = 2 * this.#heights[timer]
    for (let level = 0; level < end; level += 2) {
      this.#linkAfter(timer, this.#links[this.#towers[HEAD] + level + 1], level)
    }
  }

  /** @type {(timer: number, deadline: number) => void} */
  #link (timer, deadline) {
    const links = this.#links
    const deadlines = this.#deadlines
    const towers = this.#towers
    const height = 2 * this.#heights[timer]
    let previous = HEAD
    for (let level = 2 * (this.#levels - 1); level >= 0; level -= 2) {
      for (
        let next = links[towers[previous] + level];
        deadlines[next] <= deadline;
        next = links[towers[previous] + level]
      ) {
        previous = next
      }
      if (level < height) this.#linkAfter(timer, previous, level)
    }
  }

  /** @type {(timer: number, previous: number, level: number) => void} */
  #linkAfter (timer, previous, level) {
    const links = this.#links
    const towers = this.#towers
    const next = links[towers[previous] + level]
    links[towers[timer] + level] = next
    links[towers[timer] + level + 1] = previous
    links[towers[previous] + level] = timer
    links[towers[next] + level + 1] = timer
  }

  #drawHeight () {
    // Xorshift: G. Marsaglia, Journal of Statistical Software 8(14), 2003.
    this.#random ^= this.#random << 13
    this.#random ^= this.#random >>> 17
    this.#random ^= this.#random << 5
    return heightOf(this.#random)
  }

  /**
   * @param {number} timer  A new handle.
   * @param {number} height
   */
  #make (timer, height) {
    const end = this.#linksEnd + 2 * height
    if (timer === this.#towers.length) {
      this.#deadlines = lengthened(this.#deadlines, 2 * timer)
      this.#heights = lengthened(this.#heights, 2 * timer)
      this.#towers = lengthened(this.#towers, 2 * timer)
    }
    if (end > this.#links.length) this.#links = lengthened(this.#links, 2 * this.#links.length)
    this.#links[this.#linksEnd] = IDLE
    this.#towers[timer] = this.#linksEnd
    this.#heights[timer] = height
    this.#linksEnd = end
    this.#made++
    if (timer !== HEAD && height > this.#levels) this.#levels = height
  }
}
