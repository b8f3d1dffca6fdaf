/** Help: the overview that `timerq` alone prints, and the page of each command. */
import yargs from 'yargs'
import { firstSteps, purposes } from './commands/index.js'
import { optionsOf } from './request/options.js'

/** @import { Argv } from 'yargs' */
/** @import { Command } from './commands/index.js' */

const GAP = 2
/** Longer lines are hard to read. */
const WIDEST = 100

/** @returns {string} lines that fit 80 columns */
export function overview () {
  return [
    'timerq: which data structure should hold your pending timeouts? Measured.\n',
    table('Begin with', firstSteps),
    ...purposes.map(({ purpose, commands }) =>
      table(
        purpose,
        commands.map(({ name, describe }) => [name, describe])
      )
    ),
    'timerq <command> --help shows its options and examples.\n'
  ].join('\n')
}

/**
 * @param {string} title
 * @param {string[][]} rows  Each of two cells.
 */
function table (title, rows) {
  const width = Math.max(...rows.map(([first]) => first.length)) + GAP
  return `${title}:\n${rows.map(([first, second]) => `  ${first.padEnd(width)}${second}\n`).join('')}`
}

/**
 * @param {Command} command
 * @param {number} columns  Width of the terminal.
 */
export async function helpOn ({ name: command, describe, examples }, columns) {
  const usage = [command, ...optionsOf(command).flatMap(({ argument }) => argument?.usage ?? [])].join(' ')
  let text = ''
  await yargs()
    .scriptName('timerq')
    .locale('en')
    .version(false)
    .exitProcess(false)
    .wrap(Math.min(WIDEST, columns))
    .command(usage, describe, parser => describeOptions(parser, command, examples))
    .parseAsync([command, '--help'], {}, (_error, _argv, output) => {
      text = output
    })
  return `${text}\n`
}

/** @type {(parser: Argv, command: string, examples: Command['examples']) => void} */
function describeOptions (parser, command, examples) {
  for (const {
    name,
    section,
    argument,
    describe,
    type,
    default: otherwise,
    shownDefault = otherwise,
    choices,
    isRequired
  } of optionsOf(command)) {
    const row = {
      describe,
      choices,
      type: type === 'flag' ? /** @type {const} */ ('boolean') : /** @type {const} */ ('string')
    }
    if (argument) parser.positional(name, row)
    else parser.option(name, { ...row, group: section, defaultDescription: shownDefault, demandOption: isRequired })
  }
  // Examples have lines of their own, so that they can be copied whole.
  for (const [example, what] of examples) parser.example(`# ${what}`, '').example(`$0 ${example}`, '')
}
