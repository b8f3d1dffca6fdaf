/**
 * Sees to it that a heat is measured at full speed, as far as its core lets it. A core that something else slows down, see
 * micro/core-watch.js, does not slow down all queues alike, and ratios change with it.
 */
import { isFullSpeed } from '../model/core-speed.js'

/**
 * @typedef {import('../micro/measure.js').Timed} Timed
 * @typedef {import('../micro/measure.js').Turn} Turn
 * @typedef {Turn & {paceMs: number}} JudgedTurn  `paceMs`: by which it was judged.
 */

/** Slower for good, like a processor that got warm, is the full speed of now. */
const HEATS = 8

/** What the loop takes at full speed: the least that it took in any of the last heats. */
export class Pace {
  /** @type {number[]} */
  #ofHeats = []

  /** @param {number} loopMs  Of the present heat. */
  with (loopMs) {
    return Math.min(...this.#ofHeats, loopMs)
  }

  /** @param {number} loopMs  Of a heat that has ended. */
  add (loopMs) {
    this.#ofHeats = [...this.#ofHeats, loopMs].slice(-HEATS)
  }
}

export class FullSpeed {
  #pace
  #loopMs
  #waitMs
  #turnMs

  /**
   * @param {object} options
   * @param {Pace} options.pace
   * @param {number[]} options.loops  What the loop took in each process before the first turn.
   * @param {number} [options.waitMs]  That the turns may wait for it, all together; without it, nobody looks.
   * @param {number} options.turnMs  That each turn should measure.
   */
  constructor ({ pace, loops, waitMs, turnMs }) {
    this.#pace = pace
    this.#loopMs = Math.min(...loops)
    this.#waitMs = waitMs
    this.#turnMs = turnMs
  }

  /** For the next turn. */
  get wait () {
    return { waitMs: Math.max(0, this.#waitMs ?? 0), paceMs: this.#waitMs === undefined ? 0 : this.#pace.with(this.#loopMs) }
  }

  /** @param {Turn} turn */
  see ({ watched }) {
    if (!watched || this.#waitMs === undefined) return
    this.#loopMs = Math.min(this.#loopMs, watched.loopMs)
    this.#waitMs -= watched.slowMs
  }

  /**
   * Whether it measured at least half of what it should at full speed. Cycles that are longer than a turn are not watched.
   *
   * @param {JudgedTurn} turn
   */
  isEnough ({ watched, paceMs }) {
    if (!watched) return true
    const { atFullSpeed } = watched
    return atFullSpeed !== null && atFullSpeed.cpuMs >= this.#turnMs / 2 && isFullSpeed(paceMs, this.#pace.with(this.#loopMs))
  }

  /**
   * At the end of a heat, what counts of it: where at least half of its slices ran at full speed, what was measured at full speed, and
   * else all.
   *
   * @param {(JudgedTurn | null)[][]} lanes  Of each queue, its turns by slice.
   * @returns {{timed: (Timed | null)[][], core?: import('../model/core-speed.js').CoreSpeed}}  `timed`: by queue and slice.
   */
  judge (lanes) {
    if (this.#waitMs === undefined) return { timed: lanes }
    const slices = [...lanes[0]?.keys() ?? []]
    const isFast = (/** @type {JudgedTurn | null} */ turn) => turn === null || this.isEnough(turn)
    const fast = new Set(slices.filter(slice => lanes.every(turns => isFast(turns[slice]))))
    this.#pace.add(this.#loopMs)
    const isSlow = 2 * fast.size < slices.length
    const timedIn = (/** @type {JudgedTurn | null} */ turn, /** @type {number} */ slice) => {
      if (isSlow || !turn?.watched) return turn
      return fast.has(slice) ? turn.watched.atFullSpeed : null
    }
    return { timed: lanes.map(turns => turns.map(timedIn)), core: { loopMs: this.#loopMs, isSlow } }
  }
}
