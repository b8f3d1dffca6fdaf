/** Runs the commands that measure: their results directory, progress, Ctrl-C, and how to resume. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { runId } from '../harness/index.js'
import { shellQuoted } from '../harness/model/text.js'
import { allowedBy } from './plans/parts.js'
import { jsonProgress, stepProgress } from './progress.js'
import { againOf } from './request/again.js'
import { RESUMED } from './request/options.js'

/** @import { Named } from '../harness/run/trust.js' */
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
 * @property {Named} [named]  Programs and files that a resumed run may start.
 *
 * @typedef {object} MeasuringCommand  A command that measures, and how it ends.
 * @property {string} name  Name of the command.
 * @property {Request} request
 * @property {Console} console
 * @property {(directory: string) => void} [onStopped]  Shows partial results after Ctrl-C.
 */

/**
 * Runs the work of a command with its options for the harness. After Ctrl-C, says how to continue.
 *
 * @param {MeasuringCommand} measured
 * @param {(measurement: Measurement) => Promise<number>} work  Returns the exit code.
 * @returns {Promise<number>} the exit code
 */
export function measuring (measured, work) {
  const { name, request, console, onStopped } = measured
  const directory = directoryOf(name, request)
  const isKept = () => existsSync(path.join(directory, 'run.json'))
  const showJson = jsonProgress(line => console.note(line))
  return console.interruptible(
    async signal => {
      try {
        return await work({
          directory,
          command: request.commandLine,
          signal,
          startedMs: 0,
          onProgress:
            request.progress === 'json' ? showJson : progress => console.showProgress(stepProgress(progress)),
          onNote: note => console.note(note),
          ...(request.resume !== undefined && { named: await allowedBy(request) })
        })
      } catch (error) {
        if (signal.aborted && isKept()) onStopped?.(directory)
        throw error
      }
    },
    () => (isKept() ? describeRest() : '')
  )

  function describeRest () {
    if (!RESUMED.includes(name)) return `finished samples are kept in ${directory}`
    return `finished samples are kept; continue with: ${resumeCommand(name, directory, request)}`
  }
}

/**
 * Command line that continues a stopped run.
 *
 * @type {(name: string, directory: string, request: Pick<Request, 'commandLine' | 'program'>) => string}
 */
export const resumeCommand = (name, directory, { commandLine, program }) =>
  ['timerq', name, '--resume', directory, ...againOf(commandLine, program)].map(shellQuoted).join(' ')

/** @type {(name: string, request: Pick<Request, 'resume' | 'out'>) => string} */
export function directoryOf (name, { resume, out }) {
  return resume ?? out ?? path.join('results', `${name === 'run' ? '' : `${name}-`}${runId(new Date())}`)
}
