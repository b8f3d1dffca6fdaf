import { execFile } from 'node:child_process'
import { SampleError } from '../child.js'

/**
 * @param {string} name
 * @param {string[]} command
 * @param {AbortSignal} [signal]
 * @returns {Promise<string>} what the load generator printed
 * @throws {SampleError} when it cannot be started, or fails
 */
export function runGenerator (name, [command, ...args], signal) {
  return new Promise((resolve, reject) => {
    execFile(command, args, { signal }, (error, stdout, stderr) => {
      if (!error) resolve(stdout)
      else if (error.name === 'AbortError') reject(error)
      else reject(new SampleError('load', `${name} failed: ${stderr.trim() || describe(error)}`))
    })
  })
}

/** @param {import('node:child_process').ExecFileException} error  Whose message holds the whole command line. */
function describe ({ code, signal, message }) {
  return typeof code === 'string' ? message : `it ended with ${signal ?? `exit code ${code}`}`
}
