/** `timerq report`: the answer of a results directory again, in any format. */
import path from 'node:path'
import { readResults, rooms, summarise } from '../../harness/index.js'
import { UsageError } from '../../harness/model/errors.js'
import { enumerate } from '../../harness/model/numbers.js'
import { formats, gateReports } from '../../reports/formats.js'
import { answerTo } from '../answers/index.js'
import { formatOf, writeRendered, writeReport } from '../files.js'

/** @import { ComparisonRecord } from '../../harness/judge/records.js' */
/** @import { Results } from '../../harness/store/results.js' */
/** @import { Console } from '../console.js' */
/** @import { Request } from '../request/request.js' */

/**
 * @param {Request & {directory: string}} request
 * @param {Console} console
 */
export async function handler ({ commandLine, directory, base, out, format = formatOf(out) }, console) {
  const { isDocument = false, isJson, load } = formats[format] ?? {}
  if (!isDocument && base !== undefined) {
    const documents = Object.keys(formats).filter(name => formats[name].isDocument)
    throw new UsageError(
      `--base needs --format ${enumerate(documents, 'or')}, got ${format} (timerq compare prints the other formats)`
    )
  }
  const results = readResults(directory)
  const comparison = base === undefined ? null : await compareWith(base, results, commandLine)
  // Links on standard output are as in the report that the run left in its results directory.
  const folder = out === undefined ? directory : path.dirname(out)
  const answered = await answerTo(results, { comparison, ...(isDocument && { folder }) })
  const { summary = summarise(results), faults = [], notes = [], gate } = answered
  if (format in gateReports && !gate) {
    throw new UsageError(`--format ${format} is of gates, and ${directory} holds none (leave it out)`)
  }
  const report = { document: answered.whole, summary }
  if (load && out !== undefined) await writeRendered(out, load, report)
  else {
    const text = gate && format in gateReports
      ? (await gateReports[format].load()).render(gate.record, gate.files)
      : load ? (await load()).render(report) : console.render({ json: isJson }, answered)
    if (out === undefined) console.print(text)
    else writeReport(out, text)
  }
  if (out !== undefined) console.note(`report: ${out}`)
  for (const note of notes) console.note(note)
  if (isDocument && faults.length > 0) {
    throw new UsageError(`${faults.map(({ message }) => message).join('; ')} (the report is there without it)`)
  }
  for (const { message } of faults) console.note(message)
  return 0
}

/** @type {(base: string, results: Results, command: string[]) => Promise<ComparisonRecord>} */
async function compareWith (base, results, command) {
  const { directory, run: { plan } } = results
  if (plan.of.gate) {
    throw new UsageError(`--base compares two runs, and ${directory} holds a gate (leave it out)`)
  }
  const [{ compareRuns }, { DEFAULT_RULES }] = await Promise.all([rooms.compare(), rooms.decision()])
  return compareRuns(readResults(base), results, { rules: DEFAULT_RULES, command })
}
