/**
 * Completions of a command line: commands, options and their values. Shells ask for them at every Tab. The completions
 * of yargs are not used: options where a file follows, no second item of a list, and no value after an equals sign.
 */
import { commandNamed, commands } from '../commands/index.js'
import { optionsOf } from './options.js'

/** @import { OptionRules } from './options.js' */

/** @typedef {{value: string, what: string}} Completion */

/**
 * @param {string[]} words  Words after `timerq`; the last one is being typed.
 * @returns {Completion[]} empty: perhaps a file
 */
export function complete (words) {
  // bash makes a word of the equals sign in --queue=lazy-wheel.
  const typed = words.at(-1) === '=' ? '' : (words.at(-1) ?? '')
  const [name, ...before] = words.slice(0, -1).filter(word => word !== '=')
  const offer = (/** @type {Completion[]} */ completions) => completions.filter(({ value }) => value.startsWith(typed))
  if (name === undefined) return offer(commands.map(({ name, describe }) => ({ value: name, what: describe })))
  const command = commandNamed(name)
  if (!command || before.includes('--')) return []

  const options = optionsOf(command)
  const optionOf = (/** @type {string} */ word = '') => options.find(({ label }) => label === word)
  const [, glued, rest = ''] = /^(--[a-z-]+)=(.*)$/.exec(typed) ?? []
  if (glued) return valuesOf(rest, optionOf(glued)).map(({ value, what }) => ({ value: `${glued}=${value}`, what }))
  const last = optionOf(before.at(-1))
  if (last && last.kind !== 'flag') return valuesOf(typed, last)
  if (!typed.startsWith('-')) return valuesOf(typed, options.find(({ name, label }) => name === label))
  const unused = options.filter(({ label }) => label.startsWith('--') && !before.includes(label))
  return offer(unused.map(({ label, describe }) => ({ value: label, what: describe })))
}

/**
 * Completes the last item of a list; the items before it stay.
 *
 * @param {string} typed
 * @param {OptionRules} [option]
 */
function valuesOf (typed, { names = [], choices = names } = {}) {
  const head = typed.slice(0, typed.lastIndexOf(',') + 1)
  const used = head.split(',')
  return choices
    .filter(value => !used.includes(value))
    .map(value => ({ value: head + value, what: '' }))
    .filter(({ value }) => value.startsWith(typed))
}
