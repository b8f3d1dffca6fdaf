/** What may follow on a command line: commands, options and their values. Shells ask for it at every Tab. */
import yargs from 'yargs'
import { commands, namesFor } from '../commands/index.js'

/** @typedef {{value: string, what: string}} Completion */

/**
 * @param {string[]} words  Behind `timerq`, as far as the cursor; the last one is being typed.
 * @returns {Promise<Completion[]>} none: a file, perhaps
 */
export async function complete (words) {
  // bash makes a word of the equals sign in --queue=lazy-wheel.
  const typed = words.at(-1) === '=' ? '' : words.at(-1) ?? ''
  const [name, ...before] = words.slice(0, -1).filter(word => word !== '=')
  const command = commands.find(({ command }) => command.split(' ')[0] === name)
  if (name === undefined) return startingWith(typed, commands.map(({ command, describe }) => ({ value: command.split(' ')[0], what: describe })))
  if (!command || before.includes('--')) return []

  const options = await optionsOf(command)
  const [, glued, rest = ''] = /^--([a-z-]+)=(.*)$/.exec(typed) ?? []
  if (glued) return valuesOf(glued, options, rest).map(({ value, what }) => ({ value: `--${glued}=${value}`, what }))
  const last = /^--([a-z-]+)$/.exec(before.at(-1) ?? '')?.[1]
  if (last && options.some(({ name, takesValue }) => name === last && takesValue)) return valuesOf(last, options, typed)
  if (typed.startsWith('-')) {
    return startingWith(typed, options.filter(({ name, isPositional }) => !isPositional && !before.includes(`--${name}`)).map(({ name, what }) => ({ value: `--${name}`, what })))
  }
  const positional = options.find(({ isPositional }) => isPositional)
  return positional ? valuesOf(positional.name, options, typed) : []
}

/**
 * @param {import('../commands/index.js').Command} command
 * @returns {Promise<{name: string, what: string, takesValue: boolean, isPositional: boolean, choices?: string[]}[]>}
 */
async function optionsOf (command) {
  const parser = /** @type {any} */ (await command.options(yargs()))
  const { key, boolean, choices, hiddenOptions } = parser.getOptions()
  const descriptions = parser.getInternalMethods().getUsageInstance().getDescriptions()
  const isPositional = (/** @type {string} */ name) => new RegExp(`[<[]${name}(\\.\\.)?[\\]>]`).test(command.command)
  return Object.keys(key).filter(name => /^[a-z-]+$/.test(name) && !hiddenOptions.includes(name)).map(name => ({
    name,
    what: String(descriptions[name] ?? '').replace('__yargsString__:', ''),
    takesValue: !boolean.includes(name),
    isPositional: isPositional(name),
    choices: choices[name]
  }))
}

/**
 * Names may be a list: those before the last comma stay.
 *
 * @param {string} option
 * @param {{name: string, choices?: string[]}[]} options
 * @param {string} typed
 */
function valuesOf (option, options, typed) {
  const values = options.find(({ name }) => name === option)?.choices ?? namesFor[option] ?? []
  const head = typed.slice(0, typed.lastIndexOf(',') + 1)
  const used = head.split(',')
  return startingWith(typed, values.filter(value => !used.includes(value)).map(value => ({ value: head + value, what: '' })))
}

/**
 * @param {string} typed
 * @param {Completion[]} completions
 */
const startingWith = (typed, completions) => completions.filter(({ value }) => value.startsWith(typed))
