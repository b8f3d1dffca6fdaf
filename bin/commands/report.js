import { writeFileSync } from 'node:fs'
import { UsageError } from '../../harness/errors.js'
import { readResults } from '../../harness/results.js'
import { summarise } from '../../harness/summary.js'
import { renderMarkdown } from '../../reports/markdown.js'
import { renderTerminal } from '../../reports/terminal.js'
import { terminalStyle } from '../terminal-style.js'

export const command = 'report <directory>'
export const describe = 'Make a report of a results directory'

const FORMATS = ['terminal', 'markdown', 'json']

/** @param {import('yargs').Argv} yargs */
export const builder = yargs => yargs
  .positional('directory', { type: 'string', describe: 'Results directory of a run' })
  .option('format', { choices: FORMATS, default: 'terminal', describe: 'What to make' })
  .option('out', { type: 'string', requiresArg: true, describe: 'File to write (default: standard output)' })

/** @param {{directory: string, format: string, out?: string, color?: boolean, streams: import('../main.js').Streams}} argv */
export async function handler ({ directory, format, out, color, streams }) {
  const summary = summarise(readResults(directory))
  const render = {
    terminal: () => renderTerminal(summary, terminalStyle(streams.stdout, color)),
    markdown: () => renderMarkdown(summary),
    json: () => JSON.stringify(summary, null, 2) + '\n'
  }[format]
  const text = /** @type {() => string} */ (render)()
  if (out === undefined) streams.stdout.write(text)
  else writeReport(out, text)
  return 0
}

/**
 * @param {string} file
 * @param {string} text
 */
function writeReport (file, text) {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new UsageError(`--out ${file} cannot be written: ${/** @type {Error} */ (error).message}`)
  }
}
