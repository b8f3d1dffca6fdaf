import { compareRuns } from '../../harness/compare.js'
import { UsageError } from '../../harness/errors.js'
import { readResults } from '../../harness/results.js'
import { summarise } from '../../harness/summary.js'
import { DEFAULT_RULES } from '../../harness/verdict.js'
import { documentOf } from '../../reports/document.js'
import { renderBencher, renderBenchmarkAction, renderCsv } from '../../reports/exports.js'
import { renderMarkdown } from '../../reports/markdown.js'
import { renderPage } from '../../reports/page/page.js'
import { renderTerminal } from '../../reports/terminal.js'
import { terminalStyle } from '../terminal-style.js'
import { readProfiles } from '../write-profiles.js'
import { writeMarkdown, writeReport } from '../write-report.js'

export const command = 'report <directory>'
export const describe = 'Make a report of a results directory'

const FORMATS = ['terminal', 'markdown', 'html', 'json', 'csv', 'benchmark-action', 'bencher']

/** @param {import('yargs').Argv} yargs */
export const builder = yargs => yargs
  .positional('directory', { type: 'string', describe: 'Results directory of a run' })
  .option('format', { choices: FORMATS, default: 'terminal', describe: 'What to make; the last two are for dashboards' })
  .option('base', { type: 'string', requiresArg: true, describe: 'Results directory to compare with, in markdown and html' })
  .option('profiles', { type: 'string', requiresArg: true, describe: 'Results directory of timerq profile to show as well, in markdown and html' })
  .option('out', { type: 'string', requiresArg: true, describe: 'File to write (default: standard output); pictures go beside it' })
  .example('$0 report results/now --format html --out report.html', 'one file, charts that answer')
  .example('$0 report results/now --format benchmark-action --out benchmark.json', 'for github-action-benchmark, customSmallerIsBetter')

/** @param {{directory: string, format: string, base?: string, profiles?: string, out?: string, color?: boolean, streams: import('../main.js').Streams}} argv */
export async function handler ({ directory, format, base, profiles, out, color, streams }) {
  const isDocument = format === 'markdown' || format === 'html'
  if (!isDocument && base !== undefined) throw new UsageError(`--base needs --format markdown or html, got ${format} (timerq compare prints the rest)`)
  if (!isDocument && profiles !== undefined) throw new UsageError(`--profiles needs --format markdown or html, got ${format}`)
  const results = readResults(directory)
  const summary = summarise(results)
  const comparison = base === undefined
    ? null
    : compareRuns(readResults(base), results, { rules: DEFAULT_RULES, command: ['timerq', 'compare', base, directory] })
  const document = () => {
    const profiled = profiles === undefined ? results : readResults(profiles)
    return documentOf(results, summary, { comparison, profiles: readProfiles(profiled) })
  }
  if (format === 'markdown' && out !== undefined) {
    writeMarkdown(out, document())
    return 0
  }
  const render = {
    terminal: () => renderTerminal(summary, terminalStyle(streams.stdout, color)),
    // As if it stood in the results directory, where the run has left it.
    markdown: () => renderMarkdown(document(), 'report-pictures'),
    html: () => renderPage(document(), results, summary),
    json: () => JSON.stringify(summary, null, 2) + '\n',
    csv: () => renderCsv(summary),
    'benchmark-action': () => renderBenchmarkAction(summary),
    bencher: () => renderBencher(summary)
  }[format]
  const text = /** @type {() => string} */ (render)()
  if (out === undefined) streams.stdout.write(text)
  else writeReport(out, text)
  return 0
}
