/** Loading that takes the time from measuring. */
import { formatNumber } from '../../model/numbers.js'
/** @import { Warning } from '../../model/warnings.js' */

/** As long as this, and this share of a process's time. */
const LONG_MS = 500
const MOSTLY = 0.7

/**
 * @param {number} loadMs  CPU time until the workload was there.
 * @param {number} usedMs  CPU time of the process.
 * @returns {Warning[]} one at most
 */
export function warnOfLoading (loadMs, usedMs) {
  if (loadMs < LONG_MS || loadMs < MOSTLY * usedMs) return []
  const [loading, all] = [loadMs, usedMs].map(ms => formatNumber(ms / 1000))
  return [{ kind: 'slow-to-load', text: `loading takes ${loading} s of ${all} s a process` }]
}
