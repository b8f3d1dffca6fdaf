/** Claims of the source documents, a file for each document. */
import { clusterVersusAsync } from './cluster-vs-async.js'
import { elsewhere } from './elsewhere.js'
import { neqo } from './neqo.js'
import { semiSpace } from './semi-space.js'
import { since2024 } from './since-2024.js'
import { staggeredExpiry } from './staggered-expiry.js'
import { unrefactive } from './unrefactive.js'

/** @import { Claim, Preset } from './claim.js' */

/**
 * @param {object} options
 * @param {Preset} options.preset  Decides the sizes.
 * @param {number} options.cores  Cores of this machine.
 * @returns {Claim[]}
 */
export function claimsOf ({ preset, cores }) {
  const expiry = staggeredExpiry(preset)
  return [
    ...unrefactive(preset, expiry),
    ...neqo,
    ...clusterVersusAsync(cores),
    ...semiSpace,
    ...elsewhere(preset, expiry),
    ...since2024
  ]
}
