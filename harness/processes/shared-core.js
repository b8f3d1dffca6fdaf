/** Below this share of its time a busy process did not have its core to itself. */
const UNDISTURBED = 0.9

/**
 * A warning when a process that was busy all the time got less CPU than time went by: other programs were running.
 *
 * @param {{user: number, system: number}} used  Microseconds.
 * @param {number} wallMs
 * @returns {string[]} none, or the one
 */
export function describeSharedCore (used, wallMs) {
  const share = shareOfTime(used, wallMs)
  return share < UNDISTURBED ? [`shared core: other programs left it ${Math.round(share * 100)} % of the time`] : []
}

/**
 * Whether event loops had a core whenever they were busy. Several together are one sum.
 *
 * @param {{userMicros: number, systemMicros: number, windowMs: number, eventLoopUtilization: number}} window
 */
export function hadCores ({ userMicros, systemMicros, windowMs, eventLoopUtilization }) {
  return shareOfTime({ user: userMicros, system: systemMicros }, windowMs * eventLoopUtilization) >= UNDISTURBED
}

/**
 * @param {{user: number, system: number}} used  Microseconds.
 * @param {number} wallMs
 */
const shareOfTime = ({ user, system }, wallMs) => (user + system) / 1000 / wallMs
