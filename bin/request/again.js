/** Command lines to type again: what --resume needs, and the same command with other values. */
import { optionsOf } from './options.js'
import { commandIn, ownWords, split } from './request.js'

/** @import { Results } from '../../harness/store/results.js' */

/**
 * Words that --resume needs again: the options that start something of the user's, and the program.
 *
 * @param {string[]} commandLine  Words of the command to resume. Those of a program that called timerq name nothing.
 * @param {string[]} [program]
 */
export function againOf ([, ...args], program) {
  const { typed } = split(args)
  const named = optionsOf(commandIn(args)).flatMap(({ name, label, again }) => {
    const values = typed.flatMap(option => (option.name === name ? (option.value ?? []) : []))
    const text = again?.(values.join(',')) ?? ''
    return text === '' ? [] : [label, text]
  })
  return [...named, ...(program ? ['--', ...program] : [])]
}

/** @param {Pick<Results, 'run'>} results */
export const againIn = ({ run: { command, plan } }) => againOf(command, plan.settings.program?.command)

/**
 * A command line with other values of some options.
 *
 * @param {string[]} commandLine
 * @param {Record<string, string | null>} changes New values by option, which take a text. null: the option is left out.
 */
export function retyped ([timerq, ...args], changes) {
  const own = ownWords(args)
  const labels = Object.keys(changes).map(name => `--${name}`)
  const kept = own.filter((word, index) => ![word.split('=')[0], own[index - 1]].some(label => labels.includes(label)))
  const added = Object.entries(changes).flatMap(([name, value]) => (value === null ? [] : [`--${name}`, value]))
  return [timerq, ...kept, ...added, ...args.slice(own.length)]
}
