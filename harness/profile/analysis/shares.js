/**
 * How the CPU that a process used is shared between queue, timer service and the rest.
 *
 * A profile shows for which part of its window a function was running or ready to run: ticks also come while the thread waits
 * for a core. The kernel reports how long it waited, and how much CPU the process used. The profile alone is not enough: it
 * counts the kernel's work in epoll as idle, which is a fifth of the window of a saturated server. On a machine that other
 * programs used too, counting the waiting as running made an error of 7.6 points, and leaving it out 1 point.
 */
import { countTicks, isCollector, isIdle, stackOf, sumTime } from './cpu-profile.js'

/**
 * @typedef {import('./cpu-profile.js').CpuProfile} CpuProfile
 * @typedef {import('./cpu-profile.js').Frame} Frame
 * @typedef {'queue' | 'service' | 'clock' | 'other' | 'native'} Owner  `native` is the compiled code of V8 and Node.
 *
 * @typedef {object} Window  What the kernel reports about the time that a profile covers.
 * @property {number} windowMicros
 * @property {number} cpuMicros  Used by the whole process, user and system.
 * @property {number} runningShare  The part of its runnable time in which the main thread had a core: less than 1 where
 *   something else used the core too.
 *
 * @typedef {object} Share  Of busy CPU.
 * @property {number} self  In the module's own functions.
 * @property {number} inclusive  With everything they call, except the callbacks of expired timers.
 *
 * @typedef {object} Shares
 * @property {Share} queue
 * @property {Share} timers  The queue and the timer service that drives it.
 * @property {number} collector  Garbage collection on the main thread.
 * @property {number} idle  Share of the window, as the kernel counts it.
 * @property {number} idleByProfile  Share of the window, as the profile counts it.
 */

const HARNESS = new URL('../../', import.meta.url).href
const SERVICE = ['measure/http/timer-service.js', 'measure/http/socket-timers.js'].map(file => HARNESS + file)
const NODE_TIMERS = ['node:timers', 'node:internal/timers', 'node:internal/priority_queue', 'node:internal/linkedlist']
const NODE_CLOCK = ['node:internal/perf/', 'node:internal/histogram']

/**
 * In a measured server every module belongs to Node, the harness, the scenario or the queue. Whatever is none of the first
 * three is the queue's, with all that it imports. A scenario imports only from its own folder.
 *
 * @param {{queueUrl: string | null, scenarioUrl: string}} task  queueUrl null: Node's own timers are the queue.
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
 * In a program of the user's, Node's timers are the queue.
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
  const isSelf = (/** @type {Owner[]} */ ...owners) => (/** @type {Frame} */ frame) => owners.includes(ownerOf(frame))
  const isUnder = (/** @type {Owner[]} */ ...owners) => (/** @type {Frame} */ frame) => owners.includes(masterOf(frame, ownerOf))
  const share = (/** @type {(frame: Frame) => boolean} */ matches) => shareOf(profile, window, matches)
  return {
    queue: { self: share(isSelf('queue')), inclusive: share(isUnder('queue')) },
    timers: { self: share(isSelf('queue', 'service')), inclusive: share(isUnder('queue', 'service')) },
    collector: share(isCollector),
    idle: Math.max(0, 1 - window.cpuMicros / window.windowMicros),
    idleByProfile: sumTime(profile, isIdle)
  }
}

/**
 * Ticks in the queue and in what it calls, except the callbacks of expired timers.
 *
 * @param {CpuProfile} profile
 * @param {(frame: Frame) => Owner} ownerOf
 */
export function countQueueTicks (profile, ownerOf) {
  return countTicks(profile, frame => masterOf(frame, ownerOf) === 'queue')
}

/**
 * @param {CpuProfile} profile
 * @param {Window} window
 * @param {(frame: Frame) => boolean} matches
 * @returns {number} of busy CPU
 */
export function shareOf (profile, window, matches) {
  return sumTime(profile, matches) * cpuPerTime(window)
}

/**
 * @param {Window} window
 * @returns {number} the share of busy CPU that the whole time of a profile stands for; above 1 where the process slept
 */
export function cpuPerTime ({ windowMicros, cpuMicros, runningShare }) {
  return windowMicros * runningShare / cpuMicros
}

/**
 * On whose behalf a frame runs: native code and the clock run for their caller. The callback of an expired timer runs for its
 * own module.
 *
 * @param {Frame} frame
 * @param {(frame: Frame) => Owner} ownerOf
 */
function masterOf (frame, ownerOf) {
  for (const caller of stackOf(frame)) {
    const owner = ownerOf(caller)
    if (owner !== 'native' && owner !== 'clock') return owner
  }
  return 'native'
}
