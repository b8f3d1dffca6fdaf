/** Exceptions that no command catches, and output that cannot be written. */

/** @import { Writable } from 'node:stream' */

/** Exit code of a bug in timerq. Nothing was measured, and Node's own 1 would look like a regression. */
export const CRASHED = 4
/** Codes of `git bisect run`, which takes others from 1 to 127 for a slow commit. */
export const BISECT = { skip: 125, stop: 128 }
/** Codes of system errors (limits, permissions, missing paths), which are not bugs. */
const REFUSALS = [
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EMFILE',
  'ENFILE',
  'EAGAIN',
  'ENOMEM',
  'EACCES',
  'EPERM',
  'ENOENT',
  'ENOTDIR',
  'EISDIR',
  'ELOOP'
]

/**
 * Describes an unexpected exception in one line, or with its stack.
 *
 * @param {any} error
 * @param {boolean} isVerbose
 */
export function describeCrash (error, isVerbose) {
  const [line] = String(error?.message ?? error).split('\n')
  if (REFUSALS.includes(error?.code)) return isVerbose ? String(error.stack) : line
  const [, lacking] = (error?.code === 'ERR_MODULE_NOT_FOUND' && /^Cannot find package '([^']+)'/.exec(line)) || []
  if (lacking) return `the package ${lacking} is not installed: run "npm ci" in the folder of timerq first`
  const report = isVerbose ? (error?.stack ?? line) : `${line} (--verbose shows where)`
  return `this is a bug in timerq, please report it: ${report}`
}

/** @param {{stdout: Writable, stderr: Writable, isVerbose: boolean}} options */
export function reportCrashes ({ stdout, stderr, isVerbose }) {
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    process.on(event, error => {
      stderr.write(`timerq: ${describeCrash(error, isVerbose)}\n`)
      process.exit(CRASHED)
    })
  }
  stdout.on('error', (/** @type {NodeJS.ErrnoException} */ { code, message }) => {
    // The reader closed the pipe, as in `timerq list | head -1`.
    if (code === 'EPIPE') return
    stderr.write(`timerq: cannot write the result: ${message}\n`)
    process.exit(CRASHED)
  })
  // A closed terminal takes no more notes.
  stderr.on('error', () => {})
}
