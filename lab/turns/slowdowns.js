/** A queue slowed by known amounts, as the entrants of a round: do slowdowns come out as themselves? */
import { MICRO_PRICING, priceWork, slowedUrl } from '../calibration/slow-down.js'
import { measureTogether, SETTLED } from './measure.js'

/** @typedef {Omit<import('./measure.js').Place, 'seed'>} Place */

const { firstGuess, period } = MICRO_PRICING
/** Of each step: their slices are long. */
const HEATS = [1, 2, 4]

/**
 * What the work costs is measured once a process has had the core to itself for a while: a bias of turns is no part of
 * the price.
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
