/** Starting processes, describing how they ended, and making sure that none outlives this one. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
/** @import { ChildProcess, SpawnOptions } from 'node:child_process' */
/** @import { Socket } from 'node:net' */

/**
 * In the environment of every process that we start, and inherited by theirs: tells the reaper which processes are
 * ours.
 */
const MARK = { TIMERQ_STARTED_BY: randomBytes(8).toString('hex') }
const REAPER = fileURLToPath(new URL('./reaper.js', import.meta.url))

/** Characters of stderr that are kept. */
const STDERR_LIMIT = 4096
/** On stderr or stdout. A process that prints more would go on for ever, and reading takes time. */
const MOST_PRINTED_MB = 16
/** A detached grandchild may hold stderr open: nothing waits longer for it. */
const GRACE_MS = 1000

/**
 * @typedef {{ok: boolean, ending: string}} Ending Whether the exit code was 0; the end in words, such as 'ended with
 *   SIGSEGV'.
 */

/**
 * Starts a process as the leader of a group that ends with it. The group also ends when this process does, however that
 * is, and so does any process that has left the group.
 *
 * @type {(command: string[], options: SpawnOptions) => ChildProcess}
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

/** @param {number | undefined} pid  A process that `start` has started. */
export function endGroup (pid) {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
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
 * Resolves when the process is gone and its output read; never rejects. `lastWords` is the line of stderr that names
 * the error, else the last line, after a colon.
 *
 * @type {(child: ChildProcess) => {ended: Promise<Ending>, lastWords: () => string}}
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
      // Other errors, such as a signal that could not be sent, do not end the process.
      if (child.pid === undefined) resolve({ ok: false, ending: `could not be started: ${message}` })
    })
    child.once('exit', (code, signal) => {
      const end = `ended with ${signal ?? `exit code ${code}`}`
      const report = () =>
        resolve({
          ok: code === 0,
          ending: isLoud() ? `was ended: it printed more than ${MOST_PRINTED_MB} MB of errors` : end + lastWords()
        })
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
  const child = start(command, { signal, stdio: ['ignore', 'pipe', 'pipe'] })
  const isTooLong = () => output.length > MOST_PRINTED_MB << 20
  let output = ''
  // The pipe of a program that could not be started has an error of its own: `ended` says more.
  child.stdout
    ?.on('error', () => {})
    .setEncoding('utf8')
    .on('data', text => {
      output += text
      if (!isTooLong()) return
      child.stdout?.destroy()
      endGroup(child.pid)
    })
  const { ok, ending } = await supervise(child).ended
  signal?.throwIfAborted()
  if (isTooLong()) return { ok: false, ending: `was ended: it printed more than ${MOST_PRINTED_MB} MiB`, output: '' }
  return { ok, ending, output }
}

/**
 * Runs several works at the same time. When one fails, the others are stopped: none runs beside what comes next.
 *
 * @type {<T>(works: ((signal: AbortSignal) => Promise<T>)[], signal?: AbortSignal) => Promise<T[]>} Each stops at its
 *   signal.
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
