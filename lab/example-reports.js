/** The report of the example: of a run, with the profiles of another results directory. */
import path from 'node:path'
import { profilesOf } from '../bin/drawings.js'
import { writeRendered, writeReport } from '../bin/files.js'
import { againOf } from '../bin/request/again.js'
import { readResults, summarise } from '../harness/index.js'
import { runDocument } from '../reports/documents/run.js'
import { formats } from '../reports/formats.js'
import { picturesOf } from '../reports/render/exports/markdown.js'

/** Pictures that README.md and docs/choosing-a-queue.md show. */
const SHOWN = /^mixed-the-cheapest-queue/

/**
 * Writes report.html, and the pictures that pages show.
 *
 * @param {string} run  Results directory.
 * @param {string} profiles  Results directory of `timerq profile`.
 * @param {string} folder  Folder of the report.
 */
export async function writeReports (run, profiles, folder) {
  const results = readResults(run)
  const summary = summarise(results)
  const recorded = profilesOf(readResults(profiles), folder)
  const document = runDocument(results, summary, { again: againOf(results.run.command), ...recorded })
  for (const { load } of Object.values(formats).filter(({ ending }) => ending === '.html')) {
    const report = { document: () => document, summary }
    if (load) await writeRendered(path.join(folder, 'report.html'), load, report)
  }
  for (const { name, text } of picturesOf(document).filter(({ name }) => SHOWN.test(name))) {
    writeReport(path.join(folder, 'report-pictures', name), text)
  }
}
