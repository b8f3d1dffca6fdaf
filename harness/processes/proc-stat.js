/**
 * CPU times, memory and processes as Linux counts them, see proc(5). A function returns null, or
 * nothing, where they cannot be read.
 */
import { readdirSync, readFileSync } from 'node:fs'

/** Linux reports to programs in hundredths of a second, independent of the kernel's own tick. */
const MS_PER_TICK = 10

/**
 * @typedef {object} MachineTimes  Ticks of all cores since boot.
 * @property {number} total
 * @property {number} stolen  Ticks that other guests of the host had.
 * @property {number} others  Ticks of programs that this process has not started.
 */

/** @returns {MachineTimes | null} */
export function machineTimes () {
  const line = readIfThere('/proc/stat')?.split('\n')[0]
  if (line === undefined) return null
  const ticks = line.split(/\s+/).slice(1, 9).map(Number)
  // user, nice, system, idle, iowait, irq, softirq, steal
  const [idle, wait, stolen] = [ticks[3], ticks[4], ticks[7]]
  // This process and the children that have ended: user, system, and both again.
  const own = sum((fieldsOf('self') ?? []).slice(11, 15).map(Number))
  return { total: sum(ticks), stolen, others: sum(ticks) - idle - wait - stolen - own }
}

/** @param {number[]} values */
const sum = values => values.reduce((total, value) => total + value, 0)

/**
 * CPU milliseconds of all threads, in their own code and in the kernel.
 *
 * @type {(pid: number | undefined) => number | null}
 */
export function cpuMsOf (pid) {
  const fields = fieldsOf(pid)
  return fields && MS_PER_TICK * (Number(fields[11]) + Number(fields[12]))
}

/** @param {number} pid */
export function placeInTree (pid) {
  const fields = fieldsOf(pid)
  return fields && { state: fields[0], parent: Number(fields[1]), group: Number(fields[2]) }
}

/** @param {number | 'self' | undefined} pid */
function fieldsOf (pid) {
  const line = readIfThere(`/proc/${pid}/stat`)
  // The second field is the program's name in brackets and may hold spaces; the fields from the third on are plain.
  return line === undefined ? null : line.slice(line.lastIndexOf(')') + 2).split(' ')
}

/** @type {(pid: number | undefined) => number | null}  Megabytes of 2^20 bytes. */
export function residentMbOf (pid) {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readIfThere(`/proc/${pid}/status`) ?? '')?.[1]
  return kilobytes === undefined ? null : Number(kilobytes) / 1024
}

/** @param {string} file */
export function readIfThere (file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/**
 * Names of files and folders that are numbers, such as those of processes.
 *
 * @param {string} folder
 */
export function numbersIn (folder) {
  try {
    return readdirSync(folder).map(Number).filter(name => name > 0)
  } catch {
    return []
  }
}

/**
 * @param {string} variable  Variable of the environment, with its value.
 * @returns {number[]} processes that were started with it
 */
export const processesWith = variable =>
  numbersIn('/proc').filter(pid => readIfThere(`/proc/${pid}/environ`)?.split('\0').includes(variable))
