/**
 * Keeps the measured process and its load on different cores (Linux, taskset). Unpinned on two cores, the scheduler
 * moves both around and a V8 profile of the server is off by a factor.
 */
import { execFile, execFileSync } from 'node:child_process'
import os from 'node:os'

/**
 * @typedef {object} Pins  Command prefixes, empty where nothing can be pinned.
 * @property {string[]} subject  Prefix of the measured process.
 * @property {string[]} load  Prefix of its load.
 * @property {string[][]} cores  Prefix for each core, for measurements without a load.
 * @property {string} note
 * @property {boolean} canPin  Whether this system has a command that pins.
 */

/** @returns {Pins} */
export function choosePins () {
  const cores = allowedCores()
  if (cores.length < 2) {
    const unpinned = Array.from({ length: os.availableParallelism() }, () => [])
    return {
      subject: [],
      load: [],
      cores: unpinned,
      note: cores.length === 0 ? 'not pinned: no taskset here' : 'not pinned: one core',
      canPin: cores.length > 0
    }
  }
  const subject = String(cores.at(-1))
  const load = cores.slice(0, -1).join(',')
  return {
    subject: ['taskset', '-c', subject],
    load: ['taskset', '-c', load],
    cores: cores.map(core => ['taskset', '-c', String(core)]),
    note: `measured process on core ${subject}, load generator on ${load}`,
    canPin: true
  }
}

/**
 * Pins a running process with all its threads. A process that has ended, or may not be pinned, is left alone.
 *
 * @type {(pid: number | undefined, pin?: string[]) => Promise<void>}
 */
export async function pinProcess (pid, [command, ...options] = []) {
  if (command === undefined) return
  await new Promise(resolve => execFile(command, ['-a', '-p', ...options, String(pid)], resolve))
}

/** @returns {number[]} the cores that this process may use; none without taskset */
function allowedCores () {
  try {
    const list = execFileSync('taskset', ['-c', '-p', String(process.pid)], { encoding: 'utf8' }).split(': ')[1]
    return list
      .trim()
      .split(',')
      .flatMap(range => {
        const [first, last = first] = range.split('-').map(Number)
        return Array.from({ length: last - first + 1 }, (_, i) => first + i)
      })
  } catch {
    return []
  }
}
