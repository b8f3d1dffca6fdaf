/**
 * Heats on cores that something else slowed down: another guest of the machine, above all. Two queues do not become slower alike
 * there, so where enough heats ran at full speed, the others do not count. How fast the core was says nothing of which queue is
 * faster: leaving out by it favours none.
 */
import { isFullSpeed } from './model/core-speed.js'
import { placeOf } from './model/numbers.js'

/** @typedef {import('./results/results.js').Sample} Sample */

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

/** Counts them, table by table. */
export class SlowCores {
  #slow = 0
  #heats = 0
  /** Tables in which they count, for lack of others. @type {string[]} */
  #tables = []

  /**
   * @param {import('./plan.js').Cell[]} cells  Of a table.
   * @param {Sample[][]} samples  Of each.
   */
  see ([cell], samples) {
    const isSlow = onSlowCores(samples)
    const heats = new Map(samples.flatMap(some => some.flatMap(sample => sample.core && sample.heat !== undefined ? [[sample.heat, isSlow(sample)]] : [])))
    const slow = [...heats.values()].filter(Boolean).length
    this.#slow += slow
    this.#heats += heats.size
    if (slow > 0 && heats.size - slow < FEWEST_AT_FULL_SPEED) this.#tables.push(placeOf(cell))
  }

  /** @returns {string[]} warnings */
  describe () {
    if (this.#slow === 0) return []
    const counted = this.#tables.length === 0 ? 'they are left out' : `they are left out, but for tables that have fewer than ${FEWEST_AT_FULL_SPEED} others: ${this.#tables.join('; ')}`
    return [`${this.#slow} of ${this.#heats} heats ran on a core that something else slowed down: ${counted}`]
  }
}
