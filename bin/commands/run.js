import { existsSync } from 'node:fs'
import path from 'node:path'
import { openResults, readResults, resumeRun, rooms, startRun, summarise } from '../../harness/index.js'
import { MeasurementError, UsageError } from '../../harness/model/errors.js'
import { enumerate } from '../../harness/model/numbers.js'
import { withAnswer } from '../../reports/answer.js'
import { summaryDocument } from '../../reports/documents/results.js'
import { runDocument } from '../../reports/documents/run.js'
import { writeMarkdown } from '../files.js'
import { measuringCommand } from '../measuring.js'
import { CONTROL } from '../presets.js'
import { planRun, stopRuleOf } from '../request/plan.js'

/** @import { Summary } from '../../harness/judge/summary.js' */
/** @import { Plan } from '../../harness/plan/plan.js' */
/** @import { Results } from '../../harness/store/results.js' */
/** @import { Document } from '../../reports/blocks.js' */
/** @import { Console } from '../console.js' */
/** @import { Measurement } from '../measuring.js' */
/** @import { Request } from '../request/request.js' */

/** @typedef {Request & {profile?: boolean}} RunRequest */

export const handler = measuringCommand({
  name: 'run',
  start: async (request, measurement, console) => {
    const plan = await planRun(request)
    const onProgress = notingFirst(
      [...problemsOf(request, plan), ...describeControls(request, plan)],
      measurement,
      console
    )
    await present(await startRun(plan, { ...measurement, onProgress }), request, measurement, console)
    return 0
  },
  resume: async (request, measurement, console) => {
    const { directory, ...options } = measurement
    await present(
      await resumeRun(directory, { ...options, change: settings => stopRuleOf(request, settings) }),
      request,
      measurement,
      console
    )
    return 0
  }
})

/**
 * Problems worth reporting before measuring starts.
 *
 * @type {(request: RunRequest, plan: Plan) => string[]}
 */
function problemsOf ({ queue = [], runtime = [], nodeFlags = [] }, { queues }) {
  if (queue.length !== 1 || queues.length !== 1 || runtime.length > 1 || nodeFlags.length > 1) return []
  const [{ name, spec }] = queue
  const partner = [CONTROL.micro, 'binary-heap'].find(partner => partner !== name)
  return [
    `${name} is measured alone, with nothing to compare it with (to add a queue: Ctrl-C, then --queue ${spec},${partner})`
  ]
}

/** @type {(request: RunRequest, plan: Plan) => string[]} */
function describeControls ({ queue }, { queues }) {
  const added = queue
    ? queues.filter(({ name }) => !queue.some(chosen => chosen.name === name)).map(({ name }) => name)
    : []
  return added.length > 0
    ? [`measured beside ${enumerate(added)}, the control${added.length > 1 ? 's' : ''}: Node's own design`]
    : []
}

/**
 * Refused requests have one line.
 *
 * @type {(problems: string[], measurement: Measurement, console: Console) => Measurement['onProgress']}
 */
function notingFirst (problems, { onProgress }, console) {
  return progress => {
    for (const problem of problems.splice(0)) console.note(problem)
    onProgress(progress)
  }
}

/**
 * Shows a run and writes its report.
 *
 * @type {(measured: Results, request: RunRequest, measurement: Measurement, console: Console) => Promise<Summary>}
 */
export async function present (measured, request, { directory, signal }, console) {
  const results = request.profile ? await profileServers(measured, signal, console) : measured
  const summary = summarise(results)
  const profiles = existsSync(path.join(directory, 'profiles'))
    ? (await import('../drawings.js')).profilesOf(results, directory)
    : {}
  const report = path.join(directory, 'report.md')
  const fault = writeRunReport(report, () => runDocument(results, summary, profiles))
  console.note(`results: ${directory}\n${fault ? '' : `report:  ${report}\n`}`)
  console.show(request, { document: () => summaryDocument(summary), value: withAnswer(summary) })
  assertMeasured(summary)
  if (fault) {
    throw new MeasurementError(`${fault.message} (the results are there: timerq report ${directory} --out report.md)`)
  }
  return summary
}

/**
 * Extra samples: no profiler runs while time is measured.
 *
 * @type {(results: Results, signal: AbortSignal, console: Console) => Promise<Results>}
 */
async function profileServers ({ directory, run: { plan } }, signal, console) {
  const { takeProfiles, tools } = await rooms.profile()
  await takeProfiles(
    { ...plan, settings: { ...plan.settings, rounds: 1 } },
    {
      tools: tools.filter(({ name }) => name === 'cpu'),
      store: openResults(directory).store,
      signal,
      onProgress: ({ cell, done, total }) =>
        console.note(`profile ${done + 1}/${total}: ${cell.queue}, ${cell.scenario}`)
    }
  )
  const results = readResults(directory)
  const { writeProfiles } = await import('../drawings.js')
  writeProfiles(results)
  return results
}

/**
 * Returns a fault of writing, which must not cost the results.
 *
 * @type {(file: string, document: () => Document) => UsageError | null}
 */
function writeRunReport (file, document) {
  try {
    writeMarkdown(file, document())
    return null
  } catch (error) {
    if (error instanceof UsageError) return error
    throw error
  }
}

/**
 * @param {Pick<Summary, 'cells' | 'skipped'>} summary
 * @throws {MeasurementError} when a cell failed; a cell without time left did not
 */
export function assertMeasured ({ cells, skipped }) {
  if (cells.length === 0) throw new MeasurementError(`nothing was measured: ${skipped[0].reason}`)
  const failed = skipped.filter(({ kind }) => kind !== 'time-limit' && kind !== 'out-of-time')
  if (failed.length > 0) {
    const [{ queue, scenario, reason }] = failed
    throw new MeasurementError(
      `${failed.length} of ${failed.length + cells.length} cells failed, first ${queue} on ${scenario}: ${reason}`
    )
  }
  // A queue that is too slow for some cells is a result. A queue that is too slow for all of them was not measured.
  const tooSlow = skipped.find(({ queue, kind }) => kind === 'time-limit' && !cells.some(cell => cell.queue === queue))
  if (tooSlow) {
    throw new MeasurementError(`${tooSlow.queue} has no figure, first on ${tooSlow.scenario}: ${tooSlow.reason}`)
  }
}
