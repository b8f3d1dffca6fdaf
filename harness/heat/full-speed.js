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

/** Times what it should measure, a turn waits for full speed: one that cannot have it leaves time to the others. */
const PATIENCE = 4

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
  #turns

  /**
   * @param {object} options
   * @param {Pace} options.pace
   * @param {number[]} options.loops  What the loop took in each process before the first turn.
   * @param {number} [options.waitMs]  That the turns may wait for it, all together; without it, nobody looks.
   * @param {number} options.turnMs  That each turn should measure.
   * @param {number} options.turns  That each queue should take.
   */
  constructor ({ pace, loops, waitMs, turnMs, turns }) {
    this.#pace = pace
    this.#loopMs = Math.min(...loops)
    this.#waitMs = waitMs
    this.#turnMs = turnMs
    this.#turns = turns
  }

  /** For the next turn. */
  get wait () {
    return { waitMs: Math.max(0, Math.min(this.#waitMs ?? 0, PATIENCE * this.#turnMs)), paceMs: this.#waitMs === undefined ? 0 : this.#pace.with(this.#loopMs) }
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

  /** @param {(JudgedTurn | null)[]} turns */
  atFullSpeed (turns) {
    return turns.flatMap(turn => turn !== null && this.isEnough(turn) ? [turn] : [])
  }

  /**
   * Whether a queue has too few turns at full speed because others of its turns were slow.
   *
   * @param {(JudgedTurn | null)[]} turns
   */
  lacksTurns (turns) {
    return this.#waitMs !== undefined && this.atFullSpeed(turns).length < this.#due(turns)
  }

  /**
   * How many turns of a queue should be at full speed: a queue that sat out has taken fewer than it should.
   *
   * @param {(JudgedTurn | null)[]} turns
   */
  #due (turns) {
    return Math.min(this.#turns, turns.filter(turn => turn !== null).length)
  }

  /**
   * At the end of a heat, what counts of a queue: if at least half of its turns were at full speed, what it measured at full speed in
   * those, one after the other, and else all. At full speed times hold still, so which turn of another queue is compared with one does
   * not matter.
   *
   * @param {(JudgedTurn | null)[]} turns  By slice.
   * @returns {{timed: (Timed | null)[], core?: import('../model/core-speed.js').CoreSpeed}}
   */
  judge (turns) {
    if (this.#waitMs === undefined) return { timed: turns }
    const fast = this.atFullSpeed(turns)
    const isSlow = 2 * fast.length < this.#due(turns)
    return {
      timed: isSlow ? turns : fast.map(turn => turn.watched ? turn.watched.atFullSpeed : turn),
      core: { loopMs: this.#loopMs, isSlow }
    }
  }

  /** The heat has ended: later ones are compared with it. */
  end () {
    if (this.#waitMs !== undefined) this.#pace.add(this.#loopMs)
  }
}
