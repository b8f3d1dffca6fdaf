/** Commands that measure: their results directory, progress, Ctrl-C, and how to resume. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { claimDirectory, resumeRun } from '../harness/index.js'
import { shellQuoted } from '../harness/model/text.js'
import { endOf } from './plans/parts.js'
import { READING, stepProgress } from './progress.js'
import { againOf } from './request/again.js'

/** @import { Plan } from '../harness/plan/plan.js' */
/** @import { RunOptions } from '../harness/run/run.js' */
/** @import { Progress } from '../harness/run/progress.js' */
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
 * @property {(done: number, total: number) => void} onRead  Called while benchmark files are read.
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
    if (!request.command.isResumable) return `finished samples are kept in ${directory}`
    return `finished samples are kept; continue with: ${resumeCommand(directory, request)}`
  })
  return {
    directory,
    command: request.commandLine,
    signal,
    startedMs: 0,
    onProgress: progress => console.showProgress(stepProgress(progress)),
    onNote: note => console.note(note),
    onRead: (done, total) => console.showProgress({ done, total, unit: 'files', text: READING })
  }
}

/**
 * Continues a stopped run. Options of its end may be other ones.
 *
 * @param {Request} request
 * @param {Measurement} measurement
 * @param {(chosen: any) => Promise<Plan>} planOf
 * @param {(plan: Plan) => RunOptions['stopRule']} [stopRuleOf]
 */
export async function continueMeasuring (request, measurement, planOf, stopRuleOf) {
  const { planStopped } = await import('./planned-again.js')
  const { stopped, plan } = await planStopped(request, planOf)
  const stopRule = stopRuleOf?.(stopped.run.plan)
  return resumeRun(stopped, { ...measurement, plan, stopRule, change: end => endOf(request, end) })
}

/**
 * Command line that continues a stopped run.
 *
 * @type {(directory: string, request: Pick<Request, 'command' | 'commandLine'>) => string}
 */
export const resumeCommand = (directory, { command, commandLine }) =>
  ['timerq', command.name, '--resume', directory, ...againOf(commandLine)].map(shellQuoted).join(' ')

/** @type {(request: Pick<Request, 'command' | 'resume' | 'out'>) => string} */
export const directoryOf = ({ command, resume, out }) => resume ?? out ?? claimDirectory(command.prefix)
