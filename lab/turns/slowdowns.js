/** Entrants of a round that asks whether slowdowns come out as themselves: a queue, slowed by known amounts. */
import { MICRO_PRICING, priceWork, slowedUrl } from '../calibration/slow-down.js'
import { measureTogether, SETTLED } from './measure.js'

/** @typedef {Omit<import('./measure.js').Place, 'seed'>} Place */

const { firstGuess, period } = MICRO_PRICING
/** Heats of each step: few, as their slices are long. */
const HEATS = [1, 2, 4]

/**
 * Prices the work in processes that have had the core to themselves for a while: the price excludes any bias of turns.
 *
 * @param {string} queueUrl
 * @param {number[]} slowdowns  0.02: 2 %.
 * @param {Place} place
 * @returns {Promise<string[]>} the queue, the same again, and slowed by each
 */
export async function entrantsOf (queueUrl, slowdowns, place) {
  const base = slowedUrl(queueUrl, { period })
  let seed = 0
  const works = await priceWork(slowdowns, { firstGuess, heats: HEATS }, async work => {
    const { inTurns } = await measureTogether(
      [base, slowedUrl(queueUrl, { work, period })],
      [SETTLED],
      { ...place, seed: --seed },
      0
    )
    return inTurns[0][1] ?? undefined
  })
  return [base, base, ...Object.values(works).map(work => slowedUrl(queueUrl, { work, period }))]
}
