/** The overview that `timerq` alone prints. */
import { commandNamed, firstSteps, purposes } from './commands/index.js'

/** @returns {string} lines that fit 80 columns */
export function overview () {
  return [
    'timerq: is my change slower? Which queue should hold my timeouts? Measured.\n',
    table('Begin with', firstSteps.filter(([line]) => line.split(' ').some(commandNamed))),
    ...purposes.filter(({ commands }) => commands.length > 0).map(({ purpose, commands }) =>
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
 * @param {string[][]} rows  Two columns.
 */
function table (title, rows) {
  const width = Math.max(...rows.map(([left]) => left.length))
  return [`${title}:`, ...rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`), ''].join('\n')
}
