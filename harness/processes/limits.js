/** Limits of wall time and CPU time for work that is done in other processes. */
import { setTimeout as sleep } from 'node:timers/promises'
import { SampleError } from '../model/errors.js'
import { cpuMsOf } from './proc-stat.js'

/** Readings of a process's CPU time take CPU time from what is measured. */
const POLL_MS = 50

/** Wall time that a process may always have, and the multiple of its CPU limit that it may have beyond. */
const MIN_WALL_MS = 60_000
const WALL_FACTOR = 20
/** Multiple where CPU time cannot be read: then only the wall clock ends an endless loop. */
const WALL_FACTOR_ALONE = 5

/**
 * @template T
 *
 * @typedef {(over: AbortSignal) => Promise<T>} Work  Its signal aborts once nothing waits for the work any more.
 */

/**
 * Limits wall time. `failure` is the start of the error's message, before "within 3 s".
 *
 * @type {<T>(limitMs: number, failure: string, work: Work<T>) => Promise<T>}
 * @throws {SampleError} of kind time-limit
 */
export function within (limitMs, failure, work) {
  return race(over => [work(over), limitWall(limitMs, failure, over)])
}

/**
 * Limits the CPU time that a process uses itself, so that a busy machine never costs a sample. A process that hangs
 * without using any ends at a bound of wall time.
 *
 * @template T
 * @param {object} limits
 * @param {number | undefined} limits.pid
 * @param {number} limits.limitMs  CPU time.
 * @param {number} [limits.minWallMs]  Wall time that the process may always have.
 * @param {AbortSignal} [limits.signal]  Ends the wait.
 * @param {Work<T>} work
 * @returns {Promise<T>}
 * @throws {SampleError} of kind time-limit
 */
export function withinCpuTime ({ pid, limitMs, minWallMs = MIN_WALL_MS, signal }, work) {
  const startMs = cpuMsOf(pid)
  const wallMs = startMs === null ? WALL_FACTOR_ALONE * limitMs : Math.max(minWallMs, WALL_FACTOR * limitMs)
  return race(
    over => [
      work(over),
      limitWall(wallMs, 'gave no answer', over),
      ...(startMs === null ? [] : [limitCpu(pid, startMs, limitMs, over)])
    ],
    signal
  )
}

/** @type {<T>(start: (over: AbortSignal) => Promise<T>[], signal?: AbortSignal) => Promise<T>} */
async function race (start, signal) {
  signal?.throwIfAborted()
  const settled = new AbortController()
  try {
    return await Promise.race(start(signal ? AbortSignal.any([settled.signal, signal]) : settled.signal))
  } catch (error) {
    // The signal stops the clocks, and each throws a different error: the signal's reason is the true one.
    signal?.throwIfAborted()
    throw error
  } finally {
    settled.abort()
  }
}

/** @type {(limitMs: number, failure: string, over: AbortSignal) => Promise<never>} */
async function limitWall (limitMs, failure, over) {
  await sleep(limitMs, undefined, { signal: over })
  throw new SampleError('time-limit', `${failure} within ${limitMs / 1000} s`)
}

/** @type {(pid: number | undefined, startMs: number, limitMs: number, over: AbortSignal) => Promise<never>} */
async function limitCpu (pid, startMs, limitMs, over) {
  let leftMs = limitMs
  while (leftMs > 0) {
    // One busy thread cannot use up half of the rest before that time has passed, so few readings suffice.
    await sleep(Math.max(POLL_MS, leftMs / 2), undefined, { signal: over })
    // A process that is gone uses no more CPU; its end is reported elsewhere.
    leftMs = limitMs - ((cpuMsOf(pid) ?? startMs) - startMs)
  }
  throw new SampleError('time-limit', `used ${limitMs / 1000} s of CPU without an answer`)
}
