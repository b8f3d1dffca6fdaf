/** Commands that measure: their results directory, progress, Ctrl-C, and how to resume. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { claimDirectory, resumeRun, rooms } from '../harness/index.js'
import { shellQuoted } from '../harness/model/text.js'
import { endOf, FEW_FILES } from './plans/parts.js'
import { FILES, stepProgress } from './progress.js'
import { againOf, requestAgain } from './request/again.js'
import { optionsOf } from './request/options.js'

/** @import { Plan } from '../harness/plan/plan.js' */
/** @import { RunOptions } from '../harness/run/run.js' */
/** @import { Results } from '../harness/store/results.js' */
/** @import { OnRead, Progress } from '../harness/run/progress.js' */
/** @import { Console } from './console.js' */
/** @import { Request } from './request/request.js' */

/**
 * @typedef {object} Measurement  Options for the harness.
 * @property {string} directory  Results directory.
 * @property {string[]} command  Words of the command line.
 * @property {AbortSignal} signal  Aborted by Ctrl-C.
 * @property {number} startedMs  Start of the budget by performance.now(): 0, so that it includes the start of this
 *   process.
 * @property {(progress: Progress) => void} onProgress
 * @property {(note: string) => void} onNote
 * @property {OnRead} onRead
 */

/**
 * Options for the harness. After Ctrl-C, the console says how to continue.
 *
 * @param {Request} request
 * @param {Console} console
 * @param {(directory: string) => void} [onStopped]  Shows partial results after Ctrl-C.
 * @returns {Promise<Measurement>}
 */
export async function measuring (request, console, onStopped = () => {}) {
  const directory = directoryOf(request)
  const signal = console.interruptible(() => {
    if (!existsSync(path.join(directory, 'run.json'))) return ''
    onStopped(directory)
    const isResumable = optionsOf(request.command).some(({ name }) => name === 'resume')
    if (!isResumable) return `finished samples are kept in ${directory}`
    return `finished samples are kept; continue with: ${resumeCommand(directory, request)}`
  })
  return {
    directory,
    command: request.commandLine,
    signal,
    startedMs: 0,
    onProgress: progress => console.showProgress(stepProgress(progress)),
    onNote: note => console.note(note),
    onRead (done, total, text = 'reading') {
      if (total > FEW_FILES) console.showProgress({ done, total, unit: FILES, text })
    }
  }
}

/**
 * Plans the command line of a stopped run again, with its seed, and takes the samples that the run lacks. Options of
 * its end may be other ones.
 *
 * @param {any} request  Has `resume`.
 * @param {Measurement} measurement
 * @param {(chosen: any) => Promise<Plan>} planOf
 * @param {(plan: Plan) => Partial<RunOptions>} [ofQuestion]  Options of the question.
 * @returns {Promise<Results>}
 * @throws {UsageError} when it used what the user has not typed
 */
export async function continueMeasuring (request, measurement, planOf, ofQuestion = () => ({})) {
  const { readStopped } = await rooms.continuation()
  const stopped = readStopped(request.resume, request.command.name)
  const { directory, run: { command, plan: { settings: { seed } } } } = stopped
  const plan = await planOf(requestAgain({ directory, command }, request, { seed: String(seed), out: null }))
  const change = (/** @type {Plan['end']} */ end) => endOf(request, end)
  return resumeRun(stopped, { ...measurement, ...ofQuestion(stopped.run.plan), plan, change })
}

/**
 * Command line that continues a stopped run.
 *
 * @type {(directory: string, request: Pick<Request, 'command' | 'commandLine'>) => string}
 */
export const resumeCommand = (directory, { command, commandLine }) =>
  ['timerq', command.name, '--resume', directory, ...againOf(commandLine)].map(shellQuoted).join(' ')

/** @type {(request: Pick<Request, 'command' | 'resume' | 'out'>) => string} */
export const directoryOf = ({ command, resume, out }) => resume ?? out ?? claimDirectory(command.name)
