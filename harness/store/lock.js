/**
 * One process writes to a results directory at a time: two would take each sample twice, and disturb each other's figures.
 *
 * A lock is a file that names its process, `.running-1`. A process that was killed leaves its lock behind; the next one sees
 * that it is dead, makes `.running-2`, and only then removes the first. Each looks again after it has made its own, so that
 * of several that find the same dead lock at most one goes on.
 */
import { readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { UsageError } from '../model/errors.js'
import { startedAt } from '../processes/proc-stat.js'

/**
 * @typedef {object} Holder
 * @property {number} pid
 * @property {number | null} start  Of the process, in the kernel's ticks since boot; process ids are used again.
 *   null where it cannot be read.
 * @property {string} host
 * @property {string} since  ISO 8601
 *
 * @typedef {{file: string, number: number, holder: Holder | null}} Lock  `holder`: null while the file is being written.
 */

const LOCK = /^\.running-(\d+)$/

/** Real paths of the directories that this process has locked, and its lock in each. */
const held = new Map()
process.once('exit', () => {
  for (const file of held.values()) remove(file)
})

/** @param {string} name  Of a file in a results directory. */
export const isLock = name => LOCK.test(name)

/**
 * Locks a directory until this process ends.
 *
 * @param {string} directory
 * @returns {Holder | null} the dead process whose lock was taken over
 * @throws {UsageError} when another process writes to it, or when it cannot be written
 */
export function lockResults (directory) {
  const place = realpathSync(directory)
  if (held.has(place)) return null
  const before = readLocks(place)
  assertNobodyRuns(before, directory)
  const file = path.join(place, `.running-${1 + Math.max(0, ...before.map(({ number }) => number))}`)
  try {
    writeFileSync(file, JSON.stringify(describeSelf()) + '\n', { flag: 'wx' })
  } catch (error) {
    // Another was faster.
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return lockResults(directory)
    remove(file)
    throw error
  }
  const others = readLocks(place).filter(lock => lock.file !== file)
  try {
    assertNobodyRuns(others, directory)
  } catch (error) {
    remove(file)
    throw error
  }
  held.set(place, file)
  for (const { file: dead } of others) remove(dead)
  return others.at(-1)?.holder ?? null
}

/** @param {string} directory  Locked by this process, which has done nothing there. */
export function unlockResults (directory) {
  const place = realpathSync(directory)
  remove(held.get(place))
  held.delete(place)
}

/**
 * One that stays, in a directory that cannot be written any more, is dead when its process is.
 *
 * @param {string} file
 */
function remove (file) {
  try {
    rmSync(file, { force: true })
  } catch {}
}

/**
 * @param {string} directory
 * @returns {Lock[]} the oldest first
 */
function readLocks (directory) {
  return readdirSync(directory).flatMap(name => {
    const number = Number(LOCK.exec(name)?.[1])
    return number ? [{ file: path.join(directory, name), number }] : []
  }).sort((a, b) => a.number - b.number).flatMap(({ file, number }) => {
    const holder = readHolder(file)
    return holder === undefined ? [] : [{ file, number, holder }]
  })
}

/**
 * @param {string} file
 * @returns {Holder | null | undefined} undefined when the lock was given up meanwhile
 */
function readHolder (file) {
  try {
    const { pid, start, host, since } = JSON.parse(readFileSync(file, 'utf8'))
    const isWhole = Number.isInteger(pid) && pid > 0 && [host, since].every(text => /^[\w.:-]+$/.test(text))
    return isWhole ? { pid, start, host, since } : null
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT' ? undefined : null
  }
}

/** @returns {Holder} */
function describeSelf () {
  return { pid: process.pid, start: startedAt(process.pid), host: os.hostname(), since: new Date().toISOString() }
}

/**
 * @param {Lock[]} locks
 * @param {string} directory
 */
function assertNobodyRuns (locks, directory) {
  const lock = locks.find(({ holder }) => holder === null || isRunning(holder))
  if (!lock) return
  const { holder } = lock
  const who = holder === null ? 'another process' : `process ${holder.pid}${holder.host === os.hostname() ? '' : ` on ${holder.host}`} since ${holder.since}`
  throw new UsageError(`${directory} is being written by ${who}: wait until it ends, or choose another directory (if it has ended, remove ${lock.file})`)
}

/**
 * Of a process on another machine nothing can be known. Without /proc, the id alone must do.
 *
 * @param {Holder} holder
 */
function isRunning ({ pid, start, host }) {
  if (host !== os.hostname()) return true
  if (startedAt(process.pid) !== null) return start !== null && startedAt(pid) === start
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'
  }
}
