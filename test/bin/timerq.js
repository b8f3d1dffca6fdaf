import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const TIMERQ = fileURLToPath(new URL('../../bin/timerq.js', import.meta.url))

/**
 * The real command line in a process of its own.
 *
 * @param {string[]} args
 * @param {import('node:child_process').ExecFileOptions} [options]
 * @returns {Promise<{code: number, stdout: string, stderr: string}>}
 */
export function timerq (args, options = {}) {
  return new Promise(resolve => {
    execFile(process.execPath, [TIMERQ, ...args], { maxBuffer: 1 << 26, encoding: 'utf8', ...options }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout: String(stdout), stderr: String(stderr) })
    })
  })
}
