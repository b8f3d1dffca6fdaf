import { execFile } from 'node:child_process'
import { SampleError } from '../child.js'

/**
 * @param {string} name
 * @param {string[]} command
 * @param {AbortSignal} [signal]
 * @returns {Promise<string>} what the load generator printed
 * @throws {SampleError} when it cannot be started, or fails; when it is aborted, once it is gone
 */
export function runGenerator (name, [command, ...args], signal) {
  return new Promise((resolve, reject) => {
    const generator = execFile(command, args, { signal }, (error, stdout, stderr) => {
      if (!error) resolve(stdout)
      else if (error.name !== 'AbortError') reject(new SampleError('load', `${name} failed: ${stderr.trim() || describe(error)}`))
      // It may still send: what comes next must not be measured beside it.
      else if (isRunning(generator)) generator.once('exit', () => reject(error))
      else reject(error)
    })
  })
}

/** @param {import('node:child_process').ChildProcess} process */
const isRunning = ({ pid, exitCode, signalCode }) => pid !== undefined && exitCode === null && signalCode === null

/** @param {import('node:child_process').ExecFileException} error  Whose message holds the whole command line. */
function describe ({ code, signal, message }) {
  return typeof code === 'string' ? message : `it ended with ${signal ?? `exit code ${code}`}`
}
