import path from 'node:path'
import { compareRuns } from '../../harness/compare.js'
import { UsageError } from '../../harness/model/errors.js'
import { readResults } from '../../harness/results.js'
import { summarise } from '../../harness/summary.js'
import { DEFAULT_RULES } from '../../harness/verdict.js'
import { documentOf } from '../../reports/documents/run.js'
import { renderBencher, renderBenchmarkAction, renderCsv } from '../../reports/render/exports.js'
import { renderMarkdown } from '../../reports/render/markdown.js'
import { renderPage } from '../../reports/render/page/page.js'
import { renderTerminal } from '../../reports/render/terminal.js'
import { terminalStyle } from '../terminal-style.js'
import { linkProfiles, readProfiles } from '../write-profiles.js'
import { writeMarkdown, writeReport } from '../write-report.js'

export const command = 'report <directory>'
export const describe = 'Make a report of a results directory'

const FORMATS = ['terminal', 'markdown', 'html', 'json', 'csv', 'benchmark-action', 'bencher']
/** @type {Record<string, string>} */
const FORMAT_OF_ENDING = { '.md': 'markdown', '.html': 'html', '.json': 'json', '.csv': 'csv' }

/** @param {import('yargs').Argv} yargs */
export const builder = yargs => yargs
  .positional('directory', { type: 'string', describe: 'Results directory of a run' })
  .option('format', { choices: FORMATS, describe: 'What to make; the last two are for dashboards (default: by the ending of --out, else terminal)' })
  .option('base', { type: 'string', requiresArg: true, describe: 'Results directory to compare with, in markdown and html' })
  .option('profiles', { type: 'string', requiresArg: true, describe: 'Results directory of timerq profile to show as well, in markdown and html' })
  .option('out', { type: 'string', requiresArg: true, describe: 'File to write (default: standard output); pictures go beside it' })
  .example('$0 report results/now --out report.html', 'one file, charts that answer')
  .example('$0 report results/now --format benchmark-action --out benchmark.json', 'for github-action-benchmark, customSmallerIsBetter')

/** @param {{directory: string, format?: string, base?: string, profiles?: string, out?: string, color?: boolean, streams: import('../main.js').Streams}} argv */
export async function handler ({ directory, base, profiles, out, color, streams, format = FORMAT_OF_ENDING[path.extname(out ?? '')] ?? 'terminal' }) {
  const isDocument = format === 'markdown' || format === 'html'
  if (!isDocument && base !== undefined) throw new UsageError(`--base needs --format markdown or html, got ${format} (timerq compare prints the rest)`)
  if (!isDocument && profiles !== undefined) throw new UsageError(`--profiles needs --format markdown or html, got ${format}`)
  const results = readResults(directory)
  const summary = summarise(results)
  const comparison = base === undefined
    ? null
    : compareRuns(readResults(base), results, { rules: DEFAULT_RULES, command: ['timerq', 'compare', base, directory] })
  const profiled = profiles === undefined ? results : readResults(profiles)
  const recorded = isDocument ? readProfiles(profiled) : { profiles: [], faults: [] }
  // Without a file it is as if it stood in the results directory, where the run has left it.
  const folder = out === undefined ? directory : path.dirname(out)
  const document = () => documentOf(results, summary, {
    comparison,
    profiles: recorded.profiles,
    profileFiles: linkProfiles(profiled, folder)
  })
  const render = {
    terminal: () => renderTerminal(summary, terminalStyle(streams.stdout, color)),
    markdown: () => renderMarkdown(document(), 'report-pictures'),
    html: () => renderPage(document(), results, summary),
    json: () => JSON.stringify(summary, null, 2) + '\n',
    csv: () => renderCsv(summary),
    'benchmark-action': () => renderBenchmarkAction(summary),
    bencher: () => renderBencher(summary)
  }[format]
  const make = /** @type {() => string} */ (render)
  if (out === undefined) streams.stdout.write(make())
  else if (format === 'markdown') writeMarkdown(out, document())
  else writeReport(out, make())
  if (recorded.faults.length > 0) throw new UsageError(`${recorded.faults.map(({ message }) => message).join('; ')} (the report is there without it)`)
  return 0
}
