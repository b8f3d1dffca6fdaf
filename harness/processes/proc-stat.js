/** CPU times and memory as Linux counts them, see proc(5). Every function returns null where they cannot be read. */
import { readFileSync } from 'node:fs'

/** Linux reports to programs in hundredths of a second, independent of the kernel's own tick. */
const MS_PER_TICK = 10

/**
 * @typedef {object} MachineTimes  Ticks of all cores since boot.
 * @property {number} total
 * @property {number} stolen  Ticks that other guests of the host had.
 */

/** @returns {MachineTimes | null} */
export function machineTimes () {
  const line = readIfThere('/proc/stat')?.split('\n')[0]
  if (line === undefined) return null
  // user, nice, system, idle, iowait, irq, softirq, steal
  const ticks = line.split(/\s+/).slice(1, 9).map(Number)
  return { total: ticks.reduce((sum, time) => sum + time, 0), stolen: ticks[7] }
}

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

/** @param {number | undefined} pid */
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
