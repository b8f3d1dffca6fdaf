/** Limits of wall time and CPU time. Work gets a signal and stops at it, once nothing waits for the work any more. */
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
 * @typedef {(signal: AbortSignal) => Promise<T>} Work
 */

/**
 * Limits wall time. `failure` is the start of the error's message, before "within 3 s".
 *
 * @type {<T>(limitMs: number, failure: string, work: Work<T>) => Promise<T>}
 * @throws {SampleError} of kind time-limit
 */
export function within (limitMs, failure, work) {
  return race(work, signal => limitWall(limitMs, failure, signal))
}

/**
 * Limits the CPU time that a process uses itself, so that a busy machine never costs a sample. A process that hangs
 * without using any ends at a bound of wall time.
 *
 * @type {<T>(options: {pid: number | undefined, limitMs: number, minWallMs?: number}, work: Work<T>) => Promise<T>}
 * @throws {SampleError} of kind time-limit
 */
export function withinCpuTime ({ pid, limitMs, minWallMs = MIN_WALL_MS }, work) {
  const startMs = cpuMsOf(pid)
  if (startMs === null) return within(WALL_FACTOR_ALONE * limitMs, 'gave no answer', work)
  const wallMs = Math.max(minWallMs, WALL_FACTOR * limitMs)
  return race(work, signal =>
    Promise.race([limitWall(wallMs, 'gave no answer', signal), limitCpu(pid, startMs, limitMs, signal)])
  )
}

/** @type {<T>(work: Work<T>, limit: Work<never>) => Promise<T>} */
async function race (work, limit) {
  const over = new AbortController()
  try {
    return await Promise.race([work(over.signal), limit(over.signal)])
  } finally {
    over.abort()
  }
}

/** @type {(limitMs: number, failure: string, signal: AbortSignal) => Promise<never>} */
async function limitWall (limitMs, failure, signal) {
  await sleep(limitMs, undefined, { signal })
  throw new SampleError('time-limit', `${failure} within ${limitMs / 1000} s`)
}

/** @type {(pid: number | undefined, startMs: number, limitMs: number, signal: AbortSignal) => Promise<never>} */
async function limitCpu (pid, startMs, limitMs, signal) {
  let leftMs = limitMs
  while (leftMs > 0) {
    // One busy thread cannot use up half of the rest before that time has passed, so few readings suffice.
    await sleep(Math.max(POLL_MS, leftMs / 2), undefined, { signal })
    // A process that is gone uses no more CPU; its end is reported elsewhere.
    leftMs = limitMs - ((cpuMsOf(pid) ?? startMs) - startMs)
  }
  throw new SampleError('time-limit', `used ${limitMs / 1000} s of CPU without an answer`)
}
