/** Command lines to type again: what --resume needs, and the same command with other values. */
import { argumentsOf, optionsOf } from './options.js'
import { ownWords, split } from './request.js'

/** @import { Results } from '../../harness/store/results.js' */
/** @import { Option, OptionRules } from './options.js' */
/** @import { TypedOption } from './request.js' */

/**
 * Words that --resume needs again: the options that start something of the user's, and the program.
 *
 * @param {string[]} commandLine  Words of the command to resume. Those of a program that called timerq name nothing.
 * @param {string[]} [program]
 */
export function againOf ([, ...args], program) {
  const { typed, words: [command, ...words] } = split(args)
  const given = argumentsOf(command).flatMap(({ name }, i) => (words[i] ? { name, value: words[i] } : []))
  const named = optionsOf(command).flatMap(option => namedAgain(option, [...typed, ...given], option.again))
  return [...named, ...after(program)]
}

/**
 * Words that --confirm needs again.
 *
 * @param {string[]} commandLine  Words of the gate to measure again.
 */
export function renewingOf ([, ...args]) {
  const { typed, program } = split(args)
  const named = optionsOf('gate').flatMap(option => namedAgain(option, typed, option.again ?? option.renews))
  return [...named, ...after(program)]
}

/**
 * @param {Pick<Option, 'name' | 'label'>} option
 * @param {TypedOption[]} typed
 * @param {OptionRules['again']} partOf
 */
function namedAgain ({ name, label }, typed, partOf) {
  const values = typed.flatMap(option => (option.name === name ? (option.value ?? []) : []))
  const text = partOf?.(values.join(',')) ?? ''
  return text === '' ? [] : [label, text]
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
