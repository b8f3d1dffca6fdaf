/**
 * Compares the CPU time that a process reports with what the system says it used: a process that reports less than it used
 * measures something else, or lies.
 */
import { SampleError } from '../../model/errors.js'
import { cpuMsOf } from '../../processes/proc-stat.js'

/**
 * The two may differ by this share, and by this much besides: the system counts in steps of 10 ms, and what a process does
 * between its turns, compiling in other threads above all, is part of none. Honest heats on an overloaded machine had reported
 * as little as 66 % of what the system counted. This is the second line of defence: it catches who reports a tenth.
 */
export const TOLERANCE = { share: 0.5, ms: 50 }

/** @param {number | undefined} pid */
export const usedMs = pid => cpuMsOf(pid) ?? NaN

/**
 * @param {number} reportedMs
 * @param {number} least  What the process used at least in that time; NaN where it cannot be known.
 * @param {number} most
 * @throws {SampleError} when it has reported something else
 */
export function assertCpuTime (reportedMs, least, most) {
  const { share, ms } = TOLERANCE
  if (!(reportedMs < least * (1 - share) - ms || reportedMs > most * (1 + share) + ms)) return
  const used = Math.round(least) === Math.round(most) ? `${Math.round(most)}` : `${Math.round(least)} to ${Math.round(most)}`
  throw new SampleError('wrong', `it reported ${Math.round(reportedMs)} ms of CPU time and used ${used}: its figures cannot be trusted`)
}

/** For a server that goes on working while it opens and closes its window: the system is asked before and after. */
export class WindowCheck {
  #pid
  #before = NaN
  #after = NaN

  /** @param {number | undefined} pid */
  constructor (pid) {
    this.#pid = pid
  }

  /**
   * @template T
   * @param {() => Promise<T>} ask  The server to open its window.
   */
  async open (ask) {
    this.#before = usedMs(this.#pid)
    const answer = await ask()
    this.#after = usedMs(this.#pid)
    return answer
  }

  /**
   * @template {{userMicros: number, systemMicros: number}} Window
   * @param {() => Promise<Window>} ask  The server to close it.
   */
  async close (ask) {
    const before = usedMs(this.#pid)
    const window = await ask()
    assertCpuTime((window.userMicros + window.systemMicros) / 1000, before - this.#after, usedMs(this.#pid) - this.#before)
    return window
  }
}
