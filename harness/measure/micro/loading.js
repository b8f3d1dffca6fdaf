/** Loading that takes the time from measuring. */
import { formatCount, formatNumber } from '../../model/numbers.js'
/** @import { Warning } from '../../model/warnings.js' */

/** As long as this, and this share of a process's time. */
const LONG_MS = 500
const MOSTLY = 0.7

/**
 * @param {number} loadMs  CPU time until the workload was there.
 * @param {number} usedMs  CPU time of the process.
 * @param {number} [late]  Modules that were transformed in measured calls.
 * @returns {Warning[]} one at most
 */
export function warnOfLoading (loadMs, usedMs, late = 0) {
  if (late > 0) {
    const text = `measured calls import what was never loaded before (${formatCount(late, 'module')})`
    return [{ kind: 'slow-to-load', text: `${text}: import it at the top` }]
  }
  if (loadMs < LONG_MS || loadMs < MOSTLY * usedMs) return []
  const [loading, all] = [loadMs, usedMs].map(ms => formatNumber(ms / 1000))
  return [{ kind: 'slow-to-load', text: `loading takes ${loading} s of ${all} s a process` }]
}
