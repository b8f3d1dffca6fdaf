/** The samples of a gate by row, heat and side, and what went wrong in them. */
import { isLost } from '../judge/pairs.js'
import { rowId } from '../plan/rows.js'

/** @import { CellPlace, Side } from '../model/cell.js' */
/** @import { Sample } from '../store/results.js' */
/** @typedef {Partial<Record<Side, Sample>>} Heat  Samples of one row's sides. */

/** Other programs may cost a row one heat. A row that loses more cannot be measured. */
const LOST_HEATS_ALLOWED = 1

export class Heats {
  /**
   * Samples by row.
   *
   * @type {Map<string, {heats: Heat[], counts: Heat}>}
   */
  #rows = new Map()

  /** @param {Sample[]} [samples] */
  constructor (samples = []) {
    this.add(samples)
  }

  /** @param {Sample[]} samples */
  add (samples) {
    for (const sample of samples) {
      const id = rowId(sample)
      const { heats, counts } = this.#rows.get(id) ?? { heats: [], counts: {} }
      const side = /** @type {Side} */ (sample.side)
      if (sample.kind === 'count') counts[side] = sample
      else heats[sample.round] = { ...heats[sample.round], [side]: sample }
      this.#rows.set(id, { heats, counts })
    }
  }

  /**
   * @param {CellPlace} row
   * @returns {Heat} the counts of its sides
   */
  countsOf (row) {
    return this.#rows.get(rowId(row))?.counts ?? {}
  }

  /**
   * @param {CellPlace} row
   * @param {number} [rounds]  Later heats are left out.
   * @returns {Heat[]} by round
   */
  of (row, rounds = Infinity) {
    const heats = this.#rows.get(rowId(row))?.heats ?? []
    return heats.slice(0, rounds).filter(({ base, head }) => base || head)
  }

  /**
   * @param {CellPlace} row
   * @param {number} [rounds]  Later heats are left out.
   * @returns {string | undefined} why more heats of the row would be wasted
   */
  failureOf (row, rounds) {
    const heats = this.of(row, rounds)
    const sides = /** @type {const} */ (['base', 'head'])
    const counts = this.countsOf(row)
    const failed = heats.flatMap(heat => sides.flatMap(side => failureIn(side, heat[side])))
    // A queue that is too slow to be counted can still be timed.
    const died = [...sides.flatMap(side => failureIn(side, counts[side])), ...failed].find(({ isLoss }) => !isLoss)
    // A side that is lost alone counts as infinitely slow. A heat that lost both sides shows nothing.
    const lost = heats.filter(({ base, head }) => base && head && isLost(base) && isLost(head))
    const failure = died ?? (lost.length > LOST_HEATS_ALLOWED ? failed[0] : undefined)
    return failure?.message ?? controlFailureOf(heats)
  }
}

/**
 * @param {Heat[]} heats
 * @returns {string | undefined}
 */
export function controlFailureOf (heats) {
  const failed = heats.flatMap(({ control }) => failureIn('control', control))
  return (failed.find(({ isLoss }) => !isLoss) ?? failed[LOST_HEATS_ALLOWED])?.message
}

/**
 * @param {Side} side
 * @param {Sample} [sample]
 */
function failureIn (side, sample) {
  if (!sample?.failure) return []
  const { message } = sample.failure
  return [{ message: `${side}: ${message}`, isLoss: isLost(sample) }]
}
