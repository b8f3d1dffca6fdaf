/** Describes the machine: facts without which figures mean little. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import os from 'node:os'
import { fileURLToPath } from 'node:url'
import { CLOCK } from './clock.js'
import { askGit } from './git.js'
import { machineTimes, readIfThere } from './proc-stat.js'

const MANIFEST = new URL('../../package.json', import.meta.url)

/**
 * Facts about the machine; null for a fact that the system hides.
 *
 * @typedef {ReturnType<typeof captureEnvironment>} Environment
 *
 * @param {{pinning: string, loadGenerator: string}} chosen  `loadGenerator`: name and version, or 'none'.
 */
export function captureEnvironment (chosen) {
  const cpus = os.cpus()
  const times = machineTimes()
  return {
    cpu: cpus[0]?.model.trim() ?? 'unknown',
    cores: os.availableParallelism(),
    memoryBytes: os.totalmem(),
    // Distinguishes machines of one kind.
    machine: machineId(),
    kernel: `${os.type()} ${os.release()} ${os.arch()}`,
    // Governor of the CPU frequency.
    governor: readLine('/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor'),
    // Time taken by other guests of the host since boot.
    stealPercent: times && Math.round((1e4 * times.stolen) / times.total) / 100,
    // 1, 5 and 15 minutes.
    loadAverage: os.loadavg().map(load => Math.round(load * 100) / 100),
    node: process.version,
    v8: process.versions.v8,
    // In the working directory; '+' when there are changes.
    gitCommit: gitCommit() || null,
    // Clock that times turns.
    clock: CLOCK,
    ...chosen,
    timerq: /** @type {string} */ (JSON.parse(readFileSync(MANIFEST, 'utf8')).version)
  }
}

/** See machine-id(5), which asks programs to show only a hash of the id. */
function machineId () {
  const id = readLine('/etc/machine-id')
  return id ? createHash('sha256').update(`timerq ${id}`).digest('hex').slice(0, 12) : null
}

/** @param {string} path */
const readLine = path => readIfThere(path)?.split('\n')[0] ?? null

function gitCommit () {
  const commit = askGit('.', ['rev-parse', '--short=12', 'HEAD'])
  return commit && commit + (askGit('.', ['status', '--porcelain', '--untracked-files=no']) && '+')
}

/**
 * Hash of a file itself, not of its imports. Programs, and modules of a gate's sides, have no single file.
 *
 * @param {{url: string}} file
 */
export function hashOf ({ url }) {
  return url === ''
    ? ''
    : createHash('sha256')
      .update(readFileSync(fileURLToPath(url)))
      .digest('hex')
}
