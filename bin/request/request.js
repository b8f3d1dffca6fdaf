/**
 * The door of the command line: words in, one typed request out. yargs splits the words; the table of options says
 * which of them are right.
 */
import { Parser } from 'yargs/helpers'
import { UsageError } from '../../harness/model/errors.js'
import { enumerate, formatPercent } from '../../harness/model/numbers.js'
import { shellQuoted } from '../../harness/model/text.js'
import { checked, options, optionsOf } from './options.js'
import { didYouMean } from './suggest.js'

/** @import { Command } from '../commands/index.js' */
/** @import { presets } from '../presets.js' */
/** @import { ResolvedQueue, ResolvedScenario } from './catalogue.js' */
/** @import { Option } from './options.js' */

/**
 * @typedef {object} Request  Options as typed values. Undefined: neither given nor a default.
 * @property {string[]} commandLine  As typed, so that it can be typed again.
 * @property {string} again  Options that a resumed run needs again, each after a space.
 * @property {string[]} [program]  Words of its command.
 * @property {ResolvedQueue[]} [queue]
 * @property {ResolvedScenario[]} [scenario]
 * @property {number[]} [size]  Pending timers.
 * @property {number[]} [connections]
 * @property {Record<string, number[]>} [sweep]  Values of other parameters.
 * @property {keyof typeof presets} preset
 * @property {number} [rounds]
 * @property {number} [until]  Precision of ratios, as a fraction of 1.
 * @property {number} [budget]  Seconds for the whole command.
 * @property {number} [seconds]  Length of a profile.
 * @property {'wrk' | 'autocannon'} [load]
 * @property {string} [loadCommand]  With placeholders.
 * @property {string} [listen]  Address of the measured servers.
 * @property {string} [target]  Name or address of the servers for the load generator.
 * @property {number} [port]  0: any free port.
 * @property {string} [trace]  File.
 * @property {string[]} [runtime]  Versions or paths of Node.
 * @property {string[][]} [nodeFlags]  Every combination to measure.
 * @property {{index: number, count: number}} [shard]  Index from 1.
 * @property {number} [timeLimit]  Seconds of CPU time for one reply of a process.
 * @property {number} [memoryLimit]  MB.
 * @property {number} [seed]
 * @property {number} floor  Floor and margin as fractions of 1.
 * @property {number} margin
 * @property {number} alpha
 * @property {string} [base]
 * @property {string} [out]
 * @property {string} [resume]
 * @property {string} [format]
 * @property {boolean} [json]
 * @property {boolean} [color]
 * @property {boolean} [selfCheck]
 * @property {boolean} [update]
 * @property {string} [junit]
 * @property {string} [comment]
 */

const CONFIGURATION = {
  'populate--': true,
  'camel-case-expansion': false,
  'dot-notation': false,
  'parse-numbers': false,
  'parse-positional-numbers': false,
  'short-option-groups': false
}
const isFlag = (/** @type {Option} */ { type }) => type === 'flag'

/**
 * Returns null if help is asked for.
 *
 * @type {(command: Command, args: string[]) => Request | null}
 */
export function parseRequest (command, args) {
  const known = optionsOf(command.name)
  const {
    _: [, ...words],
    '--': program,
    ...typed
  } = splitWords(args, known)
  if (typed.help) return null
  if (!program) refuseProgram(command, words, args)
  refuseUnknown(command, typed)
  if (program && !command.takesProgram) {
    throw new UsageError(`${command.name} takes no program (leave out the words after --)`)
  }
  const named = known.filter(({ argument }) => !argument)
  const positional = argumentsIn(command, words)
  const twice = Object.keys(positional).find(name => name in typed)
  if (twice) {
    throw new UsageError(
      `${command.name} takes one ${twice}, got "${positional[twice]}" and --${twice} "${typed[twice]}"`
    )
  }
  const values = { ...positional, ...typed }
  if (typed.resume) {
    refusePlanned(
      command,
      named.filter(({ name }) => name in typed)
    )
  }
  const request = /** @type {Request} */ (
    Object.fromEntries(known.map(option => [camelCase(option.name), valueOf(command, option, values)]))
  )
  if (request.margin <= request.floor) {
    throw new UsageError(
      `--margin must be above --floor, got ${formatPercent(request.margin)} and ${formatPercent(request.floor)} (try --margin ${200 * request.floor}%)`
    )
  }
  return {
    ...request,
    program: program ?? request.program,
    commandLine: ['timerq', ...args],
    again: [
      ...named.map(option => againOf(option, request, typed)),
      ...(program ? [` -- ${program.map(shellQuoted).join(' ')}`] : [])
    ].join('')
  }
}

/** @type {(args: string[], known: Option[]) => Record<string, any> & {_: string[], '--'?: string[]}} */
function splitWords (args, known) {
  const named = known.filter(({ argument }) => !argument)
  return /** @type {any} */ (
    Parser(joinNodeFlags(args), {
      boolean: named.filter(isFlag).map(({ name }) => name),
      string: ['_', ...named.filter(option => !isFlag(option)).map(({ name }) => name)],
      configuration: CONFIGURATION
    })
  )
}

/**
 * Joins `--node-flags --expose-gc` by an equals sign, since the value looks like an option itself.
 *
 * @param {string[]} args
 */
function joinNodeFlags (args) {
  const at = args.indexOf('--node-flags')
  return at === -1 || at + 1 === args.length || args.slice(0, at).includes('--')
    ? args
    : args.toSpliced(at, 2, `--node-flags=${args[at + 1]}`)
}

/**
 * Without --, options of the program would be taken for timerq's.
 *
 * @param {Command} command
 * @param {string[]} words
 * @param {string[]} args
 */
function refuseProgram ({ name, takesProgram }, words, args) {
  const isProgram = takesProgram && words.length > (optionsOf(name).some(({ name }) => name === 'program') ? 0 : 1)
  const at = args.indexOf(words[0])
  if (isProgram) {
    throw new UsageError(
      `${name} needs -- before the program (try timerq ${[...args.slice(0, at), '--', ...args.slice(at)].join(' ')})`
    )
  }
}

/**
 * @param {Command} command
 * @param {Record<string, unknown>} typed
 */
function refuseUnknown ({ name: command }, typed) {
  const names = optionsOf(command)
    .filter(({ argument }) => !argument)
    .map(({ name }) => name)
  const unknown = Object.keys(typed).find(name => !names.includes(name))
  if (unknown === undefined) return
  const elsewhere = options.find(({ name, argument }) => name === unknown && !argument)
  throw new UsageError(
    elsewhere
      ? `${command} takes no --${unknown}, ${enumerate(elsewhere.commands, 'and')} ${elsewhere.commands.length === 1 ? 'does' : 'do'} ${helpOn(command)}`
      : `unknown option --${unknown}${didYouMean(unknown, names, '--')} ${helpOn(command)}`
  )
}

/**
 * Assigns words to the arguments of a command.
 *
 * @type {(command: Command, words: string[]) => Record<string, string | string[]>}
 */
function argumentsIn (command, words) {
  const {
    name,
    examples: [[example]]
  } = command
  /** @type {Record<string, string | string[]>} */
  const values = {}
  let rest = words
  for (const { name: argument, type, argument: { least, needs } = { least: 0, needs: '' } } of optionsOf(name).filter(
    ({ argument }) => argument
  )) {
    if (rest.length < least) {
      throw new UsageError(
        `${name} needs ${needs}${rest.length > 0 ? `, got ${rest.length}` : ''} (try timerq ${example})`
      )
    }
    const count = type === 'list' ? rest.length : Math.min(1, rest.length)
    if (count > 0) values[argument] = type === 'list' ? rest : rest[0]
    rest = rest.slice(count)
  }
  if (rest.length === 0) return values
  const [word] = rest
  const option = optionsOf(name).find(({ names, argument }) => !argument && names?.includes(word))
  throw new UsageError(
    `unknown argument "${word}"${option ? `, did you mean --${option.name} ${word}?` : ''} ${helpOn(name)}`
  )
}

/**
 * @param {Command} command
 * @param {Option[]} values
 */
function refusePlanned ({ name: command }, values) {
  const planned = values.find(({ resumes }) => !resumes?.includes(command))
  if (planned) {
    throw new UsageError(
      `--resume continues as planned: it takes no --${planned.name} (leave it out, or start a new ${command})`
    )
  }
}

/**
 * The checked value.
 *
 * @type {(command: Command, option: Option, values: Record<string, any>) => unknown}
 */
function valueOf ({ name: command }, option, values) {
  const { name, type, conflicts, isRequired, default: otherwise } = option
  const value = values[name] ?? otherwise
  if (value === undefined && isRequired) throw new UsageError(`${command} needs --${name} ${helpOn(command)}`)
  if (value === undefined || isFlag(option)) return value
  if (value === false) throw new UsageError(`unknown option --no-${name} ${helpOn(command)}`)
  if (value === '') throw new UsageError(`--${name} needs a value ${helpOn(command)}`)
  if (conflicts !== undefined && values[conflicts] !== undefined) {
    throw new UsageError(`--${name} cannot be combined with --${conflicts} (leave one of them out)`)
  }
  if (type === 'list') return checked(option, [value].flat())
  if (Array.isArray(value)) {
    throw new UsageError(`--${name} must be given once, got ${enumerate(value.map(text => `"${text}"`))}`)
  }
  return checked(option, value)
}

/**
 * @param {Option} option
 * @param {Record<string, any>} request
 * @param {Record<string, any>} typed
 */
function againOf ({ name, again }, request, typed) {
  const text = again && typed[name] !== undefined ? again(request[camelCase(name)], typed[name]) : ''
  return text === '' ? '' : ` --${name} ${shellQuoted(text)}`
}

const camelCase = (/** @type {string} */ name) => name.replaceAll(/-(.)/g, (_, letter) => letter.toUpperCase())
const helpOn = (/** @type {string} */ command) => `(timerq ${command} --help shows all)`
