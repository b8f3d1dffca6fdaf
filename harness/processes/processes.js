/** Starting processes, describing how they ended, and making sure that none outlives this one. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
/** @import { ChildProcess, SpawnOptions } from 'node:child_process' */
/** @import { Socket } from 'node:net' */
/** @import { Readable } from 'node:stream' */

/** Environment variable of every process that we start, inherited by theirs: the reaper finds our processes by it. */
const MARK = { TIMERQ_STARTED_BY: randomBytes(8).toString('hex') }
const REAPER = fileURLToPath(new URL('./reaper.js', import.meta.url))

/** Characters of stderr that are kept. */
const STDERR_LIMIT = 4096
/** Limit of what a process may print. Reading takes time, and a process that prints more would go on for ever. */
const MOST_PRINTED_MIB = 16
/** A detached grandchild may hold stderr open: nothing waits longer for it. */
const GRACE_MS = 1000
/** Time in which a process may end by itself once it was asked to. */
export const FAREWELL_MS = 5000

/**
 * @typedef {object} Ending
 * @property {boolean} ok  Whether the exit code was 0.
 * @property {string} ending  Text such as 'ended with SIGSEGV'.
 */

/**
 * Starts a process as the leader of a group that ends with it. The group also ends when this process does, however that
 * is, and so does any process that has left the group.
 *
 * @type {(command: string[], options: SpawnOptions) => ChildProcess}
 */
export function startProcess ([command, ...args], options) {
  const child = spawn(command, args, { ...options, env: { ...(options.env ?? process.env), ...MARK }, detached: true })
  const { pid } = child
  if (pid === undefined) return child
  const tellReaper = reaper()
  tellReaper(`+${pid}`)
  child.once('exit', () => {
    signalGroup(pid, 'SIGKILL')
    tellReaper(`-${pid}`)
  })
  return child
}

/**
 * Removes a folder when this process has ended without removing it, by a kill -9 for example.
 *
 * @param {string} folder
 * @returns {() => void} called when the folder is gone
 */
export function removeAtEnd (folder) {
  const tellReaper = reaper()
  tellReaper(`+${path.resolve(folder)}`)
  return () => tellReaper(`-${path.resolve(folder)}`)
}

/**
 * Ends a process and its group. The id of one that is gone may be another's by now.
 *
 * @param {ChildProcess} child  A process that `start` has started.
 */
export function endGroup ({ pid, exitCode, signalCode }) {
  if (pid !== undefined && exitCode === null && signalCode === null) signalGroup(pid, 'SIGKILL')
}

/** @type {(pid: number, signal: NodeJS.Signals) => void} */
export function signalGroup (pid, signal) {
  try {
    process.kill(-pid, signal)
  } catch {
    // The whole group is gone.
  }
}

/** @type {((line: string) => void) | undefined} */
let tellReaper

/** Starts the reaper with the first process. The reaper holds up neither the end of this process nor its own. */
function reaper () {
  if (tellReaper) return tellReaper
  const child = spawn(process.execPath, [REAPER, ...Object.entries(MARK).flat()], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {}
  })
  const stdin = /** @type {Socket | undefined} */ (child.stdin)
  // Without a reaper, processes still end with the channel to this one, unless they are in a loop.
  child.on('error', () => {}).unref()
  // Missing where no more files can be opened. The next process tries again.
  if (!stdin) return () => {}
  stdin.on('error', () => {}).unref()
  tellReaper = line => stdin.write(`${line}\n`)
  return tellReaper
}

/**
 * Reads what a process prints, and ends a process that prints too much.
 *
 * @param {ChildProcess} child
 * @param {(text: string) => void} [onOutput]  Called with every part of stdout, which is not read otherwise.
 * @returns {{ended: Promise<Ending>, lastWords: () => string}} `ended` resolves when the process is gone and its output
 *   read, and never rejects; `lastWords` is the line of stderr that names the error, else the last line, after a colon
 */
export function supervise (child, onOutput) {
  let stderr = ''
  let printed = 0
  const isLoud = () => printed > MOST_PRINTED_MIB << 20
  const lastWords = () => lastWordsOf(stderr)
  const read = (/** @type {Readable | null} */ stream, /** @type {(text: string) => void} */ keep) =>
    // The pipe of a program that could not be started has an error of its own: `ended` says more.
    stream
      ?.on('error', () => {})
      .setEncoding('utf8')
      .on('data', text => {
        keep(text)
        printed += text.length
        if (isLoud()) child.kill('SIGKILL')
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
          isLoud()
            ? { ok: false, ending: `was ended: it printed more than ${MOST_PRINTED_MIB} MiB` }
            : { ok: code === 0, ending: `ended with ${signal ?? `exit code ${code}`}${lastWords()}` }
        )
      const grace = setTimeout(() => {
        for (const stream of child.stdio) stream?.destroy()
        report()
      }, GRACE_MS)
      // 'close' comes after the last of stderr.
      child.once('close', () => {
        clearTimeout(grace)
        report()
      })
    })
  })
  return { ended, lastWords }
}

/**
 * The line of an output that names an error, after a colon.
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
 * @throws {Error} the signal's reason when it is aborted, but only once the program is gone: the next measurement must
 *   not run beside it
 */
export async function runProgram (command, signal) {
  const child = startProcess(command, { signal, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const kill = () => setTimeout(endGroup, FAREWELL_MS, child).unref()
  signal?.addEventListener('abort', kill)
  const { ok, ending } = await supervise(child, text => {
    output += text
  }).ended
  signal?.removeEventListener('abort', kill)
  signal?.throwIfAborted()
  return { ok, ending, output }
}

/**
 * Runs several works at the same time. When one fails, the others are stopped: none runs beside what comes next.
 *
 * @template T
 * @param {((signal: AbortSignal) => Promise<T>)[]} works  Every work stops at its signal.
 * @param {AbortSignal} [signal]
 * @returns {Promise<T[]>}
 * @throws the first failure, but only once all have stopped
 */
export async function together (works, signal) {
  const failed = new AbortController()
  const end = signal ? AbortSignal.any([failed.signal, signal]) : failed.signal
  const settled = await Promise.allSettled(
    works.map(async work => {
      try {
        return await work(end)
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
