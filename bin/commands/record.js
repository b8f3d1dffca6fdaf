import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { UsageError } from '../../harness/model/errors.js'

const HOOK = new URL('../../harness/record/hook.js', import.meta.url)
/** A shell adds this to the number of the signal that ended a program. */
const SIGNALLED = 128

/**
 * @param {{_: (string | number)[], '--'?: (string | number)[], out: string}} request
 * @param {import('../console.js').Console} console
 * @returns {Promise<number>} the program's own exit code
 */
export async function handler ({ _: [, ...words], '--': rest = words, out }, console) {
  const [program, ...args] = rest.map(String)
  if (program === undefined) throw new UsageError('record needs a program: timerq record -- node app.js')
  createFile(out)
  const options = [process.env.NODE_OPTIONS, `--import ${HOOK.href}`].filter(Boolean).join(' ')
  // The program may change its working directory before it starts another.
  const env = { ...process.env, NODE_OPTIONS: options, TIMERQ_TRACE: path.resolve(out) }
  const started = Date.now()
  const child = spawn(program, args, { stdio: 'inherit', env })
  // Ctrl-C also reaches the program, which ends in its own way.
  const ignore = () => {}
  const forward = () => child.kill('SIGTERM')
  process.on('SIGINT', ignore).on('SIGTERM', forward)
  try {
    const [code, signal] = await once(child, 'close').catch(error => {
      throw new UsageError(`${program} cannot be started: ${error.message}`)
    })
    const others = othersBeside(out, started)
    const more = others.length > 0 ? `; of the processes it started: ${others.join(', ')}` : ''
    console.note(`trace: ${out}${more}; next: timerq recommend --trace ${out}`)
    return signal ? SIGNALLED + os.constants.signals[/** @type {NodeJS.Signals} */ (signal)] : code
  } finally {
    process.off('SIGINT', ignore).off('SIGTERM', forward)
  }
}

/**
 * Empties an older trace. A file that cannot be written is reported before the program starts.
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
 * Traces of processes that the program started.
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
