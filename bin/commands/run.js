import path from 'node:path'
import { MeasurementError, UsageError } from '../../harness/model/errors.js'
import { readProfiles } from '../../harness/profile/recorded.js'
import { takeProfiles } from '../../harness/profile/run.js'
import { tools } from '../../harness/profile/tools/index.js'
import { openResults, readResults } from '../../harness/store/results.js'
import { resumeRun, runId, startRun } from '../../harness/run/run.js'
import { summarise } from '../../harness/judge/summary.js'
import { summaryDocument } from '../../reports/documents/results.js'
import { runDocument } from '../../reports/documents/run.js'
import { CONTROL } from '../presets.js'
import { stepProgress } from '../console.js'
import { linkProfiles, writeMarkdown, writeProfiles } from '../files.js'
import { endOf, planRun } from '../request/plan.js'
import { nameAgain, whatIsNamed } from '../request/resume.js'

/** By performance.now(): a budget covers all that its user waits for. */
const PROCESS_STARTED_MS = 0

/**
 * @typedef {import('../console.js').Console} Console
 * @typedef {import('../request/options.js').CommonRequest & import('../request/options.js').PlanRequest &
 *   {out?: string, resume?: string, profile?: boolean, json?: boolean}} RunRequest
 *
 * @param {RunRequest} request
 * @param {Console} console
 */
export async function handler (request, console) {
  const directory = request.resume ?? request.out ?? path.join('results', runId(new Date()))
  return console.interruptible(async signal => {
    /** @type {import('../../harness/run/run.js').RunOptions} */
    const options = { onProgress: showProgress(console, remarkOn(request)), signal, startedMs: PROCESS_STARTED_MS }
    const results = request.resume !== undefined
      ? await resumeRun(directory, { ...options, named: await whatIsNamed(request), onNote: note => console.note(note), change: settings => endOf(request, settings) })
      : await startRun(await planRun(request), { directory, command: request.commandLine, ...options })
    return present(request.profile ? await profileServers(results, signal, console) : results, request, console)
  }, `finished samples are kept, continue with: timerq run --resume ${directory}${nameAgain(request)}`, path.join(directory, 'run.json'))
}

/**
 * What its user would else find out at the end, said before anything is measured.
 *
 * @param {RunRequest} request
 * @returns {string[]}
 */
function remarkOn ({ queue = [], runtime = [], nodeFlags = [], resume }) {
  if (queue.length !== 1 || runtime.length > 1 || nodeFlags.length > 1 || resume !== undefined) return []
  const [{ name, spec }] = queue
  const other = [CONTROL.micro, 'binary-heap'].find(other => other !== name)
  return [`${name} is measured alone, with nothing to compare it with (another beside it: Ctrl-C, then --queue ${spec},${other})`]
}

/**
 * @param {Console} console
 * @param {string[]} remarks
 * @returns {(progress: import('../../harness/run/progress.js').Progress) => void}
 */
function showProgress (console, remarks) {
  let isFirst = true
  return progress => {
    if (isFirst) for (const remark of remarks) console.note(remark)
    if (isFirst && progress.budget) console.note(`stops after ${progress.budget.seconds} s at the latest`)
    isFirst = false
    console.showProgress(stepProgress(progress))
  }
}

/**
 * Records a CPU profile of every server in samples of their own: no profiler runs while time is measured.
 *
 * @param {import('../../harness/store/results.js').Results} results
 * @param {AbortSignal} signal
 * @param {Console} console
 */
async function profileServers ({ directory, run }, signal, console) {
  const { plan } = run
  await takeProfiles({ ...plan, settings: { ...plan.settings, rounds: 1 } }, {
    tools: tools.filter(({ name }) => name === 'cpu'),
    store: openResults(directory).store,
    signal,
    onProgress: ({ cell, done, total }) => console.note(`profile ${done + 1}/${total}: ${cell.queue}, ${cell.scenario}`)
  })
  const results = readResults(directory)
  writeProfiles(results)
  return results
}

/**
 * @param {import('../../harness/store/results.js').Results} results
 * @param {RunRequest} request
 * @param {Console} console
 */
function present (results, request, console) {
  const summary = summarise(results)
  const report = path.join(results.directory, 'report.md')
  const fault = writeReportTo(report, results, summary)
  console.note(`results: ${results.directory}\n${fault ? '' : `report:  ${report}\n`}`)
  console.show(request, { document: () => summaryDocument(summary), value: summary })
  assertMeasured(summary)
  if (fault) throw new MeasurementError(`${fault.message} (the results are there: timerq report ${results.directory} --out report.md)`)
  return 0
}

/**
 * @param {Pick<import('../../harness/judge/summary.js').Summary, 'cells' | 'skipped'>} summary
 * @throws {MeasurementError} when something failed; what the run had no time for did not
 */
export function assertMeasured ({ cells, skipped }) {
  if (cells.length === 0) throw new MeasurementError(`nothing was measured: ${skipped[0].reason}`)
  const failed = skipped.filter(({ kind }) => kind !== 'time-limit' && kind !== 'out-of-time')
  if (failed.length > 0) {
    const [{ queue, scenario, reason }] = failed
    throw new MeasurementError(`${failed.length} of ${failed.length + cells.length} cells failed, first ${queue} on ${scenario}: ${reason}`)
  }
  // To be too slow for some cells is a result. Of a queue that is too slow for all of them, nothing was measured.
  const tooSlow = skipped.find(({ queue, kind }) => kind === 'time-limit' && !cells.some(cell => cell.queue === queue))
  if (tooSlow) throw new MeasurementError(`${tooSlow.queue} has no figure, first on ${tooSlow.scenario}: ${tooSlow.reason}`)
}

/**
 * @param {string} file
 * @param {import('../../harness/store/results.js').Results} results
 * @param {import('../../harness/judge/summary.js').Summary} summary
 * @returns {UsageError | null} why it could not be written: no reason to lose what was measured
 */
function writeReportTo (file, results, summary) {
  try {
    writeMarkdown(file, runDocument(results, summary, {
      profiles: readProfiles(results).profiles,
      profileFiles: linkProfiles(results, results.directory)
    }))
    return null
  } catch (error) {
    if (error instanceof UsageError) return error
    throw error
  }
}
