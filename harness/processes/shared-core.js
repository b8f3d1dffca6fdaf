/** Busy processes that got less CPU than time went by had to share their core with other programs. */

/** Share of a busy process's time; below this it did not have its core to itself. */
const UNDISTURBED = 0.9

/** @type {(used: {user: number, system: number}, busyMs: number) => string[]}  `used`: microseconds. */
export function describeSharedCore (used, busyMs) {
  const share = shareOfTime(used, busyMs)
  return share < UNDISTURBED ? [`shared core: other programs left it ${Math.round(share * 100)} % of the time`] : []
}

/**
 * Whether event loops had a core whenever they were busy. The window of a cluster is a sum over its workers.
 *
 * @param {{userMicros: number, systemMicros: number, windowMs: number, eventLoopUtilization: number}} window
 */
export function hadCores ({ userMicros, systemMicros, windowMs, eventLoopUtilization }) {
  return shareOfTime({ user: userMicros, system: systemMicros }, windowMs * eventLoopUtilization) >= UNDISTURBED
}

/** @type {(used: {user: number, system: number}, busyMs: number) => number} */
const shareOfTime = ({ user, system }, busyMs) => (user + system) / 1000 / busyMs
