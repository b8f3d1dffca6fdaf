/**
 * Words that are repeated: what --resume and confirm go on with, and the same command with other values. Results may be
 * a stranger's. Words of timerq's own go on by themselves; words that start something of the user's, load a file or
 * reach an address must be typed again.
 */
import { UsageError } from '../../harness/model/errors.js'
import { shellQuoted } from '../../harness/model/text.js'
import { isUsers } from './catalogue.js'
import { optionsOf } from './options.js'
import { commandIn, parse, programIn, typedIn } from './request.js'
import { COMMA } from './values.js'

/** @import { Command } from '../commands/index.js' */
/** @import { Request } from './request.js' */
/** @import { Row } from './options.js' */

/** @typedef {Record<string, any>} Texts  By option: a text, several, or true or false of a flag. */

/**
 * Words of a command line.
 *
 * @param {Pick<Command, 'name' | 'usual'>} command
 * @param {Texts} texts
 * @param {string[]} [program]
 */
export function wordsOf (command, texts, program) {
  const words = optionsOf(command).flatMap(({ name, label, kind }) => {
    const value = texts[name] ?? []
    if (value === true) return label
    if (value === false) return `--no-${name}`
    const given = [value].flat().map(String)
    const typed = kind === 'items' && given.length > 0 ? [given.join()] : given
    return typed.flatMap(text => {
      if (!label.startsWith('-')) return text
      return text.startsWith('-') ? `${label}=${text}` : [label, text]
    })
  })
  return ['timerq', command.name, ...words, ...(program ? ['--', ...program] : [])]
}

/**
 * Words that must be typed again.
 *
 * @param {string[]} commandLine
 */
export function againOf ([, ...args]) {
  const { command } = commandIn(args)
  if (!command) return []
  const typed = typedIn(args)
  const again = optionsOf(command).map(({ name, repeated }) => [name, againIn(repeated, typed[name])])
  return wordsOf(command, Object.fromEntries(again), programIn(args)).slice(2)
}

/** @type {(repeated: Row['repeated'], value: any) => any} */
function againIn (repeated, value) {
  if (repeated === 'typed') return value
  if (repeated === 'users') return [value ?? []].flat().flatMap(text => text.split(COMMA)).filter(isUsers)
}

/**
 * The request of a stored command line.
 *
 * @param {object} stored
 * @param {string} stored.directory
 * @param {string[]} stored.command
 * @param {Pick<Request, 'commandLine' | 'resume'>} request  What the user has typed.
 * @param {Texts} changes  Other values of options; null: none.
 * @returns {Request}
 * @throws {UsageError} when it would start something that the user has not typed
 */
export function requestAgain ({ directory, command }, { commandLine, resume }, changes) {
  const again = againOf(command)
  if (again.join('\0') !== againOf(commandLine).join('\0')) {
    const { word = '' } = commandIn(commandLine.slice(1))
    const how = resume === undefined ? [] : ['--resume']
    throw new UsageError(
      `${directory} used files, programs or addresses that are not part of timerq. For safety, name them again: ` +
        ['timerq', word, ...how, directory, ...again].map(shellQuoted).join(' ')
    )
  }
  const chosen = commandIn(command.slice(1)).command && parse(retyped(command, changes).slice(1)).request
  if (chosen) return chosen
  throw new UsageError(`${directory}/run.json has no command that measures`)
}

/**
 * A command line with other values of some options, and without those that belong to each call.
 *
 * @param {string[]} commandLine
 * @param {Texts} changes  null: the option is left out.
 */
export function retyped (commandLine, changes) {
  const args = commandLine.slice(1)
  const { command } = commandIn(args)
  if (!command) return commandLine
  const stays = optionsOf(command).filter(({ repeated }) => repeated !== 'anew')
  const typed = typedIn(args)
  const texts = Object.fromEntries(stays.map(({ name }) => [name, typed[name]]))
  return wordsOf(command, { ...texts, ...changes }, programIn(args))
}
