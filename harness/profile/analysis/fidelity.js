/** Fidelity of a profile: the reported share of a function of known cost. */
import { stackOf } from './cpu-profile.js'
import { shareOf } from './shares.js'
/** @import { Warning } from '../../model/warnings.js' */
/** @import { CpuProfile } from './cpu-profile.js' */
/** @import { Window } from './shares.js' */

const BUSY_WORK = new URL('../subject/busy.js', import.meta.url).href
/** A larger error makes a ranking by shares doubtful. */
const TOLERABLE_ERROR = 0.05

/**
 * @typedef {object} Fidelity  Shares of busy CPU.
 * @property {number} known
 * @property {number} profiled
 * @property {number} error  Positive: the profile reports too much.
 */

/**
 * @param {CpuProfile} profile
 * @param {Window} window
 * @param {number} busyMicros  CPU time of the function.
 * @returns {Fidelity}
 */
export function measureFidelity (profile, window, busyMicros) {
  const isBusyWork = (/** @type {{url: string, name: string}} */ { url, name }) =>
    url === BUSY_WORK && name === 'stayBusy'
  const known = busyMicros / window.cpuMicros
  const profiled = shareOf(profile, window, frame => [...stackOf(frame)].some(isBusyWork))
  return { known, profiled, error: profiled - known }
}

/**
 * @param {Fidelity} fidelity
 * @returns {Warning[]}
 */
export function warnOfError ({ known, profiled, error }) {
  if (Math.abs(error) <= TOLERABLE_ERROR) return []
  const percent = (/** @type {number} */ share) => `${(100 * share).toFixed(1)} %`
  const text = `it gave ${percent(profiled)} of the CPU to a function that used ${percent(known)}`
  return [{ kind: 'wrong-profile', text }]
}
