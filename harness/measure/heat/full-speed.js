/**
 * Sees to it that a heat is measured at full speed, as far as its core lets it. A core that something else slows down, see
 * micro/core-watch.js, does not slow down all queues alike, and ratios change with it.
 */
import { sum } from 'simple-statistics'
import { pooled } from '../micro/batches.js'
import { isFullSpeed } from '../../model/core-speed.js'

/**
 * @typedef {import('../micro/measure.js').Timed} Timed
 * @typedef {import('../micro/measure.js').Turn} Turn
 * @typedef {Turn & {paceMs: number}} JudgedTurn  `paceMs`: by which it was judged. A turn that gives way is tried again: it has several.
 */

/** Slower for good, like a processor that got warm, is the full speed of now. */
const HEATS = 8

/** Times what it should measure, a turn waits for full speed: one that cannot have it leaves time to the others. */
const LONGEST_WAIT = 4

/** Of what the turns of a queue should measure: from there on, more makes it no steadier (docs/heats-measured.md). */
const ENOUGH = 1 / 8

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
   * @param {number} options.turnMs  That each turn should measure of each phase: all shares below are of one phase's time.
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
    return { waitMs: Math.max(0, Math.min(this.#waitMs ?? 0, LONGEST_WAIT * this.#turnMs)), paceMs: this.#waitMs === undefined ? 0 : this.#pace.with(this.#loopMs) }
  }

  /** @param {Turn} turn */
  see ({ watched }) {
    if (!watched || this.#waitMs === undefined) return
    this.#loopMs = Math.min(this.#loopMs, watched.loopMs)
    this.#waitMs -= watched.slowMs
  }

  /**
   * Whether a turn has measured half of what it should at full speed.
   *
   * @param {JudgedTurn[]} tries
   */
  isEnough (tries) {
    return this.fastMs(tries) >= this.#turnMs / 2
  }

  /**
   * Whether a queue has measured less than half of what it should at full speed, because its core was slow.
   *
   * @param {JudgedTurn[][]} turns  By slice.
   */
  lacksTurns (turns) {
    return this.#waitMs !== undefined && this.fastMs(turns.flat()) < this.#dueMs(turns) / 2
  }

  /**
   * At the end of a heat, what counts of a queue, slice by slice: what it measured at full speed, if that is enough, else everything.
   *
   * @param {JudgedTurn[][]} turns  By slice.
   * @returns {{timed: (Timed | null)[], core?: import('../../model/core-speed.js').CoreSpeed}}
   */
  judge (turns) {
    const all = turns.map(tries => tries.length > 0 ? pooled(tries) : null)
    if (this.#waitMs === undefined) return { timed: all }
    const isSlow = this.fastMs(turns.flat()) < ENOUGH * this.#dueMs(turns)
    const fast = turns.map(tries => this.#atFullSpeed(tries)).map(parts => parts.length > 0 ? pooled(parts) : null)
    return { timed: isSlow ? all : fast, core: { loopMs: this.#loopMs, isSlow } }
  }

  /**
   * @param {JudgedTurn[]} tries
   * @returns {number} milliseconds of CPU time that they measured at full speed
   */
  fastMs (tries) {
    return sum(this.#atFullSpeed(tries).map(({ cpuMs }) => cpuMs))
  }

  /**
   * Cycles that are longer than a turn are not watched. What was judged before anybody knew how fast the core can be is not at full
   * speed.
   *
   * @param {JudgedTurn[]} tries
   * @returns {Timed[]}
   */
  #atFullSpeed (tries) {
    const now = this.#pace.with(this.#loopMs)
    return tries.flatMap(({ watched, paceMs, ...timed }) => {
      if (!watched) return [timed]
      return isFullSpeed(paceMs, now) ? watched.atFullSpeed ?? [] : []
    })
  }

  /**
   * What a queue should measure: one that sat out has taken fewer turns.
   *
   * @param {JudgedTurn[][]} turns  By slice.
   */
  #dueMs (turns) {
    return this.#turnMs * Math.min(this.#turns, turns.filter(tries => tries.length > 0).length)
  }

  /** The heat has ended: later ones are compared with it. */
  end () {
    if (this.#waitMs !== undefined) this.#pace.add(this.#loopMs)
  }
}
