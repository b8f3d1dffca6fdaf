import { UsageError } from '../../harness/model/errors.js'
import { historyOf } from '../../harness/history.js'
import { readResults } from '../../harness/results.js'
import { historyDocument } from '../../reports/documents/history.js'
import { renderHistory } from '../../reports/render/history-terminal.js'
import { renderMarkdown } from '../../reports/render/markdown.js'
import { terminalStyle } from '../terminal-style.js'
import { writeMarkdown, writeReport } from '../write-report.js'

export const command = 'history <directories..>'
export const describe = 'Follow cells over runs, and mark where they changed'

const FORMATS = ['terminal', 'markdown', 'json']

/** @param {import('yargs').Argv} yargs */
export const builder = yargs => yargs
  .positional('directories', { type: 'string', array: true, describe: 'Results directories, one for each commit, say' })
  .option('format', { choices: FORMATS, default: 'terminal', describe: 'What to make' })
  .option('out', { type: 'string', requiresArg: true, describe: 'File to write (default: standard output); pictures go beside it' })
  .example('$0 history results/*', '')

/** @param {{directories: string[], format: string, out?: string, color?: boolean, streams: import('../main.js').Streams}} argv */
export async function handler ({ directories, format, out, color, streams }) {
  if (directories.length < 2) throw new UsageError(`history needs at least two results directories, got ${directories.length}`)
  const history = historyOf(directories.map(readResults))
  if (format === 'markdown' && out !== undefined) {
    writeMarkdown(out, historyDocument(history))
    return 0
  }
  const render = {
    terminal: () => renderHistory(history, terminalStyle(streams.stdout, color)),
    markdown: () => renderMarkdown(historyDocument(history), 'history-pictures'),
    json: () => JSON.stringify(history, null, 2) + '\n'
  }[format]
  const text = /** @type {() => string} */ (render)()
  if (out === undefined) streams.stdout.write(text)
  else writeReport(out, text)
  return 0
}
