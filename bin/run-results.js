/** Results of a run of queues: shown, profiled if asked for, written as a report, and refused if they lack cells. */
import path from 'node:path'
import { rooms } from '../harness/index.js'
import { MeasurementError, UsageError } from '../harness/model/errors.js'
import { formats } from '../reports/formats.js'
import { answer } from './answers/run.js'
import { writeRendered } from './files.js'

/** @import { Summary } from '../harness/judge/records.js' */
/** @import { Results } from '../harness/store/results.js' */
/** @import { Report } from '../reports/formats.js' */
/** @import { Console } from './console.js' */
/** @import { Measurement } from './measuring.js' */
/** @import { Request } from './request/request.js' */

/** Format of the report that a run leaves. */
const LEFT = Object.values(formats).find(({ isDocument }) => isDocument)

/**
 * Shows a run and writes its report.
 *
 * @param {Results} measured
 * @param {Request & {profile?: boolean}} request
 * @param {Measurement} measurement
 * @param {Console} console
 * @returns {Promise<Summary>}
 */
export async function finish (measured, request, { directory, signal }, console) {
  const results = request.profile ? await profile(measured, signal, console) : measured
  const answered = await answer(results, { folder: directory })
  const { summary } = answered
  const { file, fault } = await writeRunReport(directory, { document: answered.whole, summary })
  console.note(`results: ${directory}\n${file ? `report:  ${file}\n` : ''}`)
  console.show(request, answered)
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
  const { writeProfiles } = await import('./drawings.js')
  writeProfiles(results)
  return results
}

/**
 * A fault of writing must not cost the results.
 *
 * @param {string} directory
 * @param {Report} report
 * @returns {Promise<{file?: string, fault?: UsageError}>} the file, if it was written
 */
async function writeRunReport (directory, report) {
  if (!LEFT?.load) return {}
  const file = path.join(directory, `report${LEFT.ending}`)
  try {
    await writeRendered(file, LEFT.load, report)
    return { file }
  } catch (error) {
    if (error instanceof UsageError) return { fault: error }
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
