/** Sends a signal to a process, or to a group by its negative number. */

/**
 * @param {number} pid
 * @param {NodeJS.Signals | 0} signal  0: only asks.
 * @returns {boolean} whether the process is there
 */
export function signalProcess (pid, signal) {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
