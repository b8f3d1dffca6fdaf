import { spawn } from 'node:child_process'
import { once } from 'node:events'
import os from 'node:os'
import { UsageError } from '../../harness/errors.js'

export const command = 'record'
export const describe = "Record a program's timer operations: timerq record -- node app.js"

const HOOK = new URL('../../harness/record/hook.js', import.meta.url)
/** A program that a signal has ended, as a shell tells it. */
const SIGNALLED = 128

/** @param {import('yargs').Argv} yargs */
export const builder = yargs => yargs
  .option('out', { type: 'string', default: 'timerq.trace', requiresArg: true, describe: 'File to write' })
  .example('$0 record --out app.trace -- node app.js', 'then: timerq run --trace app.trace')

/**
 * @param {any} argv
 * @returns {Promise<number>} the program's own exit code
 */
export async function handler ({ _: [, ...words], '--': rest = words, out, streams }) {
  const [program, ...args] = rest.map(String)
  if (program === undefined) throw new UsageError('record needs a program: timerq record -- node app.js')
  const options = [process.env.NODE_OPTIONS, `--import ${HOOK.href}`].filter(Boolean).join(' ')
  const child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, NODE_OPTIONS: options, TIMERQ_TRACE: out } })
  // Ctrl-C reaches the program itself, which ends in its own way.
  const ignore = () => {}
  const forward = () => child.kill('SIGTERM')
  process.on('SIGINT', ignore).on('SIGTERM', forward)
  try {
    const [code, signal] = await once(child, 'close').catch(error => { throw new UsageError(`${program} cannot be started: ${error.message}`) })
    streams.stderr.write(`trace: ${out}; next: timerq run --trace ${out}\n`)
    return signal ? SIGNALLED + os.constants.signals[/** @type {NodeJS.Signals} */ (signal)] : code
  } finally {
    process.off('SIGINT', ignore).off('SIGTERM', forward)
  }
}
