/**
 * Ends processes on Windows, which has neither groups nor signals: `taskkill` finds the processes that another one has
 * started, as long as that one is alive.
 */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { signalProcess } from './signal.js'

/** Any signal ends a process of Windows at once: it is asked to end through its channel. */
export const hasSignals = false

const LIMIT_MS = 5000

export function signalTree () {}

/**
 * Ends a process and all that it has started.
 *
 * @param {number} pid
 */
export async function endTree (pid) {
  const taskkill = path.join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'taskkill.exe')
  const options = { timeout: LIMIT_MS, windowsHide: true }
  const fault = await new Promise(resolve => execFile(taskkill, ['/PID', `${pid}`, '/T', '/F'], options, resolve))
  if (fault) signalProcess(pid, 'SIGKILL')
}

/** The children of an ended process cannot be found any more. */
export async function endRest () {}
