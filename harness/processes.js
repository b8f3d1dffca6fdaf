/** The processes that we start: how they end, what they said last, and how long they may take. */
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuMsOf } from './proc-stat.js'

/** How much of a process's stderr is kept. */
const STDERR_LIMIT = 4096

/** How often we look, at most: looking takes CPU time from what is measured. */
const POLL_MS = 50

/** Wall time that a process may always have, and how many times its CPU limit it may have beyond that. */
const MIN_WALL_MS = 60_000
const WALL_FACTOR = 20
/** The same where CPU time cannot be read, so that only the wall clock ends an endless loop. */
const WALL_FACTOR_ALONE = 5

/** What went wrong with one sample; the run goes on without it. */
export class SampleError extends Error {
  /**
   * @param {'crash' | 'time-limit' | 'wrong' | 'load'} kind
   * @param {string} message
   */
  constructor (kind, message) {
    super(message)
    this.kind = kind
  }
}

/**
 * @typedef {object} Supervised
 * @property {Promise<Ending>} ended  When the process is gone and its output read; never rejects.
 * @property {() => string} lastWords  The line of stderr that names the error, or else the last one, after a colon; empty where
 *   there is none.
 *
 * @typedef {{ok: boolean, ending: string}} Ending  Whether it ended with exit code 0; 'ended with SIGSEGV', for example.
 */

/**
 * @param {import('node:child_process').ChildProcess} child  Just started.
 * @returns {Supervised}
 */
export function supervise (child) {
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', text => { stderr = (stderr + text).slice(-STDERR_LIMIT) })
  const lastWords = () => lastWordsOf(stderr)
  const ended = new Promise((/** @type {(ending: Ending) => void} */ resolve) => {
    child.on('error', ({ message }) => {
      // Others, such as a signal that could not be sent, do not end the process.
      if (child.pid === undefined) resolve({ ok: false, ending: `could not be started: ${message}` })
    })
    // 'close' comes after the last of stderr.
    child.once('close', (code, signal) => {
      resolve({ ok: code === 0, ending: `ended with ${signal ?? `exit code ${code}`}${lastWords()}` })
    })
  })
  return { ended, lastWords }
}

/**
 * Runs a program to its end.
 *
 * @param {string[]} command
 * @param {AbortSignal} [signal]
 * @returns {Promise<Ending & {output: string}>}  `output`: what it printed.
 * @throws {Error} the signal's reason when it is aborted, but only once the program is gone: the next measurement must not
 *   run beside it
 */
export async function runProgram ([command, ...args], signal) {
  const child = spawn(command, args, { signal, stdio: ['ignore', 'pipe', 'pipe'] })
  // The output of a program that could not be started is an error of its own: `ended` says more.
  const [output, { ok, ending }] = await Promise.all([text(child.stdout).catch(() => ''), supervise(child).ended])
  signal?.throwIfAborted()
  return { ok, ending, output }
}

/** @param {string} stderr */
function lastWordsOf (stderr) {
  const lines = stderr.trim().split('\n')
  const line = lines.find(line => /error|fatal|cannot/i.test(line)) ?? lines.at(-1)
  return line ? `: ${line.trim()}` : ''
}

/**
 * Limits work by wall time.
 *
 * @template T
 * @param {number} limitMs
 * @param {string} failure  What the error says before "within 3 s".
 * @param {(signal: AbortSignal) => Promise<T>} work  Stops at the signal, when nobody waits for it any more.
 * @returns {Promise<T>}
 * @throws {SampleError} of kind time-limit
 */
export function within (limitMs, failure, work) {
  return race(work, signal => limitWall(limitMs, failure, signal))
}

/**
 * Limits what a process does by the CPU time that it uses itself, so that a busy machine never costs a sample. A process
 * that hangs without using any ends at a bound of wall time.
 *
 * @template T
 * @param {{pid: number | undefined, limitMs: number, minWallMs?: number}} options
 * @param {(signal: AbortSignal) => Promise<T>} work  Stops at the signal, when nobody waits for it any more.
 * @returns {Promise<T>}
 * @throws {SampleError} of kind time-limit
 */
export function withinCpuTime ({ pid, limitMs, minWallMs = MIN_WALL_MS }, work) {
  const start = cpuMsOf(pid)
  const wallMs = start === null ? WALL_FACTOR_ALONE * limitMs : Math.max(minWallMs, WALL_FACTOR * limitMs)
  return race(work, signal => Promise.race([
    limitWall(wallMs, 'gave no answer', signal),
    ...(start === null ? [] : [limitCpu(pid, start, limitMs, signal)])
  ]))
}

/**
 * @template T
 * @param {(signal: AbortSignal) => Promise<T>} work
 * @param {(signal: AbortSignal) => Promise<never>} limit
 * @returns {Promise<T>}
 */
async function race (work, limit) {
  const over = new AbortController()
  try {
    return await Promise.race([work(over.signal), limit(over.signal)])
  } finally {
    over.abort()
  }
}

/**
 * @param {number} limitMs
 * @param {string} failure
 * @param {AbortSignal} signal
 * @returns {Promise<never>}
 */
async function limitWall (limitMs, failure, signal) {
  await sleep(limitMs, undefined, { signal })
  throw new SampleError('time-limit', `${failure} within ${limitMs / 1000} s`)
}

/**
 * @param {number | undefined} pid
 * @param {number} start  The process's CPU milliseconds so far.
 * @param {number} limitMs
 * @param {AbortSignal} signal
 * @returns {Promise<never>}
 */
async function limitCpu (pid, start, limitMs, signal) {
  let left = limitMs
  while (left > 0) {
    // One busy thread cannot use up half of what is left before that time has passed: few looks are enough.
    await sleep(Math.max(POLL_MS, left / 2), undefined, { signal })
    // A process that is gone uses no more; whoever waits for its answer hears of its end.
    left = limitMs - ((cpuMsOf(pid) ?? start) - start)
  }
  throw new SampleError('time-limit', `used ${limitMs / 1000} s of CPU without an answer`)
}
