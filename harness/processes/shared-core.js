/** Below this share of its time a busy process did not have its core to itself. */
const UNDISTURBED = 0.9

/**
 * A warning when a process that was busy all the time got less CPU than time went by: other programs were running.
 *
 * @param {{user: number, system: number}} used  Microseconds.
 * @param {number} wallMs
 * @returns {string[]} none, or the one
 */
export function describeSharedCore ({ user, system }, wallMs) {
  const share = (user + system) / 1000 / wallMs
  return share < UNDISTURBED ? [`shared core: other programs left it ${Math.round(share * 100)} % of the time`] : []
}
