/** Describes the machine, as far as it can be seen. Without this, nobody can judge the figures. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import os from 'node:os'
import { machineTimes } from './proc-stat.js'

/**
 * @typedef {object} Environment
 * @property {string} cpu
 * @property {number} cores
 * @property {number} memoryBytes
 * @property {string | null} [machine]  Tells machines of one kind apart: a hash of the id that each was given when it was
 *   installed. null where it has none.
 * @property {string} kernel
 * @property {string | null} governor  CPU frequency governor, null where not visible.
 * @property {number | null} stealPercent  Time taken by other guests since boot, null where not visible.
 * @property {number[]} loadAverage  1, 5 and 15 minutes, before the run.
 * @property {string} node
 * @property {string} v8
 * @property {string | null} gitCommit  Of the folder that the run was started in; '+' appended when it has changes.
 * @property {string} pinning
 * @property {string} loadGenerator  Name and version, or 'none'.
 * @property {string} timerq
 */

const MANIFEST = new URL('../../package.json', import.meta.url)

/**
 * @param {{pinning: string, loadGenerator: string}} chosen
 * @returns {Environment}
 */
export function captureEnvironment (chosen) {
  const cpus = os.cpus()
  return {
    cpu: cpus[0]?.model.trim() ?? 'unknown',
    cores: os.availableParallelism(),
    memoryBytes: os.totalmem(),
    machine: machineId(),
    kernel: `${os.type()} ${os.release()} ${os.arch()}`,
    governor: readLine('/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor'),
    stealPercent: stealPercent(),
    loadAverage: os.loadavg().map(load => Math.round(load * 100) / 100),
    node: process.version,
    v8: process.versions.v8,
    gitCommit: gitCommit(),
    ...chosen,
    timerq: JSON.parse(readFileSync(MANIFEST, 'utf8')).version
  }
}

function stealPercent () {
  const times = machineTimes()
  return times && Math.round(1e4 * times.stolen / times.total) / 100
}

/** See machine-id(5), which asks that only a hash of it is shown. */
function machineId () {
  const id = readLine('/etc/machine-id')
  return id ? createHash('sha256').update(`timerq ${id}`).digest('hex').slice(0, 12) : null
}

/** @param {string} path */
function readLine (path) {
  try {
    return readFileSync(path, 'utf8').split('\n')[0]
  } catch {
    return null
  }
}

function gitCommit () {
  try {
    const git = (/** @type {string[]} */ ...args) =>
      execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
    return git('rev-parse', '--short=12', 'HEAD') + (git('status', '--porcelain', '--untracked-files=no') ? '+' : '')
  } catch {
    return null
  }
}
