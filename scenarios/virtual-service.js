/**
 * The timer service in virtual time: it wakes the queue when the earliest known expiry is due and at no other moment,
 * as one native timer does in a real server. Micro workloads tick it along.
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
   * @param {any} queue  Its timers' payloads are integers that tell them apart.
   * @param {(timer: any) => void} [onExpire]  May start the timer again.
   */
  constructor (queue, onExpire = () => {}) {
    this.#queue = queue
    this.#expire = (/** @type {any} */ timer) => {
      this.fired++
      // A sum, so that the order within one advance, which queues are free to choose, does not matter.
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

  /** One millisecond passes. */
  tick () {
    if (++this.now >= this.#wakeAt) this.#wake()
  }

  /**
   * Time passes until a moment; what is due in between fires on its way.
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

  /**
   * Time passes unseen, then the queue is looked at, whether or not anything is due, and not asked when it next will
   * be: so do programs that poll.
   *
   * @param {number} ms
   */
  look (ms) {
    this.now += ms
    this.#queue.advance(this.now, this.#expire)
  }

  /** Lets time pass until no timer is pending. */
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
 * @param {number} timer
 * @param {number} now
 */
function mix (timer, now) {
  return Math.imul(timer ^ Math.imul(now, 0x9e3779b1), 0x85ebca6b)
}
