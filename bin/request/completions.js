/** Completions of a command line: commands, options and their values. Shells ask for them at every Tab. */
import { commands } from '../commands/index.js'
import { isFlag, optionsOf } from './options.js'

/** @import { Option } from './options.js' */

/** @typedef {{value: string, what: string}} Completion */

/**
 * @param {string[]} words  Words after `timerq`; the last one is being typed.
 * @returns {Completion[]} empty: perhaps a file
 */
export function complete (words) {
  // bash makes a word of the equals sign in --queue=lazy-wheel.
  const typed = words.at(-1) === '=' ? '' : (words.at(-1) ?? '')
  const [name, ...before] = words.slice(0, -1).filter(word => word !== '=')
  if (name === undefined) {
    return startingWith(
      typed,
      commands.map(({ name, describe }) => ({ value: name, what: describe }))
    )
  }
  if (!commands.some(command => command.name === name) || before.includes('--')) return []

  const all = optionsOf(name)
  const named = all.filter(({ argument }) => !argument)
  const optionOf = (/** @type {string} */ word) => named.find(({ name }) => word === `--${name}`)
  const [, glued, rest = ''] = /^(--[a-z-]+)=(.*)$/.exec(typed) ?? []
  if (glued) return valuesOf(optionOf(glued), rest).map(({ value, what }) => ({ value: `${glued}=${value}`, what }))
  const last = optionOf(before.at(-1) ?? '')
  if (last && !isFlag(last)) return valuesOf(last, typed)
  if (typed.startsWith('-')) {
    return startingWith(
      typed,
      named
        .map(({ name, describe }) => ({ value: `--${name}`, what: describe }))
        .filter(({ value }) => !before.includes(value))
    )
  }
  return valuesOf(
    all.find(({ argument }) => argument),
    typed
  )
}

/**
 * Completes the last item of a list; the items before it stay.
 *
 * @param {Option | undefined} option
 * @param {string} typed
 */
function valuesOf (option, typed) {
  const values = option?.choices ?? option?.names ?? []
  const head = typed.slice(0, typed.lastIndexOf(',') + 1)
  const used = head.split(',')
  return startingWith(
    typed,
    values.filter(value => !used.includes(value)).map(value => ({ value: head + value, what: '' }))
  )
}

/**
 * @param {string} typed
 * @param {Completion[]} completions
 */
const startingWith = (typed, completions) => completions.filter(({ value }) => value.startsWith(typed))
