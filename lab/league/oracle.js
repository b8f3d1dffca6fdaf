/**
 * Derives the firings of a stream without a queue: a timer that is touched after its deadline has fired at its
 * deadline, and stays idle until it is started again. So the trace of expiries is known for every competitor, however
 * far it got.
 */
import { mix } from '../../scenarios/virtual-service.js'
import { CANCEL, PASS } from './streams.js'

const IDLE = Infinity

/**
 * @typedef {object} Expiries
 * @property {number} fired
 * @property {number} checksum  Sum over timers and their times, independent of the order within a millisecond.
 */

export class Oracle {
  #stream
  #now = 0
  #block = 0
  #blocksPlayed = 0
  #fired = 0
  #checksum = 0
  #deadlines

  /** @param {import('./streams.js').Stream} stream */
  constructor (stream) {
    this.#stream = stream
    this.#deadlines = new Float64Array(stream.timers).fill(IDLE)
    this.#replay(stream.setup, 0, stream.setup.length)
  }

  /** @param {number} blocks  Blocks since the setup, at least those of the last call. */
  playTo (blocks) {
    const { lap, blocks: inLap } = this.#stream
    const words = lap.length / inLap
    for (; this.#blocksPlayed < blocks; this.#blocksPlayed++) {
      this.#replay(lap, this.#block * words, (this.#block + 1) * words)
      this.#block = (this.#block + 1) % inLap
    }
  }

  /** Milliseconds until no timer is pending. */
  get rest () {
    let last = this.#now
    for (const deadline of this.#deadlines) if (deadline !== IDLE) last = Math.max(last, deadline)
    return last - this.#now
  }

  /**
   * The trace after all pending timers have fired.
   *
   * @returns {Expiries}
   */
  drained () {
    let fired = this.#fired
    let checksum = this.#checksum
    this.#deadlines.forEach((deadline, timer) => {
      if (deadline === IDLE) return
      fired++
      checksum = (checksum + mix(timer, deadline)) >>> 0
    })
    return { fired, checksum }
  }

  /**
   * @param {Int32Array} words
   * @param {number} from
   * @param {number} to
   */
  #replay (words, from, to) {
    for (let i = from; i < to; i += 2) {
      const kind = words[i] & 3
      const ms = words[i + 1]
      if (kind === PASS) {
        this.#now += ms
        continue
      }
      const timer = words[i] >>> 2
      const deadline = this.#deadlines[timer]
      if (deadline <= this.#now) {
        this.#fired++
        this.#checksum = (this.#checksum + mix(timer, deadline)) >>> 0
      }
      this.#deadlines[timer] = kind === CANCEL ? IDLE : this.#now + ms
    }
  }
}
