/**
 * The answer to each question, made from its results: its command prints it, and `timerq report` prints the same of the
 * directory, in every format.
 */

/**
 * @import { UsageError } from '../../harness/model/errors.js'
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
 * @property {UsageError[]} [faults]  Files that the report lacks.
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
 * @param {Results} results
 * @param {ReportOptions} [options]
 */
export async function answerTo (results, options) {
  const load = answers[results.run.plan.question] ?? answers.run
  return (await load()).answer(results, options)
}
