/** Reports of the example: of a run, with the profiles of another results directory. */
import path from 'node:path'
import { profilesOf } from '../bin/drawings.js'
import { writeRendered } from '../bin/files.js'
import { againOf } from '../bin/request/again.js'
import { readResults, summarise } from '../harness/index.js'
import { runDocument } from '../reports/documents/run.js'
import { formats } from '../reports/formats.js'

/**
 * @param {string} run  Results directory.
 * @param {string} profiles  Results directory of `timerq profile`.
 * @param {string} folder  Folder of the reports.
 */
export async function writeReports (run, profiles, folder) {
  const results = readResults(run)
  const summary = summarise(results)
  const recorded = profilesOf(readResults(profiles), folder)
  const document = runDocument(results, summary, { again: againOf(results.run.command), ...recorded })
  for (const { ending, load } of Object.values(formats).filter(({ isDocument }) => isDocument)) {
    const report = { document: () => document, results, summary }
    if (load) await writeRendered(path.join(folder, `report${ending}`), load, report)
  }
}
