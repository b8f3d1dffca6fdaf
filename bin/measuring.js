/** The frame of every command that measures: results directory, Ctrl-C, progress, resuming and exit code. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { runId } from '../harness/index.js'
import { stepProgress } from './progress.js'
import { allowedBy } from './request/plan.js'

/** @import { Named } from '../harness/run/continuation.js' */
/** @import { Console } from './console.js' */
/** @import { Progress } from './progress.js' */
/** @import { Request } from './request/request.js' */

/**
 * @typedef {object} Measurement  Options for the harness.
 * @property {string} directory
 * @property {string[]} command
 * @property {AbortSignal} signal
 * @property {number} startedMs  By performance.now(): 0, since a budget covers all that the user waits for.
 * @property {(progress: any) => void} onProgress
 * @property {(note: string) => void} onNote
 * @property {Named} [named]  Programs and files that a resumed run may start.
 *
 * @callback Step  Measures and shows the results.
 * @param {any} request
 * @param {Measurement} measurement
 * @param {Console} console
 * @returns {Promise<number>} the exit code
 */

/** By performance.now(). */
const PROCESS_STARTED_MS = 0

/**
 * @param {object} command
 * @param {string} command.name
 * @param {Step} command.start
 * @param {Step} [command.resume]  Continues a results directory.
 * @param {(request: any, directory: string, console: Console) => void} [command.stopped] Shows partial results after
 *   Ctrl-C.
 * @param {(progress: any) => Progress} [command.describeProgress]
 * @param {boolean} [command.isTemporary]  Results are not kept.
 * @returns {(request: any, console: Console) => Promise<number>} the command's handler
 */
export function measuringCommand ({
  name,
  start,
  resume,
  stopped,
  describeProgress = stepProgress,
  isTemporary = false
}) {
  return (/** @type {Request} */ request, console) => {
    const directory = isTemporary ? mkdtempSync(path.join(os.tmpdir(), `timerq-${name}-`)) : directoryOf(name, request)
    const isKept = () => !isTemporary && existsSync(path.join(directory, 'run.json'))
    const isResumed = resume !== undefined && request.resume !== undefined
    return console.interruptible(
      async signal => {
        try {
          return await (isResumed ? resume : start)(
            request,
            {
              directory,
              command: request.commandLine,
              signal,
              startedMs: PROCESS_STARTED_MS,
              onProgress: progress => console.showProgress(describeProgress(progress)),
              onNote: note => console.note(note),
              ...(isResumed && { named: await allowedBy(request) })
            },
            console
          )
        } catch (error) {
          if (signal.aborted && isKept()) stopped?.(request, directory, console)
          throw error
        } finally {
          if (isTemporary) rmSync(directory, { recursive: true, force: true })
        }
      },
      () => (isKept() ? describeRest() : '')
    )

    function describeRest () {
      return resume
        ? `finished samples are kept, continue with: timerq ${name} --resume ${directory}${request.again}`
        : `finished samples are kept in ${directory}`
    }
  }
}

/** @type {(command: string, request: Pick<Request, 'resume' | 'out'>) => string} */
export function directoryOf (name, { resume, out }) {
  return resume ?? out ?? path.join('results', `${name === 'run' ? '' : `${name}-`}${runId(new Date())}`)
}
