/** Text that somebody else chose (names, messages of errors, what a queue printed), made harmless where it is shown. */

/** Width of a terminal that does not say how wide it is. What is printed fits into as many columns. */
export const COLUMNS = 80

/**
 * Characters that are obeyed instead of shown: control characters, line separators, and marks that turn the direction of the
 * text around, so that it reads as something else.
 */
const OBEYED = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/**
 * For one line.
 *
 * @param {string} text
 */
export const printable = text => text.replaceAll(OBEYED, ' ')

/**
 * For several lines.
 *
 * @param {string} text
 */
export const printableLines = text => text.split('\n').map(printable).join('\n')

/**
 * GitHub takes lines of a log for commands: `::error::`, at its beginning, and the older `##[error]`, anywhere. They set outputs
 * and load files. A zero-width space makes text of them.
 *
 * @param {string} text
 */
export const withoutWorkflowCommands = text => text.replaceAll(/^(\s*:)(?=:)/gm, '$1\u200b').replaceAll('##[', '#\u200b#[')

/**
 * One argument of a command that is there to be copied into a POSIX shell.
 *
 * @param {string} text
 */
export const shellQuoted = text => /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
