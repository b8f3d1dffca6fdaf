/**
 * Calendar queue: an array of days, each with a sorted list of timers. Like a desk calendar, it is used for every year:
 * a timer is on the page of its day, whatever its year.
 *
 *   days        4, of 8 ms each; a year has 32 ms
 *   deadlines   3, 35        day 0, years 0 and 1
 *               9, 10        day 1
 *               29           day 3
 *
 * The search for the earliest timer goes through the days from the latest expiry on, and takes the first timer that is
 * due on the searched day of the present year. If there is none within a year, all days are compared.
 *
 * There are about as many days as timers: their number doubles and halves with the number of timers. Each time, the
 * width of a day is chosen again, so that a day of the near future holds about three timers. Widths are powers of two:
 * the day of a deadline needs no division.
 *
 * A timer is a small integer; its fields lie side by side as in the hierarchical wheel:
 *
 *   links       [4 t] next   [4 t + 1] previous
 *   deadlines                                     [2 t + 1] deadline
 *
 *   insert      O(n)       O(1) amortised while each day has few timers
 *   cancel      O(1)       amortised
 *   reschedule  O(n)       like insert
 *   nextExpiry  O(n)       O(1) until the earliest timer leaves or moves later, and while few days are empty
 *   advance     O(n + k n) for k expired timers; O(k) amortised likewise
 *
 * Timers fire by deadline, ties in the order started. The known weakness: deadlines far apart or close together. The
 * width follows the next 25 timers, and only when the number of timers doubles or halves. A few late timers make the
 * search cross empty days; a crowd far away makes long lists. `hold` shows it: triangular increments, most of which are
 * long, take 1.75 times as many basic blocks as exponential ones (82.7 and 47.2 at 10 000 timers).
 * Source: R. Brown, "Calendar queues: a fast O(1) priority queue implementation for the simulation event set problem",
 * CACM 31(10), 1988.
 */

import { Handles, lengthened } from './parts/handles.js'

/** @import { QueueMeta } from './contract.js' */

/** @type {QueueMeta} */
export const meta = {
  name: 'calendar-queue',
  title: 'Calendar queue: sorted lists by day, whose number and width follow the timers',
  complexity: {
    insert: 'O(n)',
    cancel: 'O(1) amortised',
    reschedule: 'O(n)',
    nextExpiry: 'O(n)',
    advance: 'O(n + k n)'
  },
  order: 'fifo',
  accuracy: 'exact',
  source: 'R. Brown, CACM 31(10), 1988'
}

const FEWEST_DAYS = 4
/** Brown's constants: timers whose distances decide the width of a day, and the mean distances in a day. */
const SAMPLE = 25
const DISTANCES_PER_DAY = 3
/** In the long run each timer is copied four times; at worst a fifth of the memory is unused. */
const GROWTH = 1.25
const NONE = -1
/** Stands for the next timer while a timer is not pending. */
const IDLE = -2

export class CalendarQueue {
  size = 0
  #handles = new Handles()
  #links = new Int32Array(4 * 64)
  #deadlines = new Float64Array(this.#links.buffer)

  /** Earliest and latest timer of each day. The number of days is a power of two. */
  #firsts = new Int32Array(FEWEST_DAYS).fill(NONE)
  #lasts = new Int32Array(FEWEST_DAYS).fill(NONE)
  /** Days in a millisecond: 1, or a fraction that is a power of two. */
  #daysPerMs = 1
  /** No timer is due before this. */
  #from = 0
  /** The earliest timer, or NONE while it is unknown. */
  #earliest = NONE

  /** @param {unknown} payload */
  createTimer (payload) {
    const timer = this.#handles.take(payload)
    if (4 * timer === this.#links.length) this.#grow(Math.ceil(timer * GROWTH))
    this.#links[4 * timer] = IDLE
    return timer
  }

  /** @param {number} timer */
  releaseTimer (timer) {
    this.#handles.release(timer)
  }

  /** @type {(timer: number, deadline: number) => void} */
  insert (timer, deadline) {
    this.#start(timer, deadline)
    this.size++
    if (this.size > 2 * this.#firsts.length) this.#resize(2 * this.#firsts.length)
  }

  /** @param {number} timer */
  cancel (timer) {
    if (this.#links[4 * timer] === IDLE) return false
    this.#unlink(timer)
    this.#links[4 * timer] = IDLE
    this.size--
    const days = this.#firsts.length
    if (2 * this.size < days && days > FEWEST_DAYS) this.#resize(days / 2)
    return true
  }

  /** @type {(timer: number, deadline: number) => void} */
  reschedule (timer, deadline) {
    if (this.#links[4 * timer] === IDLE) return this.insert(timer, deadline)
    this.#unlink(timer)
    this.#start(timer, deadline)
  }

  nextExpiry () {
    if (this.size === 0) return Infinity
    if (this.#earliest === NONE) {
      this.#earliest = this.#findEarliest()
      this.#from = this.deadlineOf(this.#earliest)
    }
    return this.deadlineOf(this.#earliest)
  }

  /** @type {(now: number, expire: (timer: number) => void) => void} */
  advance (now, expire) {
    while (this.nextExpiry() <= now) {
      const timer = this.#earliest
      this.cancel(timer)
      expire(timer)
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
   * Day of the year. Bitwise operators take the lowest bits of a large number, and nothing of its fraction.
   *
   * @param {number} deadline
   */
  #dayOf (deadline) {
    return (deadline * this.#daysPerMs) & (this.#firsts.length - 1)
  }

  /** @type {(timer: number, deadline: number) => void} */
  #start (timer, deadline) {
    this.#deadlines[2 * timer + 1] = deadline
    let previous = this.#lasts[this.#dayOf(deadline)]
    while (previous !== NONE && this.deadlineOf(previous) > deadline) previous = this.#links[4 * previous + 1]
    this.#linkAfter(previous, timer)
    if (deadline < this.#from || this.size === 0) this.#from = deadline
    if (this.#earliest !== NONE && deadline < this.deadlineOf(this.#earliest)) this.#earliest = timer
  }

  /**
   * @param {number} previous  NONE: the timer is the first of its day.
   * @param {number} timer
   */
  #linkAfter (previous, timer) {
    const links = this.#links
    const day = this.#dayOf(this.deadlineOf(timer))
    const next = previous === NONE ? this.#firsts[day] : links[4 * previous]
    links[4 * timer] = next
    links[4 * timer + 1] = previous
    if (previous === NONE) this.#firsts[day] = timer
    else links[4 * previous] = timer
    if (next === NONE) this.#lasts[day] = timer
    else links[4 * next + 1] = timer
  }

  /** @param {number} timer */
  #unlink (timer) {
    const links = this.#links
    const next = links[4 * timer]
    const previous = links[4 * timer + 1]
    if (previous === NONE) this.#firsts[this.#dayOf(this.deadlineOf(timer))] = next
    else links[4 * previous] = next
    if (next === NONE) this.#lasts[this.#dayOf(this.deadlineOf(timer))] = previous
    else links[4 * next + 1] = previous
    if (timer === this.#earliest) this.#earliest = NONE
  }

  /** At least one timer must be pending. */
  #findEarliest () {
    const days = this.#firsts.length
    const today = Math.floor(this.#from * this.#daysPerMs)
    for (let day = today; day < today + days; day++) {
      const timer = this.#firsts[day & (days - 1)]
      if (timer !== NONE && Math.floor(this.deadlineOf(timer) * this.#daysPerMs) === day) return timer
    }
    // No timer is due within a year.
    let earliest = NONE
    for (const timer of this.#firsts) {
      if (timer !== NONE && (earliest === NONE || this.deadlineOf(timer) < this.deadlineOf(earliest))) earliest = timer
    }
    return earliest
  }

  /** @param {number} days  New number of days. */
  #resize (days) {
    this.#daysPerMs = this.#suitableDaysPerMs()
    const lists = this.#firsts
    this.#firsts = new Int32Array(days).fill(NONE)
    this.#lasts = new Int32Array(days).fill(NONE)
    for (const first of lists) {
      for (let timer = first; timer !== NONE;) {
        const next = this.#links[4 * timer]
        this.#start(timer, this.deadlineOf(timer))
        timer = next
      }
    }
  }

  /** Takes the next timers out, and puts them back at the front of their days. */
  #suitableDaysPerMs () {
    /** @type {number[]} */
    const sample = []
    for (let left = Math.min(SAMPLE, this.size); left > 0; left--) {
      this.nextExpiry()
      sample.push(this.#earliest)
      this.#unlink(this.#earliest)
    }
    for (const timer of sample.toReversed()) this.#linkAfter(NONE, timer)
    this.#earliest = sample[0]
    this.#from = this.deadlineOf(this.#earliest)

    const distances = sample.slice(1).map((timer, i) => this.deadlineOf(timer) - this.deadlineOf(sample[i]))
    const mean = meanOf(distances)
    // One long distance would make all days wide.
    const width = DISTANCES_PER_DAY * meanOf(distances.filter(distance => distance <= 2 * mean))
    return 2 ** -Math.max(0, Math.round(Math.log2(width)))
  }

  /** @param {number} timers  New capacity. */
  #grow (timers) {
    this.#links = lengthened(this.#links, 4 * timers)
    this.#deadlines = new Float64Array(this.#links.buffer)
  }
}

/** @param {number[]} distances */
const meanOf = distances => distances.reduce((sum, distance) => sum + distance, 0) / distances.length
