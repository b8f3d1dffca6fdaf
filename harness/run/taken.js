/** How each cell of a run fared so far. */
import { fatalFailure } from '../judge/pairs.js'

/**
 * @typedef {import('../store/results.js').Sample} Sample
 *
 * @typedef {object} Fared  A cell.
 * @property {Pick<Sample, 'failure'>[]} samples  The first one, and those that failed, until they are enough to give it up.
 * @property {boolean} isSlow  It sat out most slices of a heat, because its cycles are so long.
 * @property {number} slowCores  Samples during which something else slowed its core down.
 */

export class Taken {
  /** By id. @type {Map<string, Fared>} */
  #cells = new Map()

  /** @param {Sample} sample */
  add ({ cell, failure, satOut, core }) {
    const fared = this.#cells.get(cell) ?? { samples: [], isSlow: false, slowCores: 0 }
    if (fared.samples.length === 0 || (failure && !fatalFailure(fared.samples))) fared.samples.push({ failure })
    if (satOut) fared.isSlow = true
    if (core?.isSlow) fared.slowCores++
    this.#cells.set(cell, fared)
  }

  /** @param {string} cell */
  isGivenUp (cell) {
    return fatalFailure(this.#cells.get(cell)?.samples ?? []) !== undefined
  }

  /** @param {string} cell */
  isSlow (cell) {
    return this.#cells.get(cell)?.isSlow ?? false
  }

  /** @param {string} cell */
  slowCores (cell) {
    return this.#cells.get(cell)?.slowCores ?? 0
  }
}
