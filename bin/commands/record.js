import { readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { UsageError } from '../../harness/model/errors.js'
import { runHooked } from '../../harness/processes/program/run.js'
import { isTrace } from '../../harness/trace/trace-format.js'

/** @import { Console } from '../console.js' */

const HOOK = new URL('../../harness/trace/hook.js', import.meta.url)

/**
 * @param {{_: (string | number)[], '--'?: (string | number)[], out: string}} request
 * @param {Console} console
 * @returns {Promise<number>} the program's own exit code
 */
export async function handler ({ _: [, ...words], '--': rest = words, out }, console) {
  if (rest.length === 0) throw new UsageError('record needs a program: timerq record -- node app.js')
  createFile(out)
  const started = Date.now()
  // The program may change its working directory before it starts another.
  const code = await runHooked(rest.map(String), { hook: HOOK, env: { TIMERQ_TRACE: path.resolve(out) } })
  const traces = tracesBeside(out, started)
  const more = traces.length > 0 ? `; of child processes: ${traces.join(', ')}` : ''
  console.note(`trace: ${out}${more}; next: timerq recommend --trace ${out}`)
  return code
}

/**
 * Empties an older trace, but no other file. Reports an unwritable file before the program starts.
 *
 * @param {string} file
 */
function createFile (file) {
  try {
    const found = statSync(file, { throwIfNoEntry: false })
    if (found?.isFile() && found.size > 0 && !isTrace(file)) {
      throw new UsageError(`${file} is not a trace, so it is not overwritten; choose another file with --out`)
    }
    writeFileSync(file, '')
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${file} cannot be written: ${/** @type {Error} */ (error).message}; choose another file with --out`)
  }
}

/**
 * Traces of child processes.
 *
 * @param {string} file
 * @param {number} since
 */
function tracesBeside (file, since) {
  const { dir, base } = path.parse(file)
  return readdirSync(dir || '.')
    .filter(name => name.startsWith(`${base}.`) && /^\d+$/.test(name.slice(base.length + 1)))
    .map(name => path.join(dir, name))
    .filter(trace => statSync(trace).mtimeMs >= since)
}
