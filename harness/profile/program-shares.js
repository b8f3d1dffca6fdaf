/** The cost of a program's timers: their share of its CPU, and how far that figure can be trusted. */
import { describeWarning } from '../model/warnings.js'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { buildTree, countTicks, isIdle, parseCpuProfile, sumTime } from './analysis/cpu-profile.js'
import { heavyProfile } from './analysis/heavy-profile.js'
import { computeShares, cpuPerTime, measureFidelity, ownerInProgram, warnOfError } from './analysis/shares.js'

/** @import { Window } from './analysis/shares.js' */

/** @typedef {ReturnType<typeof readProfile>} ProfiledProcess */

/**
 * Reads the files that program-hook.js has left in the folder, and leaves a .cpuprofile there for each process.
 *
 * @param {string} folder
 * @param {{pid: number, workers: number}[]} hooked  Worker threads of the processes.
 * @returns {ProfiledProcess[]} the busiest first
 */
export function readProgramProfiles (folder, hooked) {
  const files = readdirSync(folder).filter(name => /^\d+\.recorded$/.test(name))
  return files.map(file => readProfile(folder, file, hooked)).sort((a, b) => b.cpuSeconds - a.cpuSeconds)
}

/**
 * @param {string} folder
 * @param {string} file
 * @param {{pid: number, workers: number}[]} hooked
 */
function readProfile (folder, file, hooked) {
  const recorded = JSON.parse(readFileSync(path.join(folder, file), 'utf8'))
  const { program, busyMicros, profile: raw } = recorded
  const { name } = path.parse(file)
  const text = JSON.stringify(raw)
  writeFileSync(path.join(folder, `${name}.cpuprofile`), text)
  rmSync(path.join(folder, file))
  const profile = buildTree(parseCpuProfile(text, file))
  const window = withoutWaits(
    recorded.window,
    sumTime(profile, frame => !isIdle(frame))
  )
  const fidelity = measureFidelity(profile, window, busyMicros)
  return {
    name,
    /** Script and arguments. */
    program: /** @type {string[]} */ (program),
    cpuSeconds: window.cpuMicros / 1e6,
    seconds: window.windowMicros / 1e6,
    /** While the program was running. */
    ticks: profile.ticks - countTicks(profile, isIdle),
    /** Node's timers without the callbacks of timers, as a share of the program's CPU. */
    timersShare: computeShares(profile, window, ownerInProgram).queue.inclusive,
    fidelity,
    warnings: [
      ...warnOfError(fidelity).map(describeWarning),
      ...warnOfWorkers(hooked.find(({ pid }) => String(pid) === name)?.workers ?? 0)
    ],
    heavy: heavyProfile(profile, cpuPerTime(window))
  }
}

/**
 * A thread that waits inside a call, for a disk or a lock, is busy in the profile alone. No more than all of the CPU
 * was used.
 *
 * @param {Window} window
 * @param {number} busy  Share of the profile in which the thread was busy.
 * @returns {Window}
 */
function withoutWaits (window, busy) {
  const { windowMicros, cpuMicros, runningShare } = window
  return { ...window, runningShare: Math.min(runningShare, cpuMicros / (windowMicros * busy)) }
}

/** @param {number} workers */
function warnOfWorkers (workers) {
  if (workers === 0) return []
  const threads = workers === 1 ? 'a worker thread' : `${workers} worker threads`
  return [`it started ${threads}, whose work is in the CPU time and not in the profile`]
}
