import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { UsageError } from '../../harness/model/errors.js'

export const command = 'record'
export const describe = "Record a program's timer operations: timerq record -- node app.js"

const HOOK = new URL('../../harness/record/hook.js', import.meta.url)
/** A program that a signal has ended, as a shell tells it. */
const SIGNALLED = 128

/** @param {import('yargs').Argv} yargs */
export const builder = yargs => yargs
  .option('out', { type: 'string', default: 'timerq.trace', requiresArg: true, describe: 'File to write' })
  .example('$0 record --out app.trace -- node app.js', 'then: timerq recommend --trace app.trace')

/**
 * @param {any} argv
 * @returns {Promise<number>} the program's own exit code
 */
export async function handler ({ _: [, ...words], '--': rest = words, out, streams }) {
  const [program, ...args] = rest.map(String)
  if (program === undefined) throw new UsageError('record needs a program: timerq record -- node app.js')
  createFile(out)
  const options = [process.env.NODE_OPTIONS, `--import ${HOOK.href}`].filter(Boolean).join(' ')
  // The program may change its directory before it starts another.
  const env = { ...process.env, NODE_OPTIONS: options, TIMERQ_TRACE: path.resolve(out) }
  const started = Date.now()
  const child = spawn(program, args, { stdio: 'inherit', env })
  // Ctrl-C reaches the program itself, which ends in its own way.
  const ignore = () => {}
  const forward = () => child.kill('SIGTERM')
  process.on('SIGINT', ignore).on('SIGTERM', forward)
  try {
    const [code, signal] = await once(child, 'close').catch(error => {
      throw new UsageError(`${program} cannot be started: ${error.message}`)
    })
    const others = othersBeside(out, started)
    const more = others.length > 0 ? `; of processes that it started: ${others.join(', ')}` : ''
    streams.stderr.write(`trace: ${out}${more}; next: timerq recommend --trace ${out}\n`)
    return signal ? SIGNALLED + os.constants.signals[/** @type {NodeJS.Signals} */ (signal)] : code
  } finally {
    process.off('SIGINT', ignore).off('SIGTERM', forward)
  }
}

/**
 * An older trace goes, and a place that cannot be written to is told before the program starts.
 *
 * @param {string} file
 */
function createFile (file) {
  try {
    writeFileSync(file, '')
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${/** @type {Error} */ (error).message}; choose another with --out`)
  }
}

/**
 * Traces of processes that the program has started.
 *
 * @param {string} file
 * @param {number} since
 */
function othersBeside (file, since) {
  const { dir, base } = path.parse(file)
  return readdirSync(dir || '.')
    .filter(name => name.startsWith(`${base}.`) && /^\d+$/.test(name.slice(base.length + 1)))
    .map(name => path.join(dir, name))
    .filter(other => statSync(other).mtimeMs >= since)
}
