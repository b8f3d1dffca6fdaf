/**
 * The clocks of a measured process, taken before any queue is loaded: a queue that replaces process.cpuUsage or
 * performance.now later changes no figure.
 *
 * Linux and macOS count CPU time by the microsecond, Windows by its tick of 15.6 ms, which is longer than a turn. The
 * wall clock tells the time there, without the time in which the event loop waits.
 */
import { performance } from 'node:perf_hooks'

const { cpuUsage } = process
const { eventLoopUtilization } = performance

/** Steps of the CPU clock that are too long for a batch of half a millisecond. */
const COARSE_MS = 0.1
/** Readings of a clock that moves in microseconds, and of one that does not: a few milliseconds. */
const FEW_CHANGES = 5
const MOST_READINGS = 2000

/** Milliseconds of wall time since the process started. */
export const wallMs = performance.now.bind(performance)

/**
 * Microseconds of CPU time of this process, in its own code and in the kernel. Other programs on the core do not count.
 */
export const cpuMicros = () => cpuUsage()

/** The sum of both, in milliseconds, in steps of any length. */
export function tickedMs () {
  const { user, system } = cpuUsage()
  return (user + system) / 1000
}

/** Shortest of a few steps: a collection may fall into the others. */
function cpuStepMs () {
  let shortest = Infinity
  let last = tickedMs()
  for (let changes = 0, readings = 0; changes < FEW_CHANGES && readings < MOST_READINGS; readings++) {
    const now = tickedMs()
    if (now === last) continue
    shortest = Math.min(shortest, now - last)
    last = now
    changes++
  }
  return shortest
}

const busyMs = () => wallMs() - eventLoopUtilization().idle

export const isCoarse = cpuStepMs() > COARSE_MS

/** Name of the clock that times turns. */
export const CLOCK = isCoarse ? 'wall clock' : 'CPU clock'

/** Wall time of a run in which something else had the core, per usual run, at least. */
export const INTERRUPTED = 2

/** Milliseconds of CPU time of this process, or what comes closest. */
export const cpuMs = isCoarse ? busyMs : tickedMs
