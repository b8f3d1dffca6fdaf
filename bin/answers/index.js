/**
 * The answer to each question, made from its results: its command prints it, and `timerq report` prints the same of the
 * directory, in every format.
 */
import { MeasurementError } from '../../harness/model/errors.js'

/**
 * @import { ComparisonRecord, Summary } from '../../harness/judge/records.js'
 * @import { Results } from '../../harness/store/results.js'
 * @import { Document } from '../../reports/blocks.js'
 *
 * @typedef {object} Answered
 * @property {unknown} value  Object that --json prints.
 * @property {() => Document} document  What a terminal shows.
 * @property {() => Document} whole  The report.
 * @property {string[]} [notes]  Next commands, for standard error.
 * @property {Summary} [summary]
 * @property {{record: ComparisonRecord, files: Map<string, string>}} [gate]  `files`: of its queues and scenarios.
 * @property {Error[]} [faults]  Files that the report lacks.
 *
 * @typedef {object} ReportOptions
 * @property {string} [folder]  Folder of the report, to which its links are relative. Missing: no report is made.
 * @property {ComparisonRecord | null} [comparison]  With an earlier run.
 *
 * @typedef {(results: Results, options?: ReportOptions) => Answered | Promise<Answered>} Answer
 */

/** @type {Record<string, () => Promise<{answer: Answer}>>} */
const answers = {
  run: () => import('./run.js'),
  try: () => import('./run.js'),
  gate: () => import('./gate.js'),
  profile: () => import('./profile.js'),
  recommend: () => import('./recommend.js'),
  reproduce: () => import('./reproduce.js')
}

/**
 * Results that cannot be answered are those of a run.
 *
 * @param {Results} results
 * @param {ReportOptions} [options]
 * @returns {Promise<Answered>}
 */
export async function answerTo (results, options) {
  const load = answers[results.run.plan.question] ?? answers.run
  try {
    return await (await load()).answer(results, options)
  } catch (error) {
    if (!(error instanceof MeasurementError)) throw error
    return { ...(await (await answers.run()).answer(results, options)), notes: [error.message] }
  }
}
