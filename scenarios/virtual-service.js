/**
 * Timers whose payloads are their numbers, from 0 on.
 *
 * @type {(queue: any, count: number) => any[]}
 */
export const createTimers = (queue, count) => Array.from({ length: count }, (_, number) => queue.createTimer(number))

/** The payload of a timer that belongs to something. Its number is its value in checksums. */
export class Owner {
  /** @type {any} */
  timer = null

  constructor (number = 0) {
    this.number = number
  }

  valueOf () {
    return this.number
  }
}

/**
 * The timer service of micro workloads, which advance its virtual clock. It wakes the queue only when the earliest
 * known expiry is due, as the one native timer of a real server does.
 */
export class VirtualService {
  /** Virtual milliseconds. */
  now = 0
  fired = 0
  checksum = 0
  spuriousWakeups = 0
  #wakeAt = Infinity
  #queue
  #expire

  /**
   * @param {any} queue  Payloads of its timers are distinct integers, or objects with such a value.
   * @param {(timer: any) => void} [onExpire]  May start the timer again.
   */
  constructor (queue, onExpire = () => {}) {
    this.#queue = queue
    this.#expire = (/** @type {any} */ timer) => {
      this.fired++
      // A sum is independent of the order within one advance, which the queue may choose.
      this.checksum = (this.checksum + mix(queue.payloadOf(timer), this.now)) >>> 0
      onExpire(timer)
    }
  }

  /**
   * @param {any} timer
   * @param {number} duration  Milliseconds from now.
   */
  start (timer, duration) {
    const deadline = this.now + duration
    this.#queue.insert(timer, deadline, duration)
    if (deadline < this.#wakeAt) this.#wakeAt = deadline
  }

  /**
   * @param {any} timer
   * @param {number} duration  Milliseconds from now.
   */
  restart (timer, duration) {
    const deadline = this.now + duration
    this.#queue.reschedule(timer, deadline, duration)
    if (deadline < this.#wakeAt) this.#wakeAt = deadline
  }

  /** Passes one millisecond. */
  tick () {
    if (++this.now >= this.#wakeAt) this.#wake()
  }

  /**
   * Passes time until a moment. Timers that are due before fire on the way.
   *
   * @param {number} moment
   */
  passTo (moment) {
    while (this.#wakeAt <= moment) {
      this.now = Math.max(this.now, this.#wakeAt)
      this.#wake()
    }
    this.now = moment
  }

  /** Passes time until the next wake-up; false when the queue asks for none. */
  wakeNext () {
    if (this.#wakeAt === Infinity) return false
    this.now = Math.max(this.now, this.#wakeAt)
    this.#wake()
    return true
  }

  /**
   * Passes time, then advances the queue whether or not a timer is due, as programs that poll do.
   *
   * @param {number} ms
   */
  look (ms) {
    this.now += ms
    this.#queue.advance(this.now, this.#expire)
  }

  /** Passes time until no timer is pending. */
  drain () {
    const queue = this.#queue
    while (queue.size > 0) {
      this.now = Math.max(this.now, queue.nextExpiry())
      this.#wake()
    }
  }

  #wake () {
    const firedBefore = this.fired
    this.#queue.advance(this.now, this.#expire)
    if (this.fired === firedBefore) this.spuriousWakeups++
    this.#wakeAt = this.#queue.nextExpiry()
  }
}

/**
 * Hashes the number of a timer and a time to 32 bits.
 *
 * @param {number} timer
 * @param {number} now
 */
export function mix (timer, now) {
  return Math.imul(timer ^ Math.imul(now, 0x9e3779b1), 0x85ebca6b)
}
