import { readResults } from '../../harness/results.js'
import { summarise } from '../../harness/summary.js'
import { documentOf } from '../../reports/document.js'
import { renderMarkdown } from '../../reports/markdown.js'
import { renderPage } from '../../reports/page/page.js'
import { renderTerminal } from '../../reports/terminal.js'
import { terminalStyle } from '../terminal-style.js'
import { writeMarkdown, writeReport } from '../write-report.js'

export const command = 'report <directory>'
export const describe = 'Make a report of a results directory'

const FORMATS = ['terminal', 'markdown', 'html', 'json']

/** @param {import('yargs').Argv} yargs */
export const builder = yargs => yargs
  .positional('directory', { type: 'string', describe: 'Results directory of a run' })
  .option('format', { choices: FORMATS, default: 'terminal', describe: 'What to make' })
  .option('out', { type: 'string', requiresArg: true, describe: 'File to write (default: standard output); pictures go beside it' })

/** @param {{directory: string, format: string, out?: string, color?: boolean, streams: import('../main.js').Streams}} argv */
export async function handler ({ directory, format, out, color, streams }) {
  const results = readResults(directory)
  const summary = summarise(results)
  if (format === 'markdown' && out !== undefined) {
    writeMarkdown(out, documentOf(results, summary))
    return 0
  }
  const render = {
    terminal: () => renderTerminal(summary, terminalStyle(streams.stdout, color)),
    // As if it stood in the results directory, where the run has left it.
    markdown: () => renderMarkdown(documentOf(results, summary), 'report-pictures'),
    html: () => renderPage(documentOf(results, summary), results, summary),
    json: () => JSON.stringify(summary, null, 2) + '\n'
  }[format]
  const text = /** @type {() => string} */ (render)()
  if (out === undefined) streams.stdout.write(text)
  else writeReport(out, text)
  return 0
}
