/** `timerq recommend`: replays a recorded program with each queue, and says whether one is worth a change. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { readResults, resumeRun, rooms, startRun } from '../../harness/index.js'
import { MeasurementError, UsageError } from '../../harness/model/errors.js'
import { recommendationDocument } from '../../reports/documents/recommendation.js'
import { commandLine } from '../../reports/blocks.js'
import { EXIT_CODES } from '../console.js'
import { measuring, resumeCommand } from '../measuring.js'
import { planRecommend } from '../plans/run.js'
import { CONTROL, RECORDED } from '../presets.js'
import { retyped } from '../request/again.js'

/** @import { Results } from '../../harness/store/results.js' */
/** @import { Console } from '../console.js' */
/** @import { Measurement } from '../measuring.js' */
/** @import { Request } from '../request/request.js' */

const { describeTrace, recommend } = await rooms.recommend()
const { readTrace } = await rooms.trace()

/** @type {(request: Request, console: Console) => Promise<number>} */
export function handler (request, console) {
  const onStopped = (/** @type {string} */ directory) => {
    const recommendation = rank(readResults(directory))
    const { ranking } = recommendation
    if (ranking.length > 1 && ranking.some(({ queue }) => queue === CONTROL.micro)) {
      show(recommendation, request, console)
    }
  }
  return measuring({ name: 'recommend', request, console, onStopped }, async measurement =>
    present(await measure(request, measurement), request, console)
  )
}

/** @type {(request: Request, measurement: Measurement) => Promise<Results>} */
async function measure (request, measurement) {
  const { resume, trace = RECORDED } = request
  if (resume === undefined) {
    if (request.trace === undefined && !existsSync(RECORDED)) {
      throw new UsageError(
        `recommend needs a trace, and there is no ${RECORDED} here (try timerq record -- node app.js)`
      )
    }
    return startRun(await planRecommend({ ...request, trace }), measurement)
  }
  const { plan } = readResults(resume).run
  if ('gate' in plan || plan.settings.trace) return resumeRun(resume, measurement)
  throw new UsageError(`${resume} replays no trace: continue it with timerq run --resume`)
}

/** @type {(results: Results, request: Request, console: Console) => number} */
function present (results, request, console) {
  const recommendation = rank(results)
  const { ranking, skipped, verdict, rounds } = recommendation
  const missing = skipped.find(skip => skip.queue === CONTROL.micro)
  if (missing) {
    const reason = missing.reason.replace(/^(?!not measured)/, 'not measured: ')
    throw new MeasurementError(
      `${CONTROL.micro}, the control of all other queues, was ${reason} ` +
        '(try a longer --budget, fewer queues, or a shorter recording)'
    )
  }
  if (ranking.length < 2) {
    const reason = skipped[0]?.reason ?? 'the budget was spent before (try a longer --budget)'
    throw new MeasurementError(`no queue was measured beside ${CONTROL.micro}: ${reason}`)
  }
  show(recommendation, request, console)
  if (verdict !== 'unclear') return 0
  const more = { rounds: String(2 * rounds.planned), budget: null, until: null, seed: null }
  console.note(
    `more rounds: ${
      rounds.taken < rounds.planned
        ? resumeCommand('recommend', results.directory, request)
        : commandLine(retyped(results.run.command, more)).text
    }`
  )
  return EXIT_CODES.inconclusive
}

/** @type {(recommendation: ReturnType<typeof recommend>, request: Request, console: Console) => void} */
function show (recommendation, request, console) {
  console.show(request, { document: () => recommendationDocument(recommendation), value: recommendation })
}

/** @param {Results} results */
function rank (results) {
  const trace = String(results.run.plan.settings.trace)
  return recommend(results, { file: path.relative('', trace), ...describeTrace(readTrace(trace)) })
}
