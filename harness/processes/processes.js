/** Starting processes, describing how they ended, and making sure that none outlives this one. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { MeasurementError } from '../model/errors.js'
import { endRest, endTree, startable } from './system.js'
/** @import { ChildProcess, SpawnOptions } from 'node:child_process' */
/** @import { Socket } from 'node:net' */
/** @import { Readable } from 'node:stream' */

/** Environment variable by which the reaper finds the processes that we start, and their descendants. */
const MARK = { TIMERQ_STARTED_BY: randomBytes(8).toString('hex') }
const REAPER = fileURLToPath(new URL('./reaper.js', import.meta.url))

/** Last characters of stderr to keep. */
const STDERR_LIMIT = 4096
/** Most output of a process. Reading takes time, and a process that prints more is probably in an endless loop. */
const MOST_PRINTED_MIB = 16
/** Longest wait for the end of stderr, which a detached grandchild may hold open. */
const GRACE_MS = 1000
/** Time for a process to exit after it was asked to. Then it is killed. */
export const FAREWELL_MS = 5000
/** Time for a process to be gone after it was killed. */
const DEATH_MS = 10_000

/**
 * @typedef {object} Ending
 * @property {boolean} ok  Whether the exit code was 0.
 * @property {string} ending  Text such as 'ended with SIGSEGV'.
 * @property {NodeJS.Signals | null} [signal]  Signal that ended it, for reasons of its own.
 */

/**
 * Starts a process as the leader of a group that ends with it. When this process ends, in whatever way, the group
 * ends too, and so does any process that has left the group.
 *
 * @type {(command: string[], options: SpawnOptions) => ChildProcess}
 */
export function startProcess (command, options) {
  const { words: [program, ...args], options: more } = startable(command, `${options.cwd ?? '.'}`)
  const env = { ...(options.env ?? process.env), ...MARK }
  const child = spawn(program, args, { ...options, ...more, env, detached: true, windowsHide: true })
  const { pid } = child
  if (pid === undefined) return child
  const tell = connectReaper()
  tell(`+${pid}`)
  child.once('exit', () => {
    endRest(pid)
    tell(`-${pid}`)
  })
  return child
}

/**
 * Removes a folder if this process ends without having removed it, after a kill -9 for example.
 *
 * @param {string} folder
 * @returns {() => void} to be called when this process has removed the folder
 */
export function removeAtEnd (folder) {
  const tell = connectReaper()
  tell(`+${path.resolve(folder)}`)
  return () => tell(`-${path.resolve(folder)}`)
}

/**
 * Ends a process and all that it has started; returns when the process is gone. A process that has exited is left
 * alone: its id may be reused by now.
 *
 * @param {ChildProcess} child  A process started by `startProcess`.
 * @param {number} [limitMs]
 * @throws {MeasurementError} when it does not go: it would disturb every later measurement
 */
export async function endProcess (child, limitMs = DEATH_MS) {
  const { pid, exitCode, signalCode } = child
  if (pid === undefined || exitCode !== null || signalCode !== null) return
  const stays = `process ${pid} was killed and is still there after ${limitMs / 1000} s: end it by hand`
  await new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new MeasurementError(stays)), limitMs)
    child.once('exit', () => resolve(clearTimeout(late)))
    endTree(pid)
  })
}

/** @type {((line: string) => void) | undefined} */
let tellReaper

/** Starts the reaper when it is first needed. This process can end while the reaper still runs. */
function connectReaper () {
  if (tellReaper) return tellReaper
  const child = spawn(process.execPath, [REAPER, ...Object.entries(MARK).flat()], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {}
  })
  const stdin = /** @type {Socket | undefined} */ (child.stdin)
  // Without a reaper, processes still exit when their channel to this one closes, unless they are in an endless loop.
  child.on('error', () => {}).unref()
  // stdin is missing when no more files can be opened. The next call tries again.
  if (!stdin) return () => {}
  stdin.on('error', () => {}).unref()
  tellReaper = line => stdin.write(`${line}\n`)
  return tellReaper
}

/**
 * Reads what a process prints, and ends a process that prints too much.
 *
 * @param {ChildProcess} child
 * @param {(text: string) => void} [onOutput]  Receives each part of stdout. Without it, stdout is not read.
 * @returns {{ended: Promise<Ending>, lastWords: () => string}} `ended` resolves when the process is gone and its output
 *   read, and never rejects; `lastWords` returns a colon and the line of stderr that names the
 *   error, or else the last line
 */
export function supervise (child, onOutput) {
  let stderr = ''
  let printed = 0
  const printsTooMuch = () => printed > MOST_PRINTED_MIB << 20
  const lastWords = () => lastWordsOf(stderr)
  const read = (/** @type {Readable | null} */ stream, /** @type {(text: string) => void} */ keep) =>
    // When a program could not be started, its pipes fail too. `ended` reports the cause.
    stream
      ?.on('error', () => {})
      .setEncoding('utf8')
      .on('data', text => {
        keep(text)
        printed += text.length
        if (printsTooMuch()) child.kill('SIGKILL')
      })
  if (onOutput) read(child.stdout, onOutput)
  read(child.stderr, text => {
    stderr = (stderr + text).slice(-STDERR_LIMIT)
  })
  const ended = new Promise((/** @type {(ending: Ending) => void} */ resolve) => {
    child.on('error', ({ message }) => {
      // Other errors, such as a signal that could not be sent, do not end the process.
      if (child.pid === undefined) resolve({ ok: false, ending: `could not be started: ${message}` })
    })
    child.once('exit', (code, signal) => {
      const report = () =>
        resolve(
          printsTooMuch()
            ? { ok: false, ending: `was ended: it printed more than ${MOST_PRINTED_MIB} MiB` }
            : { ok: code === 0, signal, ending: `ended with ${signal ?? `exit code ${code}`}${lastWords()}` }
        )
      const grace = setTimeout(() => {
        for (const stream of child.stdio) stream?.destroy()
        report()
      }, GRACE_MS)
      // 'close' follows the last output.
      child.once('close', () => {
        clearTimeout(grace)
        report()
      })
    })
  })
  return { ended, lastWords }
}

/**
 * A colon and the line of an output that names an error.
 *
 * @param {string} stderr
 */
export function lastWordsOf (stderr) {
  const lines = stderr.trim().split('\n')
  // Above an error, Node prints the line of code that threw it.
  const line =
    lines.find(line => /^\w*error\b/i.test(line)) ??
    lines.find(line => /error|fatal|cannot/i.test(line)) ??
    lines.at(-1)
  return line ? `: ${line.trim()}` : ''
}

/**
 * Runs a program to its end. A program that prints too much is ended.
 *
 * @type {(command: string[], signal?: AbortSignal) => Promise<Ending & {output: string}>}
 * @throws {Error} the signal's reason when it is aborted, but only once the program is gone: it must not
 *   overlap the next measurement
 */
export async function runProgram (command, signal) {
  const child = startProcess(command, { signal, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const { ended } = supervise(child, text => {
    output += text
  })
  const stuck = new Promise((_resolve, reject) => {
    const kill = () => setTimeout(() => endProcess(child).catch(reject), FAREWELL_MS).unref()
    signal?.addEventListener('abort', kill)
    ended.then(() => signal?.removeEventListener('abort', kill))
  })
  const { ok, ending } = await Promise.race([ended, stuck])
  signal?.throwIfAborted()
  return { ok, ending, output }
}

/**
 * Runs several functions at the same time. When one fails, the others are stopped: none may overlap the next
 * measurement.
 *
 * @template T
 * @param {((signal: AbortSignal) => Promise<T>)[]} functions  Each stops when its signal is aborted.
 * @param {AbortSignal} [signal]
 * @returns {Promise<T[]>}
 * @throws the first failure, but only once all have stopped
 */
export async function allOrNone (functions, signal) {
  const failed = new AbortController()
  const end = signal ? AbortSignal.any([failed.signal, signal]) : failed.signal
  const settled = await Promise.allSettled(
    functions.map(async run => {
      try {
        return await run(end)
      } catch (error) {
        failed.abort(error)
        throw error
      }
    })
  )
  return settled.map(result => {
    if (result.status === 'rejected') throw failed.signal.reason
    return result.value
  })
}
