/**
 * The command that made results, to be pasted into a shell and run again. Without its --out: there the results are, and a
 * folder that is not empty is refused.
 *
 * @param {string[]} command
 */
export function repeatCommand (command) {
  return command
    .filter((argument, i) => argument !== '--out' && command[i - 1] !== '--out' && !argument.startsWith('--out='))
    .map(quote).join(' ')
}

/** @param {string} argument */
function quote (argument) {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`
}
