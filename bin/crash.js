/** Exceptions that no command has caught, and output that nobody takes. */

/** The exit code of a bug in timerq itself. Nothing was measured, so it must not look like a regression, as Node's own 1 would. */
export const CRASHED = 4
/** What the system refuses when something of it is used up or forbidden, or a path leads nowhere: no bug of anybody. */
const REFUSALS = ['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM', 'EACCES', 'EPERM', 'ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP']

/** @param {any} error */
const isOfSystem = error => REFUSALS.includes(error?.code)

/**
 * An exception that nobody expected, in one line; with its stack where whoever looks for it asks.
 *
 * @param {any} error
 * @param {boolean} isVerbose
 */
export function describeCrash (error, isVerbose) {
  const [what] = String(error?.message ?? error).split('\n')
  if (isOfSystem(error)) return isVerbose ? String(error.stack) : what
  return `this is a bug in timerq, please report it: ${isVerbose ? error?.stack ?? what : `${what} (--verbose shows where)`}`
}

/**
 * @param {{stdout: import('node:stream').Writable, stderr: import('node:stream').Writable, isVerbose: boolean}} options
 */
export function reportCrashes ({ stdout, stderr, isVerbose }) {
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    process.on(event, error => {
      stderr.write(`timerq: ${describeCrash(error, isVerbose)}\n`)
      process.exit(CRASHED)
    })
  }
  stdout.on('error', (/** @type {NodeJS.ErrnoException} */ { code, message }) => {
    // As with `timerq list | head -1`: whoever reads has read enough.
    if (code === 'EPIPE') return
    stderr.write(`timerq: cannot write the result: ${message}\n`)
    process.exit(CRASHED)
  })
  // A terminal that was closed takes no more notes.
  stderr.on('error', () => {})
}
