/** `timerq record`: records the timer operations of a program. */
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { rooms, writing } from '../../harness/index.js'
import { UsageError } from '../../harness/model/errors.js'
import { shellQuoted } from '../../harness/model/text.js'
import { RECORDED } from '../presets.js'

/** @import { Console } from '../console.js' */

const { RECORDER, runHooked } = await rooms.programs()
const { isTrace, readTrace, START } = await rooms.trace()

/** @type {(request: {program?: string[], out: string}, console: Console) => Promise<number>} */
export async function handler ({ program = [], out }, console) {
  if (program.length === 0) throw new UsageError('record needs a program (try timerq record -- node app.js)')
  createFile(out)
  const started = Date.now()
  // The program may change its working directory before it starts another.
  const env = { TIMERQ_TRACE: path.resolve(out) }
  const code = await runHooked(program, {
    hook: RECORDER,
    env,
    onStart: () => console.note('recording until the program ends (Ctrl-C ends it)')
  })
  const traces = tracesBeside(out, started)
  const more = traces.length > 0 ? `; of the processes it started: ${traces.join(', ')}` : ''
  const used = [out, ...traces].find(startsTimers)
  const next =
    used === undefined
      ? 'no timer was started, so there is nothing to recommend'
      : `next: timerq recommend${used === RECORDED ? '' : ` ${shellQuoted(used)}`}`
  console.note(`trace: ${out}${more}; ${next}`)
  return code
}

/**
 * A program that could not start has left an empty file.
 *
 * @param {string} file
 */
const startsTimers = file => statSync(file).size > 0 && readTrace(file).kinds.includes(START)

/**
 * Empties an earlier trace, but no other file, before the program starts.
 *
 * @param {string} file
 */
function createFile (file) {
  writing(file, () => {
    const existing = statSync(file, { throwIfNoEntry: false })
    if (existing?.isFile() && existing.size > 0 && !isTrace(file)) {
      throw new Error('it is not a trace, and is left as it is')
    }
    writeFileSync(file, '')
  })
}

/**
 * Traces of processes that the program started.
 *
 * @param {string} file
 * @param {number} since  By Date.now().
 */
function tracesBeside (file, since) {
  const { dir, base } = path.parse(file)
  return readdirSync(dir || '.')
    .filter(name => name.startsWith(`${base}.`) && /^\d+$/.test(name.slice(base.length + 1)))
    .map(name => path.join(dir, name))
    .filter(other => statSync(other).mtimeMs >= since)
}
