/** Command lines to type again: what --resume needs, and the same command with other values. */
import { optionsOf } from './options.js'
import { commandIn, ownWords, programIn, typedIn } from './request.js'

/** @import { Results } from '../../harness/store/results.js' */
/** @import { OptionRules, Row } from './options.js' */

/**
 * Words that --resume needs again: the options that start something of the user's, and the program.
 *
 * @param {string[]} commandLine  Words of the command to resume.
 * @param {string[]} [program]
 */
export const againOf = (commandLine, program) => named(commandLine, ({ again }) => again, program)

/**
 * Words that --confirm needs again.
 *
 * @param {string[]} commandLine  Words of the gate to measure again.
 */
export const renewingOf = commandLine => named(commandLine, ({ again, renews }) => again ?? renews)

/** @type {(line: string[], partOf: (row: Row) => OptionRules['again'], program?: string[]) => string[]} */
function named ([, ...args], partOf, program) {
  const typed = typedIn(args)
  const words = optionsOf(commandIn(args).word).flatMap(row => {
    const { name } = row
    if (row.isNegatable && typed[name] === false) return partOf(row) ? `--no-${name}` : []
    const text = partOf(row)?.([typed[name] ?? []].flat().join(',')) ?? ''
    return text === '' ? [] : [`--${name}`, text]
  })
  return [...words, ...after(program ?? programIn(args))]
}

/** @param {string[]} [program] */
const after = program => (program ? ['--', ...program] : [])

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
