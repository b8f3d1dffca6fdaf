/** The time that a profile covers, as the kernel counts it. */
import { readFileSync } from 'node:fs'
/** @import { Window } from '../analysis/shares.js' */
/** @typedef {ReturnType<typeof now>} Moment */

export function now () {
  const { user, system } = process.cpuUsage()
  return { micros: 1000 * performance.now(), cpuMicros: user + system, ...mainThread() }
}

/** How long the main thread has run and has waited for a core: the first two figures of Linux's schedstat. */
function mainThread () {
  try {
    const [ran, waited] = readFileSync('/proc/self/schedstat', 'utf8').split(' ').map(Number)
    return { ran, waited }
  } catch {
    return { ran: 0, waited: 0 }
  }
}

/** @type {(start: Moment, end: Moment) => Window} */
export function between (start, end) {
  const ran = end.ran - start.ran
  const waited = end.waited - start.waited
  return {
    windowMicros: end.micros - start.micros,
    cpuMicros: end.cpuMicros - start.cpuMicros,
    runningShare: ran > 0 ? ran / (ran + waited) : 1
  }
}
