/**
 * Shares of a process's CPU: queue, timer service and the rest, and the error of these shares.
 *
 * A profile shows the part of its window in which a function was running or ready to run: ticks also come while the
 * thread waits for a core. The kernel reports the waiting time and the CPU used. The profile alone is not enough: it
 * counts the kernel's work in epoll as idle, a fifth of the window of a saturated server. On a shared machine, the
 * error was 7.6 points with the waiting counted as running, and 1 point without.
 */
import { countTicks, isCollector, isIdle, stackOf, sumTime } from './cpu-profile.js'
/** @import { Warning } from '../../model/warnings.js' */
/** @import { CpuProfile, Frame } from './cpu-profile.js' */

/**
 * @typedef {'queue' | 'service' | 'clock' | 'other' | 'native'} Owner  `native` is the compiled code of V8 and Node.
 *
 * @typedef {object} Window  The kernel's figures for the time that a profile covers.
 * @property {number} windowMicros
 * @property {number} cpuMicros  CPU time of the whole process, user and system.
 * @property {number} runningShare  Share of the main thread's runnable time with a core; below 1 on a shared core.
 *
 * @typedef {object} Share  Share of busy CPU.
 * @property {number} self  Share of the module's own functions.
 * @property {number} inclusive  Share including all calls, except the callbacks of expired timers.
 *
 * @typedef {object} Shares
 * @property {Share} queue
 * @property {Share} timers  The queue and its timer service.
 * @property {number} collector  Garbage collection on the main thread.
 * @property {number} idle  Share of the window, as the kernel counts it.
 * @property {number} idleByProfile  Share of the window, as the profile counts it.
 *
 * @typedef {object} Fidelity  Share of busy CPU of a function of known cost.
 * @property {number} known
 * @property {number} profiled
 * @property {number} error  Positive: the profile reports too much.
 */

const HARNESS = new URL('../../', import.meta.url).href
const SERVICE = ['harness/subject/http/timer-service.js', 'timers/socket-timers.js'].map(
  file => new URL(`../../../${file}`, import.meta.url).href
)
const NODE_TIMERS = ['node:timers', 'node:internal/timers', 'node:internal/priority_queue', 'node:internal/linkedlist']
const NODE_CLOCK = ['node:internal/perf/', 'node:internal/histogram']
const BUSY_WORK = new URL('../subject/busy.js', import.meta.url).href
/** A larger error makes a ranking by shares doubtful. */
const TOLERABLE_ERROR = 0.05

/**
 * Every module of a measured server belongs to Node, the harness, the scenario or the queue. All modules outside the
 * first three are the queue's. A scenario imports only from its own folder.
 *
 * @param {{queueUrl: string | null, scenarioUrl: string}} job  queueUrl null: the queue is Node's timers.
 * @returns {(frame: {url: string}) => Owner}
 */
export function ownersIn ({ queueUrl, scenarioUrl }) {
  const scenarios = scenarioUrl.slice(0, scenarioUrl.lastIndexOf('/') + 1)
  return frame => {
    const { url } = frame
    const ofNode = ownerInProgram(frame)
    if (ofNode === 'queue') return queueUrl === null ? 'queue' : 'clock'
    if (ofNode !== 'other') return ofNode
    if (url === queueUrl) return 'queue'
    if (SERVICE.includes(url)) return 'service'
    return url.startsWith('node:') || url.startsWith(HARNESS) || url.startsWith(scenarios) ? 'other' : 'queue'
  }
}

/**
 * Owners in a user's program, where the queue is Node's timers.
 *
 * @param {{url: string}} frame
 * @returns {Owner}
 */
export function ownerInProgram ({ url }) {
  if (url === '') return 'native'
  if (NODE_TIMERS.includes(url)) return 'queue'
  return NODE_CLOCK.some(prefix => url.startsWith(prefix)) ? 'clock' : 'other'
}

/**
 * @param {CpuProfile} profile
 * @param {Window} window
 * @param {(frame: Frame) => Owner} ownerOf
 * @returns {Shares}
 */
export function computeShares (profile, window, ownerOf) {
  const shareOfOwners = (/** @type {Owner[]} */ ...owners) => ({
    self: shareOf(profile, window, frame => owners.includes(ownerOf(frame))),
    inclusive: shareOf(profile, window, frame => owners.includes(chargedOwner(frame, ownerOf)))
  })
  return {
    queue: shareOfOwners('queue'),
    timers: shareOfOwners('queue', 'service'),
    collector: shareOf(profile, window, isCollector),
    idle: Math.max(0, 1 - window.cpuMicros / window.windowMicros),
    idleByProfile: sumTime(profile, isIdle)
  }
}

/**
 * Ticks in the queue and its calls, except the callbacks of expired timers.
 *
 * @param {CpuProfile} profile
 * @param {(frame: Frame) => Owner} ownerOf
 */
export function countQueueTicks (profile, ownerOf) {
  return countTicks(profile, frame => chargedOwner(frame, ownerOf) === 'queue')
}

/**
 * Share of busy CPU.
 *
 * @type {(profile: CpuProfile, window: Window, matches: (frame: Frame) => boolean) => number}
 */
export const shareOf = (profile, window, matches) => sumTime(profile, matches) * cpuPerTime(window)

/**
 * Busy CPU by the whole time of a profile: above 1 if the process slept.
 *
 * @param {Window} window
 */
export const cpuPerTime = ({ windowMicros, cpuMicros, runningShare }) => (windowMicros * runningShare) / cpuMicros

/**
 * The owner that a frame is charged to. Native code and the clock run for their caller. The callback of an expired
 * timer runs for its module.
 *
 * @param {Frame} frame
 * @param {(frame: Frame) => Owner} ownerOf
 */
function chargedOwner (frame, ownerOf) {
  for (const caller of stackOf(frame)) {
    const owner = ownerOf(caller)
    if (owner !== 'native' && owner !== 'clock') return owner
  }
  return 'native'
}

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
