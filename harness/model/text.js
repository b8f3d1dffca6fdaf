/** Text from elsewhere (names, error messages, output of queues), made harmless before it is shown. */

/** Width of a terminal that does not tell its own; all output fits into it. */
export const COLUMNS = 80

/**
 * Characters that a terminal obeys: control characters, line separators, and marks that reverse the direction of the
 * text.
 */
const OBEYED = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** @param {string} text  One line. */
export const printable = text => text.replaceAll(OBEYED, ' ')

/** @param {string} text  Several lines. */
export const printableLines = text => text.split('\n').map(printable).join('\n')

/**
 * GitHub obeys commands in a log: `::error::` at the beginning of a line, and the older `##[error]` anywhere. They set
 * outputs and load files. A zero-width space turns them into text.
 *
 * @param {string} text
 */
export const withoutWorkflowCommands = text =>
  text.replaceAll(/^(\s*:)(?=:)/gm, '$1\u200b').replaceAll('##[', '#\u200b#[')

/**
 * @param {string} text
 * @param {number} most  Characters at most.
 */
export function shortened (text, most) {
  if (text.length <= most) return text
  // Half of a character is none.
  const cut = text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')
  return `${cut}…`
}

/** Quotes an argument of a command, by the shell that shows it. */
export const quoters = {
  posix: (/** @type {string} */ text) =>
    /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`,
  // cmd.exe and PowerShell.
  windows: (/** @type {string} */ text) => (/^[\w@+=:./\\-]+$/.test(text) ? text : `"${text.replaceAll('"', '\\"')}"`)
}

/** @type {(text: string) => string}  The quotes of the shell at hand. */
// Chosen by the call: pages bundle this module, and a browser has no process.
export const shellQuoted = text => quoters[process.platform === 'win32' ? 'windows' : 'posix'](text)
