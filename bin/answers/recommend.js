/** The answer of a recommendation: is another queue worth a change of the recorded program? */
import path from 'node:path'
import { rooms, summarise } from '../../harness/index.js'
import { MeasurementError } from '../../harness/model/errors.js'
import { recommendationAnswer } from '../../reports/answers/recommendation.js'
import { commandLine } from '../../reports/blocks.js'
import { recommendationDocument } from '../../reports/documents/recommendation.js'
import { runDocument } from '../../reports/documents/run.js'
import { CONTROL } from '../presets.js'
import { againOf, retyped } from '../request/again.js'

/** @import { Results } from '../../harness/store/results.js' */

/** @typedef {ReturnType<typeof rank>} Recommendation */

const { describeTrace, recommend } = await rooms.recommend()
const { readTrace } = await rooms.trace()

/**
 * @param {Results} results
 * @throws {MeasurementError} when no queue was compared
 */
export function answer (results) {
  const recommendation = rank(results)
  assertCompared(recommendation)
  const { verdict, seconds } = recommendation
  const { text, reasons } = recommendationAnswer(recommendation)
  const next = verdict === 'unclear' ? moreRounds(recommendation, results) : null
  const document = () => recommendationDocument(recommendation)
  const summary = summarise(results)
  return {
    summary,
    verdict,
    value: { ...recommendation, answer: { text, reasons, seconds, next } },
    document,
    whole: () => runDocument(results, summary, { answered: document() }),
    notes: next ? [`more rounds: ${next.command}`] : []
  }
}

/** @param {Results} results */
function rank (results) {
  const trace = String(results.run.plan.of.trace.file)
  return recommend(results, { file: path.relative('', trace), ...describeTrace(readTrace(trace)) })
}

/** @param {Recommendation} recommendation */
function assertCompared ({ ranking, skipped }) {
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
}

/**
 * @param {Pick<Recommendation, 'rounds' | 'seconds'>} recommendation
 * @param {Pick<Results, 'directory' | 'run'>} results
 */
export function moreRounds ({ rounds: { taken, planned }, seconds }, { directory, run: { command, plan } }) {
  if (taken < planned) {
    const left = (planned - taken) / Math.max(1, taken)
    const resumed = ['timerq', plan.question, '--resume', directory, ...againOf(command)]
    return { command: commandLine(resumed).text, seconds: Math.ceil(seconds * left) }
  }
  const more = { rounds: String(2 * planned), budget: null, until: null, seed: null }
  return { command: commandLine(retyped(command, more)).text, seconds: 2 * seconds }
}
