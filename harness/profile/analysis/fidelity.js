/** How far a profile of this server can be trusted: what it says of a function whose cost is known. */
import { stackOf } from './cpu-profile.js'
import { shareOf } from './shares.js'

const BUSY_WORK = new URL('../server/busy.js', import.meta.url).href
/** Five points: above, a ranking by shares may be wrong. */
export const TOLERABLE_ERROR = 0.05

/**
 * @typedef {object} Fidelity  Shares of busy CPU.
 * @property {number} known
 * @property {number} profiled
 * @property {number} error  Signed: above zero, the profile says too much.
 */

/**
 * @param {import('./cpu-profile.js').CpuProfile} profile
 * @param {import('./shares.js').Window} window
 * @param {number} busyMicros  What the function took.
 * @returns {Fidelity}
 */
export function measureFidelity (profile, window, busyMicros) {
  const isBusyWork = (/** @type {{url: string, name: string}} */ { url, name }) => url === BUSY_WORK && name === 'stayBusy'
  const known = busyMicros / window.cpuMicros
  const profiled = shareOf(profile, window, frame => [...stackOf(frame)].some(isBusyWork))
  return { known, profiled, error: profiled - known }
}

/**
 * @param {Fidelity} fidelity
 * @returns {string[]} nothing where the profile is good enough
 */
export function warnOfError ({ known, profiled, error }) {
  if (Math.abs(error) <= TOLERABLE_ERROR) return []
  const percent = (/** @type {number} */ share) => `${(100 * share).toFixed(1)} %`
  return [`the profile cannot be trusted: it gave ${percent(profiled)} of the CPU to a function that used ${percent(known)}`]
}
