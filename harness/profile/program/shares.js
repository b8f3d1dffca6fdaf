/** What the timers of a program cost: their share of the CPU that it used, and how far that figure can be trusted. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { buildTree, countTicks, isIdle, parseCpuProfile } from '../analysis/cpu-profile.js'
import { measureFidelity, warnOfError } from '../analysis/fidelity.js'
import { flameTree } from '../analysis/flame-tree.js'
import { heavyProfile } from '../analysis/heavy-profile.js'
import { computeShares, cpuPerTime, ownerInProgram } from '../analysis/shares.js'

/**
 * @typedef {object} ProfiledProcess
 * @property {string} name  Of its files.
 * @property {string[]} program  Its script and arguments.
 * @property {number} cpuSeconds  Used while the profile was recorded.
 * @property {number} seconds
 * @property {number} ticks  While it was running.
 * @property {number} timersShare  Of its CPU: in Node's timers and what they call, but for the callbacks of timers.
 * @property {import('../analysis/fidelity.js').Fidelity} fidelity
 * @property {string[]} warnings  Of the profile.
 * @property {ReturnType<typeof heavyProfile>} heavy
 * @property {import('../analysis/flame-tree.js').FlameNode} tree
 */

/**
 * Reads what hook.js has left in the folder, and leaves a .cpuprofile there for each process.
 *
 * @param {string} folder
 * @returns {ProfiledProcess[]} the busiest first
 */
export function readProgramProfiles (folder) {
  const files = readdirSync(folder).filter(name => /^\d+\.recorded$/.test(name))
  return files.map(file => {
    const { program, window, busyMicros, profile: raw } = JSON.parse(readFileSync(path.join(folder, file), 'utf8'))
    const name = path.parse(file).name
    const text = JSON.stringify(raw)
    writeFileSync(path.join(folder, `${name}.cpuprofile`), text)
    rmSync(path.join(folder, file))
    const profile = buildTree(parseCpuProfile(text, file))
    const perTime = cpuPerTime(window)
    const fidelity = measureFidelity(profile, window, busyMicros)
    return {
      name,
      program,
      cpuSeconds: window.cpuMicros / 1e6,
      seconds: window.windowMicros / 1e6,
      ticks: profile.ticks - countTicks(profile, isIdle),
      timersShare: computeShares(profile, window, ownerInProgram).queue.inclusive,
      fidelity,
      warnings: warnOfError(fidelity),
      heavy: heavyProfile(profile, perTime),
      tree: flameTree(profile, perTime, ownerInProgram)
    }
  }).sort((a, b) => b.cpuSeconds - a.cpuSeconds)
}
