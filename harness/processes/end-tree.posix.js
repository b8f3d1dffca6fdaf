/** Ends processes by their group, which has the number of the process that leads it. */
import { signalProcess } from './signal.js'

/** Whether a process can be asked to end by a signal. */
export const hasSignals = true

/**
 * Signals a process that leads a group, and all of the group.
 *
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
export function signalTree (pid, signal) {
  signalProcess(-pid, signal)
}

/**
 * Ends a process that leads a group, and all of the group.
 *
 * @param {number} pid
 */
export async function endTree (pid) {
  signalTree(pid, 'SIGKILL')
}

/** Ends what an ended process has left in its group. */
export const endRest = endTree
