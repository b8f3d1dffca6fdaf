/**
 * Words that are planned again: what --resume and --confirm go on with, and the same command with other values. Results
 * may be a stranger's. Words of timerq's own go on by themselves; words that start something of the user's, load a file
 * or reach an address must be typed again.
 */
import { UsageError } from '../../harness/model/errors.js'
import { shellQuoted } from '../../harness/model/text.js'
import { optionsOf } from './options.js'
import { commandIn, ownWords, parse, programIn, typedIn } from './request.js'

/** @import { Request } from './request.js' */

/**
 * Words that must be typed again.
 *
 * @param {string[]} commandLine
 */
export function againOf ([, ...args]) {
  const { command } = commandIn(args)
  if (!command) return []
  const typed = typedIn(args)
  const program = programIn(args)
  const words = optionsOf(command).flatMap(({ name, isNegatable, again }) => {
    if (!again) return []
    if (isNegatable && typed[name] === false) return `--no-${name}`
    const text = again([typed[name] ?? []].flat().join(','))
    return text === '' ? [] : [`--${name}`, text]
  })
  return [...words, ...(program ? ['--', ...program] : [])]
}

/**
 * The request of a stored command line.
 *
 * @param {object} stored
 * @param {string} stored.directory
 * @param {string[]} stored.command
 * @param {Request} request  What the user has typed.
 * @param {Record<string, string | null>} changes  As in retyped.
 * @returns {Request}
 * @throws {UsageError} when it would start something that the user has not typed
 */
export function requestAgain ({ directory, command }, request, changes) {
  const words = retyped(command, changes)
  const [again, typed] = [words, request.commandLine].map(againOf)
  if (again.join('\0') !== typed.join('\0')) {
    const { word = '' } = commandIn(request.commandLine.slice(1))
    const mode = request.confirm === undefined ? '--resume' : '--confirm'
    throw new UsageError(
      `${directory} used files, programs or addresses that are not part of timerq. For safety, name them again: ` +
        ['timerq', word, mode, directory, ...againOf(command)].map(shellQuoted).join(' ')
    )
  }
  const chosen = commandIn(words.slice(1)).command && parse(words.slice(1)).request
  if (chosen) return chosen
  throw new UsageError(`${directory}/run.json has no command that measures`)
}

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
