/** What `timerq` alone says: where to begin, and every command by what it is for. */
import { purposes, firstSteps } from './commands/index.js'

const GAP = 2

/**
 * @param {import('./commands/index.js').Command[]} commands
 * @returns {string} of lines that fit 80 columns
 */
export function overview (commands) {
  const sections = purposes.map(purpose => table(purpose, commands.filter(command => command.purpose === purpose)
    .map(({ command, describe }) => [command.split(' ')[0], describe])))
  return [
    'timerq: which data structure should hold your pending timeouts? Measured.\n',
    table('Begin with', firstSteps),
    ...sections,
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
