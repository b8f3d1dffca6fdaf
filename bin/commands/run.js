/** `timerq run`: measures queues on scenarios, and shows how they compare. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { rooms, startRun, summarise } from '../../harness/index.js'
import { MeasurementError, UsageError } from '../../harness/model/errors.js'
import { enumerate } from '../../harness/model/numbers.js'
import { withAnswer } from '../../reports/answers/run.js'
import { summaryDocument } from '../../reports/documents/results.js'
import { runDocument } from '../../reports/documents/run.js'
import { writeMarkdown } from '../files.js'
import { continueMeasuring, measuring } from '../measuring.js'
import { planRun } from '../plans/run.js'
import { CONTROL, DEFAULT_QUEUES } from '../presets.js'
import { againOf } from '../request/again.js'

/** @import { Summary } from '../../harness/judge/records.js' */
/** @import { Plan } from '../../harness/plan/plan.js' */
/** @import { Results } from '../../harness/store/results.js' */
/** @import { Document } from '../../reports/blocks.js' */
/** @import { Console } from '../console.js' */
/** @import { Measurement } from '../measuring.js' */
/** @import { Request } from '../request/request.js' */

/** @typedef {Request & {profile?: boolean, sketch?: boolean}} RunRequest */

/** @type {(request: RunRequest, console: Console) => Promise<number>} */
export async function handler (request, console) {
  const { resume, sketch } = request
  if (sketch) return (await import('../sketch.js')).showSketch(request, console)
  const measurement = await measuring('run', request, console)
  const results = await (resume === undefined
    ? start(await planRun(request), request, measurement, console)
    : continueMeasuring('run', request, measurement, planRun))
  await present(results, request, measurement, console)
  assertRead(results.run.plan.faults)
  return 0
}

/**
 * Says what may surprise before the first sample, but not where the harness refuses the plan: refusals have one line.
 *
 * @type {(plan: Plan, request: RunRequest, measurement: Measurement, console: Console) => Promise<Results>}
 */
function start (plan, request, measurement, console) {
  const notes = [...surprisesOf(request, plan), ...(plan.leftOut ?? [])]
  return startRun(plan, {
    ...measurement,
    onProgress: progress => {
      for (const note of notes.splice(0)) console.note(note)
      measurement.onProgress(progress)
    }
  })
}

/** @type {(request: RunRequest, plan: Plan) => string[]} */
function surprisesOf ({ queue, runtime = [] }, { queues }) {
  if (queue?.length === 1 && queues.length === 1 && runtime.length <= 1) {
    const [{ name, spec }] = queue
    const partners = [CONTROL.micro, ...DEFAULT_QUEUES.toReversed()]
    const partner = partners.find(partner => ![name, CONTROL.http].includes(partner))
    return [
      `${name} is measured alone, with nothing to compare it with ` +
        `(to add a queue: Ctrl-C, then --queue ${spec},${partner})`
    ]
  }
  const added = queue ? queues.map(({ name }) => name).filter(name => !queue.some(chosen => chosen.name === name)) : []
  return added.length > 0
    ? [`compared with ${enumerate(added)}, the control${added.length > 1 ? 's' : ''}: Node's own design`]
    : []
}

/**
 * @param {string[]} [faults]
 * @throws {MeasurementError} when a file could not be read to its end: tasks may be missing
 */
function assertRead ([fault, ...others] = []) {
  if (fault === undefined) return
  throw new MeasurementError(others.length === 0 ? fault : `${fault} (files with errors: ${1 + others.length})`)
}

/**
 * Shows a run and writes its report.
 *
 * @type {(measured: Results, request: RunRequest, measurement: Measurement, console: Console) => Promise<Summary>}
 */
export async function present (measured, request, { directory, signal }, console) {
  const results = request.profile ? await profile(measured, signal, console) : measured
  const summary = summarise(results)
  const again = againOf(results.run.command)
  const profiles = existsSync(path.join(directory, 'profiles'))
    ? (await import('../drawings.js')).profilesOf(results, directory)
    : {}
  const report = path.join(directory, 'report.md')
  const fault = writeRunReport(report, () => runDocument(results, summary, { again, ...profiles }))
  console.note(`results: ${directory}\n${fault ? '' : `report:  ${report}\n`}`)
  console.show(request, { document: () => summaryDocument(summary, again), value: withAnswer(summary, again) })
  assertMeasured(summary)
  if (fault) {
    throw new MeasurementError(`${fault.message} (the results are there: timerq report ${directory} --out report.md)`)
  }
  return summary
}

/** @type {(measured: Results, signal: AbortSignal, console: Console) => Promise<Results>} */
async function profile (measured, signal, console) {
  const results = await (await rooms.profile()).profileRun(measured, {
    signal,
    onProgress: ({ cell, done, total }) => console.note(`profile ${done + 1}/${total}: ${cell.queue}, ${cell.scenario}`)
  })
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
      `${failed.length} of ${failed.length + cells.length} cells failed; the first: ${queue} on ${scenario}: ${reason}`
    )
  }
  // A queue that is too slow for some cells is a result. A queue that is too slow for all of them was not measured.
  const tooSlow = skipped.find(({ queue, kind }) => kind === 'time-limit' && !cells.some(cell => cell.queue === queue))
  if (tooSlow) {
    throw new MeasurementError(
      `${tooSlow.queue} was too slow to measure (${tooSlow.scenario}: ${tooSlow.reason}): ` +
        'raise --time-limit, or leave it out'
    )
  }
}
