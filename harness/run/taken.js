/**
 * What a run remembers of the samples that it has taken: which they are, and how each cell fared. The samples themselves stay in
 * their file: a long run takes a million of them.
 */
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
  /** @type {Set<string>} */
  #names = new Set()
  /** By id. @type {Map<string, Fared>} */
  #cells = new Map()

  /** @param {Sample} sample */
  add (sample) {
    const { cell, failure, satOut, core } = sample
    this.#names.add(nameOf(sample))
    const fared = this.#cells.get(cell) ?? { samples: [], isSlow: false, slowCores: 0 }
    if (fared.samples.length === 0 || (failure && !fatalFailure(fared.samples))) fared.samples.push({ failure })
    if (satOut) fared.isSlow = true
    if (core?.isSlow) fared.slowCores++
    this.#cells.set(cell, fared)
  }

  /** @param {import('./execute.js').Step} step */
  has ({ id, kind, cells: [cell], round }) {
    return this.#names.has(nameOf({ heat: id, kind, cell: cell.id, round }))
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

/** @param {Pick<Sample, 'heat' | 'kind' | 'cell' | 'round'>} sample */
const nameOf = ({ heat, kind, cell, round }) => heat ?? `${kind} ${round} ${cell}`
