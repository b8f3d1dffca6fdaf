/** Reports of the example: of a run, with the profiles of another results directory. */
import path from 'node:path'
import { profilesOf } from '../bin/drawings.js'
import { writeMarkdown, writeReport } from '../bin/files.js'
import { againOf } from '../bin/request/again.js'
import { readResults, summarise } from '../harness/index.js'
import { runDocument } from '../reports/documents/run.js'
import { renderPage } from '../reports/render/page/page.js'

/**
 * @param {string} run  Results directory.
 * @param {string} profiles  Results directory of `timerq profile`.
 * @param {string} folder  Folder of the reports.
 */
export function writeReports (run, profiles, folder) {
  const results = readResults(run)
  const summary = summarise(results)
  const recorded = profilesOf(readResults(profiles), folder)
  const document = runDocument(results, summary, { again: againOf(results.run.command), ...recorded })
  writeMarkdown(path.join(folder, 'report.md'), document)
  writeReport(path.join(folder, 'report.html'), renderPage(document, results, summary))
}
