/** `timerq recommend`: replays a recorded program with each queue, and says whether one is worth a change. */
import { existsSync } from 'node:fs'
import { readResults, rooms, startRun } from '../../harness/index.js'
import { MeasurementError, UsageError } from '../../harness/model/errors.js'
import { recommendationAnswer } from '../../reports/answers/recommendation.js'
import { recommendationDocument } from '../../reports/documents/recommendation.js'
import { commandLine } from '../../reports/blocks.js'
import { EXIT_CODES } from '../console.js'
import { continueMeasuring, measuring, resumeCommand } from '../measuring.js'
import { planRecommend } from '../plans/run.js'
import { CONTROL, RECORDED } from '../presets.js'
import { rank } from '../recommendation.js'
import { retyped } from '../request/again.js'

/** @import { Results } from '../../harness/store/results.js' */
/** @import { AnswerForPrograms } from '../../reports/answers/run.js' */
/** @import { Console } from '../console.js' */
/** @import { Measurement } from '../measuring.js' */
/** @import { Request } from '../request/request.js' */

const { giveUpHopeless } = await rooms.recommend()

/** @type {(request: Request, console: Console) => Promise<number>} */
export async function handler (request, console) {
  const onStopped = (/** @type {string} */ directory) => {
    const recommendation = rank(readResults(directory))
    const { ranking } = recommendation
    if (ranking.length > 1 && ranking.some(({ queue }) => queue === CONTROL.micro)) {
      show(recommendation, request, console)
    }
  }
  const named = { ...request, trace: request.trace ?? RECORDED }
  return present(await measure(request, await measuring(named, console, onStopped)), request, console)
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
    const plan = await planRecommend({ ...request, trace })
    return startRun(plan, { ...measurement, stopRule: giveUpHopeless(plan) })
  }
  const planOf = (/** @type {Request} */ chosen) => planRecommend({ trace: RECORDED, ...chosen })
  return continueMeasuring(request, measurement, planOf, plan => ({ stopRule: giveUpHopeless(plan) }))
}

/** @type {(results: Results, request: Request, console: Console) => number} */
function present (results, request, console) {
  const recommendation = rank(results)
  const { ranking, skipped, verdict } = recommendation
  const missing = skipped.find(skip => skip.queue === CONTROL.micro)
  if (missing) {
    throw new MeasurementError(
      `${CONTROL.micro}, the control of all other queues, was not measured: ${missing.reason} ` +
        '(try a longer --budget, fewer queues, or a shorter recording)'
    )
  }
  if (ranking.length < 2) {
    const reason = skipped[0]?.reason ?? 'the budget was spent before (try a longer --budget)'
    throw new MeasurementError(`no queue could be compared with ${CONTROL.micro}: ${reason}`)
  }
  const next = verdict === 'unclear' ? moreRounds(recommendation, results, request) : null
  show(recommendation, request, console, next)
  if (next === null) return 0
  console.note(`more rounds: ${next.command}`)
  return EXIT_CODES.inconclusive
}

/** @typedef {ReturnType<typeof rank>} Recommendation */

/**
 * @param {Pick<Recommendation, 'rounds' | 'seconds'>} recommendation
 * @param {Results} results
 * @param {Request} request
 * @returns {AnswerForPrograms['next'] & {}}
 */
export function moreRounds ({ rounds: { taken, planned }, seconds }, { directory, run }, request) {
  if (taken < planned) {
    const left = (planned - taken) / Math.max(1, taken)
    return { command: resumeCommand(directory, request), seconds: Math.ceil(seconds * left) }
  }
  const more = { rounds: String(2 * planned), budget: null, until: null, seed: null }
  return { command: commandLine(retyped(run.command, more)).text, seconds: 2 * seconds }
}

/**
 * @param {Recommendation} recommendation
 * @param {Request} request
 * @param {Console} console
 * @param {AnswerForPrograms['next']} [next]
 */
function show (recommendation, request, console, next = null) {
  const { text, reasons } = recommendationAnswer(recommendation)
  const value = { ...recommendation, answer: { text, reasons, seconds: recommendation.seconds, next } }
  console.show(request, { document: () => recommendationDocument(recommendation), value })
}
