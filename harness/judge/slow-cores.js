/**
 * Samples of heats on cores that something else slowed down: another guest of the machine, above all. Two queues do not become slower
 * alike there, so where enough heats ran at full speed, the others do not count. How fast the core was says nothing of which queue is
 * faster: leaving out by it favours none.
 */
import { isFullSpeed } from '../model/core-speed.js'
import { describeCell, formatCount, formatSome } from '../model/numbers.js'

/** @typedef {import('../store/results.js').Sample} Sample */

/** They give an interval. */
export const FEWEST_AT_FULL_SPEED = 3

/**
 * A heat whose core was slow from beginning to end takes that for full speed, unless one before it was faster. The others show it.
 *
 * @param {Sample[][]} samples  Of heats that are compared.
 * @returns {(sample: Sample) => boolean}
 */
export function onSlowCores (samples) {
  let paceMs = Infinity
  // Plain loops: there may be a million.
  for (const some of samples) {
    for (const { core } of some) paceMs = Math.min(paceMs, core?.loopMs ?? Infinity)
  }
  return ({ core }) => core !== undefined && (core.isSlow || !isFullSpeed(core.loopMs, paceMs))
}

/**
 * @param {Sample[]} samples  Of one cell.
 * @returns {Sample[]} without those of slow cores, if enough others are left
 */
export function atFullSpeed (samples) {
  const isSlow = onSlowCores([samples])
  const others = samples.filter(sample => !isSlow(sample))
  return others.filter(({ core }) => core).length >= FEWEST_AT_FULL_SPEED ? others : samples
}

/** Counts them, table by table. */
export class SlowCores {
  #slow = 0
  #samples = 0
  /** Whose ratio they count for, for lack of others. @type {import('../plan/plan.js').Cell[]} */
  #lacking = []

  /**
   * @param {import('../plan/plan.js').Cell[]} cells  Of a table.
   * @param {Sample[][]} samples  Of each.
   * @param {Sample[]} ofControl  Of the one that the others are compared with.
   */
  see (cells, samples, ofControl) {
    const isSlow = onSlowCores(samples)
    const ofHeats = samples.map(some => some.filter(({ core }) => core !== undefined))
    const controlled = heatsOf(ofControl.filter(sample => !isSlow(sample)))
    cells.forEach((cell, i) => {
      const fast = ofHeats[i].filter(sample => !isSlow(sample))
      this.#samples += ofHeats[i].length
      this.#slow += ofHeats[i].length - fast.length
      const counted = [...heatsOf(fast)].filter(heat => ofControl.length === 0 || controlled.has(heat)).length
      if (samples[i] !== ofControl && counted < Math.min(FEWEST_AT_FULL_SPEED, ofHeats[i].length)) this.#lacking.push(cell)
    })
  }

  /** @returns {string[]} warnings */
  describe () {
    if (this.#slow === 0) return []
    const named = this.#lacking.map(describeCell)
    const counted = named.length === 0 ? 'no ratio counts them' : `no ratio counts them, but for those with fewer than ${FEWEST_AT_FULL_SPEED} others: ${formatSome(named)}`
    return [`in heats, ${formatCount(this.#slow, 'sample')} of ${this.#samples} had a core that something else slowed down: ${counted}`]
  }
}

/** @param {Sample[]} samples */
const heatsOf = samples => new Set(samples.flatMap(({ heat }) => heat ?? []))
