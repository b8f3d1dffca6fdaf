/** Exceptions that no command has caught, and output that nobody takes. */

/** Like that of a bug within a command: it must not look like a regression, which is Node's own exit code for both. */
const CRASHED = 4

/**
 * @param {{stdout: import('node:stream').Writable, stderr: import('node:stream').Writable, isVerbose: boolean}} options
 */
export function reportCrashes ({ stdout, stderr, isVerbose }) {
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    process.on(event, error => {
      const what = error?.message ?? String(error)
      stderr.write(isVerbose
        ? `timerq: this is a bug in timerq, please report it: ${error?.stack ?? what}\n`
        : `timerq: this is a bug in timerq, please report it: ${what.split('\n')[0]} (--verbose shows where)\n`)
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
