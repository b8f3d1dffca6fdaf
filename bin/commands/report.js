/** `timerq report`: makes a report from a results directory, in any format. */
import path from 'node:path'
import { readResults, rooms, summarise } from '../../harness/index.js'
import { UsageError } from '../../harness/model/errors.js'
import { enumerate } from '../../harness/model/numbers.js'
import { withAnswer } from '../../reports/answers/run.js'
import { recommendationDocument } from '../../reports/documents/recommendation.js'
import { recordedProfilesDocument } from '../../reports/documents/profiles.js'
import { reproductionDocument } from '../../reports/documents/reproduction.js'
import { summaryDocument } from '../../reports/documents/results.js'
import { runDocument } from '../../reports/documents/run.js'
import { formats } from '../../reports/formats.js'
import { profilesOf } from '../drawings.js'
import { formatOf, writeRendered, writeReport } from '../files.js'
import { rank } from '../recommendation.js'
import { againOf } from '../request/again.js'

const { compareRuns } = await rooms.compare()
const { isRecommendation } = await rooms.recommend()
const { holdsProfiles } = await rooms.profile()
const { DEFAULT_RULES } = await rooms.verdict()

/** @import { Results } from '../../harness/store/results.js' */
/** @import { Console } from '../console.js' */
/** @import { Request } from '../request/request.js' */

/**
 * @param {Request & {directory: string}} request
 * @param {Console} console
 */
export async function handler ({ commandLine, directory, base, out, format = formatOf(out) }, console) {
  const { isDocument = false, isJson, load } = formats[format]
  if (!isDocument && base !== undefined) {
    const documents = Object.keys(formats).filter(name => formats[name].isDocument)
    throw new UsageError(
      `--base needs --format ${enumerate(documents, 'or')}, got ${format} (timerq compare prints the other formats)`
    )
  }
  const results = readResults(directory)
  const summary = summarise(results)
  const again = againOf(results.run.command)
  const comparison =
    base === undefined
      ? null
      : compareRuns(readResults(base), results, { rules: DEFAULT_RULES, command: commandLine })
  // Links on standard output are as in the report that the run left in its results directory.
  const recorded = isDocument
    ? profilesOf(results, out === undefined ? directory : path.dirname(out))
    : { profiles: [], profileFiles: [], faults: [] }
  const findings = results.run.plan.of.reproduce
    ? reproductionDocument((await import('../findings.js')).findingsIn(results))
    : null
  const document = () => findings ?? runDocument(results, summary, { again, comparison, ...recorded })
  const report = { document, results, summary }
  if (load && out !== undefined) await writeRendered(out, load, report)
  else {
    const shown = () => findings ?? answerDocument(results) ?? summaryDocument(summary, again)
    const text = load
      ? (await load()).render(report)
      : console.render({ json: isJson }, { document: shown, value: withAnswer(summary, again) })
    if (out === undefined) console.print(text)
    else writeReport(out, text)
  }
  if (out !== undefined) console.note(`report: ${out}`)
  if (recorded.faults.length > 0) {
    throw new UsageError(`${recorded.faults.map(({ message }) => message).join('; ')} (the report is there without it)`)
  }
  return 0
}

/**
 * What `timerq profile` and `timerq recommend` show at their end.
 *
 * @param {Results} results
 */
function answerDocument (results) {
  if (holdsProfiles(results)) return recordedProfilesDocument(results)
  return isRecommendation(results.run) ? recommendationDocument(rank(results)) : null
}
