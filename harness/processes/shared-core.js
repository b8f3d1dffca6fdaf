/** Below this share of its busy time, a process did not have its core to itself. */
const UNDISTURBED = 0.9

/**
 * @typedef {{userMicros: number, systemMicros: number, windowMs: number, eventLoopUtilization: number}} Window Of a
 *   process, or the sum of several.
 */

/** @type {(window: Window) => number}  CPU time per time in which event loops were busy. */
const shareOfCore = ({ userMicros, systemMicros, windowMs, eventLoopUtilization }) =>
  (userMicros + systemMicros) / 1000 / (windowMs * eventLoopUtilization)

/** @type {(window: Window) => boolean}  Whether event loops had a core whenever they were busy. */
export const hadCores = window => shareOfCore(window) >= UNDISTURBED

/** @type {(window: Window) => string[]}  One warning or none. */
export function describeSharedCore (window) {
  return hadCores(window)
    ? []
    : [`shared core: other programs left it ${Math.round(shareOfCore(window) * 100)} % of the time`]
}
