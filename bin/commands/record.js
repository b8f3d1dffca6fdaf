/** `timerq record`: records the timer operations of a program. */
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { lock, RECORDER, rooms, unlock, writing } from '../../harness/index.js'
import { MeasurementError, UsageError } from '../../harness/model/errors.js'
import { shellQuoted } from '../../harness/model/text.js'
import { RECORDED } from '../presets.js'
import { nextStep } from './index.js'

/** @import { Attended } from '../../harness/processes/hooked.js' */
/** @import { Console } from '../console.js' */

const { describeAbsence, namesOf, runHooked } = await rooms.hooked()
const { isTrace, readTrace, START } = await rooms.trace()

/** @type {(request: {program?: string[], out?: string}, console: Console) => Promise<number>} */
export async function handler ({ program = [], out: chosen = RECORDED }, console) {
  if (program.length === 0) throw new UsageError('record needs a program (try timerq record -- node app.js)')
  const out = claimFile(chosen)
  createFile(out)
  const started = Date.now()
  // The program may change its working directory before it starts another.
  const file = path.resolve(out)
  const present = `${file}.present`
  rmSync(present, { force: true })
  const { code, stray, attended } = await runHooked(program, {
    hook: RECORDER,
    first: new URL('first.cjs', RECORDER),
    env: { TIMERQ_TRACE: file },
    present,
    onStart: () => console.note('recording until the program ends (Ctrl-C ends it)')
  }).finally(() => {
    rmSync(present, { force: true })
    unlock(out)
  })
  const absence = describeAbsence(attended, 'the recorder', program)
  if (absence !== null) {
    // The timers of npm say nothing of the program.
    writeFileSync(out, '')
    throw new MeasurementError(absence)
  }
  const traces = tracesBeside(out, started)
  const used = [out, ...traces].find(startsTimers)
  const gaps = describeGaps(attended)
  if (used === undefined && gaps !== '') throw new MeasurementError(`no timer was recorded, but ${gaps}`)
  const next =
    used === undefined
      ? `no timer was started by ${namesOf(attended.hooked)}, so there is nothing to recommend`
      : nextStep(`recommend${used === RECORDED ? '' : ` ${shellQuoted(used)}`}`)
  const others = traces.length > 0 && `of the processes it started: ${traces.join(', ')}`
  for (const line of [`trace: ${out}`, others, gaps, next]) if (line) console.note(line)
  if (stray) throw new MeasurementError(`${program.join(' ')} ended: ${stray}`)
  return code
}

/**
 * Returns warnings about what the trace lacks; empty: nothing.
 *
 * @param {Attended} attended
 */
function describeGaps ({ hooked, unhooked }) {
  const killed = hooked.filter(({ hasEnded }) => !hasEnded)
  const threaded = hooked.filter(({ workers }) => workers > 0)
  return [
    killed.length > 0 && `${namesOf(killed)} was killed before its last operations were written`,
    threaded.length > 0 && `${namesOf(threaded)} started worker threads, whose timers are not recorded`,
    unhooked.length > 0 && `the recorder was not in ${namesOf(unhooked)}`
  ].filter(Boolean).join('; ')
}

/**
 * A program that could not start has left an empty file.
 *
 * @param {string} file
 */
const startsTimers = file => statSync(file).size > 0 && readTrace(file).kinds.includes(START)

/**
 * Another process may record to the default file just now.
 *
 * @param {string} file
 * @returns {string} the file, or timerq-2.trace and so on
 */
function claimFile (file) {
  for (let n = 1; ; n++) {
    const name = n === 1 ? file : RECORDED.replace('.', `-${n}.`)
    try {
      lock(name)
      return name
    } catch (error) {
      // A file that cannot be written is refused next.
      if (!(error instanceof UsageError)) return name
      if (file !== RECORDED) throw error
    }
  }
}

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
 * @param {number} since  Time of Date.now().
 */
function tracesBeside (file, since) {
  const { dir, base } = path.parse(file)
  return readdirSync(dir || '.')
    .filter(name => name.startsWith(`${base}.`) && /^\d+$/.test(name.slice(base.length + 1)))
    .map(name => path.join(dir, name))
    .filter(other => statSync(other).mtimeMs >= since)
}
