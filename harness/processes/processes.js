/** The processes that we start: how they end, what they said last, and how long they may take. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { SampleError } from '../model/errors.js'
import { LIMITS } from '../store/input.js'
import { cpuMsOf } from './proc-stat.js'

export { SampleError }

/** In the environment of all that we start, and of what they start: tells the reaper who belongs to us. */
const MARK = { TIMERQ_STARTED_BY: randomBytes(8).toString('hex') }
const REAPER = fileURLToPath(new URL('./reaper.js', import.meta.url))

/** How much of a process's stderr is kept. */
const STDERR_LIMIT = 4096
/** A process that prints more than this is ended: it would go on for ever, and reading takes time. */
const MOST_PRINTED_MB = 16
/** What a process has started and detached may hold its stderr open: it is not waited for. */
const GRACE_MS = 1000

/** How often we look, at most: looking takes CPU time from what is measured. */
const POLL_MS = 50

/** Wall time that a process may always have, and how many times its CPU limit it may have beyond that. */
const MIN_WALL_MS = 60_000
const WALL_FACTOR = 20
/** The same where CPU time cannot be read, so that only the wall clock ends an endless loop. */
const WALL_FACTOR_ALONE = 5

/**
 * @typedef {object} Supervised
 * @property {Promise<Ending>} ended  When the process is gone and its output read; never rejects.
 * @property {() => string} lastWords  The line of stderr that names the error, or else the last one, after a colon; empty where
 *   there is none.
 *
 * @typedef {{ok: boolean, ending: string}} Ending  Whether it ended with exit code 0; 'ended with SIGSEGV', for example.
 */

/**
 * Starts a process with a group of its own. What it starts in its turn belongs to the group, and ends when it does. All of
 * them end when this process does, however that is, and so does what has left the group.
 *
 * @param {string[]} command
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {import('node:child_process').ChildProcess}
 */
export function start ([command, ...args], options) {
  const child = spawn(command, args, { ...options, env: { ...(options.env ?? process.env), ...MARK }, detached: true })
  const { pid } = child
  if (pid === undefined) return child
  const tellReaper = reaper()
  tellReaper(`+${pid}`)
  child.once('exit', () => {
    endGroup(pid)
    tellReaper(`-${pid}`)
  })
  return child
}

/** @param {number | undefined} pid  Of a process that `start` has started. */
export function endGroup (pid) {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // None of it is left.
  }
}

/** @type {((line: string) => void) | undefined} */
let tellReaper

/** One for all processes, started with the first. It holds up neither the end of this process nor its own. */
function reaper () {
  if (tellReaper) return tellReaper
  const child = spawn(process.execPath, [REAPER, ...Object.entries(MARK).flat()], { detached: true, stdio: ['pipe', 'ignore', 'ignore'], env: {} })
  const stdin = /** @type {import('node:net').Socket | undefined} */ (child.stdin)
  // Without a reaper, processes still end with the channel to this one, unless they are in a loop.
  child.on('error', () => {}).unref()
  // Where no more files can be opened, it has none. The next process tries again.
  if (!stdin) return () => {}
  stdin.on('error', () => {}).unref()
  tellReaper = line => stdin.write(`${line}\n`)
  return tellReaper
}

/**
 * @param {import('node:child_process').ChildProcess} child  Just started.
 * @returns {Supervised}
 */
export function supervise (child) {
  let stderr = ''
  let printed = 0
  child.stderr?.setEncoding('utf8').on('data', text => {
    stderr = (stderr + text).slice(-STDERR_LIMIT)
    printed += text.length
    if (isLoud()) child.kill('SIGKILL')
  })
  const isLoud = () => printed > MOST_PRINTED_MB << 20
  const lastWords = () => lastWordsOf(stderr)
  const ended = new Promise((/** @type {(ending: Ending) => void} */ resolve) => {
    child.on('error', ({ message }) => {
      // Others, such as a signal that could not be sent, do not end the process.
      if (child.pid === undefined) resolve({ ok: false, ending: `could not be started: ${message}` })
    })
    child.once('exit', (code, signal) => {
      const end = `ended with ${signal ?? `exit code ${code}`}`
      const say = () => resolve({ ok: code === 0, ending: isLoud() ? `was ended: it printed more than ${MOST_PRINTED_MB} MB of errors` : end + lastWords() })
      const grace = setTimeout(() => {
        for (const stream of child.stdio) stream?.destroy()
        say()
      }, GRACE_MS)
      // 'close' comes after the last of stderr.
      child.once('close', () => {
        clearTimeout(grace)
        say()
      })
    })
  })
  return { ended, lastWords }
}

/**
 * Runs a program to its end.
 *
 * @param {string[]} command
 * @param {AbortSignal} [signal]
 * @returns {Promise<Ending & {output: string}>}  `output`: what it printed. One that prints too much is ended.
 * @throws {Error} the signal's reason when it is aborted, but only once the program is gone: the next measurement must not
 *   run beside it
 */
export async function runProgram (command, signal) {
  const child = start(command, { signal, stdio: ['ignore', 'pipe', 'pipe'] })
  const limit = LIMITS.load
  const stdout = /** @type {import('node:stream').Readable | undefined} */ (child.stdout)
  let output = ''
  // That of a program that could not be started is an error of its own: `ended` says more.
  stdout?.on('error', () => {}).setEncoding('utf8').on('data', text => {
    output += text
    if (output.length <= limit) return
    stdout?.destroy()
    endGroup(child.pid)
  })
  const { ok, ending } = await supervise(child).ended
  signal?.throwIfAborted()
  if (output.length > limit) return { ok: false, ending: `was ended: it printed more than ${limit >> 20} MiB`, output: '' }
  return { ok, ending, output }
}

/**
 * Does several things at the same time. When one of them fails, the others are stopped: none runs beside what comes next.
 *
 * @template T
 * @param {((signal: AbortSignal) => Promise<T>)[]} works  Each stops at the signal.
 * @param {AbortSignal} [signal]  Stops all of them.
 * @returns {Promise<T[]>}
 * @throws what the first that failed has thrown, but only once all have stopped
 */
export async function together (works, signal) {
  const failed = new AbortController()
  const end = signal ? AbortSignal.any([failed.signal, signal]) : failed.signal
  const settled = await Promise.allSettled(works.map(async work => {
    try {
      return await work(end)
    } catch (error) {
      failed.abort(error)
      throw error
    }
  }))
  return settled.map(one => {
    if (one.status === 'rejected') throw failed.signal.reason
    return one.value
  })
}

/** @param {string} stderr */
function lastWordsOf (stderr) {
  const lines = stderr.trim().split('\n')
  // Above an error, Node prints the line of code that threw it.
  const line = lines.find(line => /^\w*error\b/i.test(line)) ?? lines.find(line => /error|fatal|cannot/i.test(line)) ?? lines.at(-1)
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
