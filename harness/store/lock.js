/**
 * One process at a time writes to a results directory: two would measure each sample twice and disturb each other's
 * figures.
 *
 * The lock is a directory, `.running`, because mkdir either makes it or fails. An empty file in it names the holder,
 * PID@HOST. A process that was killed leaves its lock behind. Renaming that file takes the lock over: of several
 * processes that find the same dead holder, only one succeeds.
 *
 * Two locks must be removed by hand, and the message says so: that of a dead process whose id another process has got
 * since, and that of another machine (on a shared disk, or in a container), whose processes cannot be seen from here.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  rmdirSync,
  statSync,
  writeFileSync
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { UsageError } from '../model/errors.js'
import { move } from './folders.js'

/** Name of the lock in a results directory. */
export const LOCK = '.running'

const OWN = `${process.pid}@${os.hostname()}`
const HOLDER = /^(\d+)@(.+)$/

/**
 * Real paths of the locks that this process holds.
 *
 * @type {Set<string>}
 */
const held = new Set()
process.once('exit', () => {
  for (const lock of held) release(lock)
})

/**
 * Locks a directory, or a file that is written for a while, until this process ends.
 *
 * @param {string} place
 * @returns {number | null} id of the killed process whose lock was taken over
 * @throws {UsageError} when another process holds the lock
 * @throws {NodeJS.ErrnoException} when the lock cannot be written
 */
export function lock (place) {
  const lock = lockOf(place)
  if (held.has(lock)) return null
  const killed = make(lock) ? null : takeOver(lock, place)
  held.add(lock)
  return killed
}

/** @param {string} place  Locked by this process. */
export function unlock (place) {
  const lock = lockOf(place)
  held.delete(lock)
  release(lock)
}

/** @param {string} place  A directory may have gone since it was locked: its lock has gone, too. */
const lockOf = place =>
  existsSync(place) && statSync(place).isDirectory() ? path.join(realpathSync(place), LOCK) : path.resolve(place) + LOCK

/**
 * @param {string} lock
 * @returns {boolean} false when the lock exists
 */
function make (lock) {
  try {
    mkdirSync(lock)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
  try {
    writeFileSync(path.join(lock, OWN), '')
  } catch (error) {
    release(lock)
    throw error
  }
  return true
}

/**
 * @param {string} lock
 * @param {string} place
 * @returns {number} id of the dead holder
 */
function takeOver (lock, place) {
  const { pid, host } = holderOf(lock)
  const by = pid === null ? 'another process' : `process ${pid}${host === os.hostname() ? '' : ` on ${host}`}`
  const refusal = new UsageError(
    `${place} is being written by ${by}: wait until it ends, or choose another with --out ` +
      `(if it has ended, remove ${lock})`
  )
  if (pid === null || isRunning(pid, host)) throw refusal
  try {
    move(path.join(lock, `${pid}@${host}`), path.join(lock, OWN))
  } catch (error) {
    // Another process was faster.
    throw codeOf(error) === 'ENOENT' ? refusal : error
  }
  return pid
}

/**
 * @param {string} lock
 * @returns {{pid: number | null, host: string}} null while another process makes or releases the lock, or when it was
 *   killed doing so
 */
function holderOf (lock) {
  /** @type {string[]} */
  let names = []
  try {
    names = readdirSync(lock)
  } catch {}
  const [, pid, host] = HOLDER.exec(names[0] ?? '') ?? []
  return pid === undefined ? { pid: null, host: '' } : { pid: Number(pid), host }
}

/** @param {string} lock  Left alone when another process holds it by now. */
function release (lock) {
  try {
    rmSync(path.join(lock, OWN), { force: true })
    rmdirSync(lock)
  } catch {}
}

/**
 * @param {number} pid
 * @param {string} host
 */
function isRunning (pid, host) {
  if (host !== os.hostname()) return true
  // An earlier process had the id of this one: usual in containers.
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** @param {unknown} error */
const codeOf = error => /** @type {NodeJS.ErrnoException} */ (error).code
