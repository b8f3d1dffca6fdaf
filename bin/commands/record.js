import { readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { UsageError } from '../../harness/model/errors.js'
import { runHooked } from '../../harness/processes/program/run.js'
import { isTrace } from '../../harness/trace/trace-format.js'

const HOOK = new URL('../../harness/trace/hook.js', import.meta.url)

/**
 * @param {{_: (string | number)[], '--'?: (string | number)[], out: string}} request
 * @param {import('../console.js').Console} console
 * @returns {Promise<number>} the program's own exit code
 */
export async function handler ({ _: [, ...words], '--': rest = words, out }, console) {
  if (rest.length === 0) throw new UsageError('record needs a program: timerq record -- node app.js')
  createFile(out)
  const started = Date.now()
  // The program may change its working directory before it starts another.
  const code = await runHooked(rest.map(String), { hook: HOOK, env: { TIMERQ_TRACE: path.resolve(out) } })
  const others = othersBeside(out, started)
  const more = others.length > 0 ? `; of the processes it started: ${others.join(', ')}` : ''
  console.note(`trace: ${out}${more}; next: timerq recommend --trace ${out}`)
  return code
}

/**
 * Empties an older trace, but no other file. One that cannot be written is reported before the program starts.
 *
 * @param {string} file
 */
function createFile (file) {
  try {
    const found = statSync(file, { throwIfNoEntry: false })
    if (found?.isFile() && found.size > 0 && !isTrace(file)) {
      throw new UsageError(`${file} is not a trace, and is left as it is; choose another with --out`)
    }
    writeFileSync(file, '')
  } catch (error) {
    if (error instanceof UsageError) throw error
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
