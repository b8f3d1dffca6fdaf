/**
 * The door of the command line: words in, one typed request out. yargs splits the words; the table of options says
 * which of them are right.
 */
import { Parser } from 'yargs/helpers'
import { UsageError } from '../../harness/model/errors.js'
import { enumerate } from '../../harness/model/numbers.js'
import { isUsers, refuseFolder } from './catalogue.js'
import { argumentsOf, options, optionsOf } from './options.js'
import { didYouMean } from './suggest.js'
import { list, oneOf, rulesOf } from './values.js'

/** @import { Expected } from '../../harness/judge/expectation.js' */
/** @import { Rules } from '../../harness/judge/verdict.js' */
/** @import { Command } from '../commands/index.js' */
/** @import { presets } from '../presets.js' */
/** @import { ResolvedQueue, ResolvedScenario } from './catalogue.js' */
/** @import { Option, OptionRules } from './options.js' */

/**
 * @typedef {object} Request  Options as typed values. Undefined: neither given nor a default.
 * @property {string[]} commandLine  Words as typed, so that they can be typed again.
 * @property {string[]} [program]  Words of the command that starts the user's program.
 * @property {ResolvedQueue[]} [queue]
 * @property {ResolvedScenario[]} [scenario]
 * @property {string} [task]  Regular expression of the names of tasks in benchmark files.
 * @property {string[]} [set]  Values of configs in files of Node's: `type=depth`.
 * @property {number[]} [size]  Pending timers.
 * @property {Record<string, number[]>} [sweep]  Values of other parameters.
 * @property {keyof typeof presets} preset
 * @property {number} [rounds]
 * @property {number} [until]  Precision of ratios, as a fraction of 1.
 * @property {number} [budget]  Seconds for the whole command.
 * @property {number} [seconds]  Length of a profile.
 * @property {'wrk' | 'autocannon'} [load]
 * @property {string} [loadCommand]  Command with placeholders.
 * @property {string} [listen]  Address of the measured servers.
 * @property {string} [target]  Name or address of the servers for the load generator.
 * @property {number} [port]  Port of the measured servers. 0: any free port.
 * @property {string} [trace]  File.
 * @property {string[]} [runtime]  Versions or paths of Node.
 * @property {string[][]} [nodeFlags]  Every combination to measure.
 * @property {{index: number, count: number}} [shard]  Part of a run. Its index counts from 1.
 * @property {number} [timeLimit]  Seconds of CPU time for one reply of a process.
 * @property {number} [memoryLimit]  MB.
 * @property {number} [seed]
 * @property {Rules} rules
 * @property {Expected[]} [expect]
 * @property {number} [attempt]
 * @property {string} [base]
 * @property {string} [out]
 * @property {string} [resume]
 * @property {string} [confirm]  Results directory.
 * @property {string} [format]
 * @property {boolean} [json]
 * @property {string} [progress]  Form of progress.
 * @property {boolean} [color]
 * @property {boolean} [selfCheck]
 * @property {string} [install]  Command of a shell.
 * @property {boolean} [noInstall]
 * @property {string} [prepare]  Command of a shell.
 *
 * @typedef {object} TypedOption  An option as it stands in a command line.
 * @property {string} name
 * @property {string | boolean} value  Text; of a flag, whether it is given. A missing text is empty.
 */

/**
 * @type {(command: Command, args: string[]) => Request}
 * @throws {UsageError}
 */
export function parseRequest (command, args) {
  const { name, program: takesProgram } = command
  const { words, typed, program } = split(args)
  words.shift()
  if (!program) refuseProgram(command, words, args)
  refuseUnknown(name, typed)
  if (program && !takesProgram) throw new UsageError(`${name} takes no program (leave out the words after --)`)
  typed.unshift(...argumentsIn(command, words))
  refusePlanned(name, typed)
  const request = /** @type {any} */ (
    Object.fromEntries(
      [...argumentsOf(name), ...optionsOf(name)].map(option => [camelCase(option.name), valueOf(name, option, typed)])
    )
  )
  return {
    ...request,
    ...(request.floor !== undefined && { rules: rulesOf(request, '--') }),
    program,
    commandLine: ['timerq', ...args]
  }
}

/**
 * Words before the two dashes, which a program may follow.
 *
 * @param {string[]} args
 */
export const ownWords = args => (args.includes('--') ? args.slice(0, args.indexOf('--')) : args)

/** @param {string[]} args */
export const commandIn = args => ownWords(args).find(word => !word.startsWith('-'))

const YARGS = {
  'populate--': true,
  'camel-case-expansion': false,
  'dot-notation': false,
  'parse-positional-numbers': false,
  'short-option-groups': false
}

/**
 * Splits a command line into words, options and a program. Files of `run` are scenarios, also without the option.
 *
 * @param {string[]} args
 */
export function split (args) {
  const known = optionsOf(commandIn(args))
  const isFlag = (/** @type {Option} */ { kind }) => kind === 'flag'
  const {
    _: words,
    '--': program,
    ...values
  } = Parser(joinNodeFlags(args), {
    boolean: known.filter(isFlag).map(({ name }) => name),
    string: ['_', ...known.filter(option => !isFlag(option)).map(({ name }) => name)],
    configuration: YARGS
  })
  // yargs takes --no-install for a missing --install.
  const named = (/** @type {string} */ name, /** @type {string | boolean} */ value) =>
    value === false && known.some(option => option.name === `no-${name}`)
      ? { name: `no-${name}`, value: true }
      : { name, value }
  const typed = Object.entries(values).flatMap(([name, given]) =>
    [given].flat().map(value => /** @type {TypedOption} */ (named(name, value)))
  )
  // timerq run ./parse.bench.js
  const files = words[0] === 'run' ? words.slice(1).map(String).filter(isUsers) : []
  return {
    words: words.map(String).filter(word => !files.includes(word)),
    typed: [...typed, ...files.map(value => ({ name: 'scenario', value }))],
    program: /** @type {string[] | undefined} */ (program)
  }
}

/**
 * Flags of Node look like options themselves, so an equals sign joins them to theirs.
 *
 * @param {string[]} args
 */
function joinNodeFlags (args) {
  const at = ownWords(args).indexOf('--node-flags')
  return at === -1 || at + 1 === args.length ? args : args.toSpliced(at, 2, `--node-flags=${args[at + 1]}`)
}

/**
 * Without --, options of the program would be taken for timerq's.
 *
 * @param {Command} command
 * @param {string[]} words
 * @param {string[]} args
 */
function refuseProgram ({ name, program }, words, args) {
  // A single word may be the name of a queue.
  const most = program === 'needed' && !optionNaming(name, words[0]) ? 0 : 1
  if (!program || words.length <= most) return
  const at = args.indexOf(words[0])
  throw new UsageError(`${name} needs -- before the program (try timerq ${args.toSpliced(at, 0, '--').join(' ')})`)
}

/**
 * @param {string} command
 * @param {TypedOption[]} typed
 */
function refuseUnknown (command, typed) {
  const known = optionsOf(command)
  const isKnown = (/** @type {TypedOption} */ { name, value }) =>
    known.some(option => option.name === name && (option.kind === 'flag' || value !== false))
  const unknown = typed.find(option => !isKnown(option))
  if (unknown === undefined) return
  const name = unknown.value === false ? `no-${unknown.name}` : unknown.name
  const label = `${name.length > 1 ? '--' : '-'}${name}`
  const elsewhere = options.find(option => option.label === label)?.commands
  const names = known.map(({ name }) => name)
  throw new UsageError(
    elsewhere
      ? `${command} takes no ${label}, which belongs to ${enumerate(elsewhere)} ${helpOn(command)}`
      : `unknown option ${label}${didYouMean(name, names, '--')} ${helpOn(command)}`
  )
}

/**
 * Assigns words to the arguments of a command.
 *
 * @type {(command: Command, words: string[]) => TypedOption[]}
 */
function argumentsIn ({ name: command, examples: [[example]] }, words) {
  const typed = argumentsOf(command).flatMap(({ notation, name, kind, needs, ...rules }) => {
    const { least = notation.startsWith('<') ? 1 : 0 } = rules
    if (words.length < least) {
      const got = words.length > 0 ? `, got ${words.length}` : ''
      throw new UsageError(`${command} needs ${needs}${got} (try timerq ${example})`)
    }
    const taken = words.splice(0, kind === 'words' ? Infinity : 1)
    return taken.map(value => ({ name, value }))
  })
  if (words.length === 0) return typed
  const [word] = words
  refuseFolder('argument', word)
  const meant = optionNaming(command, word)?.label ?? optionsOfFiles(command, word)
  throw new UsageError(
    `unknown argument "${word}"${meant ? `, did you mean ${meant} ${word}?` : ''} ${helpOn(command)}`
  )
}

/**
 * Options of a command that may name this file.
 *
 * @param {string} command
 * @param {string} word
 */
function optionsOfFiles (command, word) {
  const known = optionsOf(command).filter(({ name }) => ['queue', 'scenario'].includes(name))
  return isUsers(word) ? known.map(({ label }) => label).join(' or ') : ''
}

/**
 * The option of a command that may have this value.
 *
 * @param {string} command
 * @param {string} word
 */
const optionNaming = (command, word) => optionsOf(command).find(({ names }) => names?.includes(word))

/** Options that name results, and go on by the plan in them. */
const PLANNED = { resume: 'continues', confirm: 'measures' }

/**
 * @param {string} command
 * @param {TypedOption[]} typed
 */
function refusePlanned (command, typed) {
  const isTyped = (/** @type {string} */ name) => typed.some(option => option.name === name)
  const [mode, verb] = Object.entries(PLANNED).find(([name]) => isTyped(name)) ?? []
  if (mode === undefined) return
  const planned = optionsOf(command).find(
    ({ name, again, resumes, renews }) =>
      name !== mode && !again && !resumes?.includes(command) && (mode === 'resume' || !renews) && isTyped(name)
  )
  if (planned) {
    throw new UsageError(
      `--${mode} ${verb} as planned: it takes no ${planned.label} (leave it out, or start a new ${command})`
    )
  }
}

/**
 * The checked value of an option.
 *
 * @type {(command: string, option: typeof options[0], typed: TypedOption[]) => unknown}
 */
function valueOf (command, option, typed) {
  const { name, label, kind, conflicts, isRequired, default: otherwise } = option
  /** @type {any[]} */
  const values = typed.filter(option => option.name === name).map(({ value }) => value)
  if (values.includes('')) throw new UsageError(`${label} needs a value ${helpOn(command)}`)
  if (values.length > 0 && typed.some(({ name }) => name === conflicts)) {
    throw new UsageError(`${label} cannot be combined with --${conflicts} (leave one of them out)`)
  }
  if (kind === 'flag') return values.at(-1)
  if (values.length === 0) {
    if (isRequired) throw new UsageError(`${command} needs ${label} ${helpOn(command)}`)
    if (otherwise === undefined) return undefined
    values.push(otherwise)
  }
  if (kind === 'text' && values.length > 1) {
    throw new UsageError(`--${name} must be given once, got ${enumerate(values.map(value => `"${value}"`))}`)
  }
  return checked(option, label, kind === 'list' ? list(label, values) : values)
}

/**
 * The typed value of texts: of the only one, or of a list or words.
 *
 * @type {(option: OptionRules & Pick<Option, 'kind'>, label: string, values: any[]) => unknown}
 */
export function checked ({ kind, choices, ...rules }, label, values) {
  const check = choices ? oneOf(choices) : (rules.check ?? ((_, value) => value))
  if (kind === 'text') return check(label, values[0])
  return choices ? values.map(item => check(label, item)) : check(label, /** @type {any} */ (values))
}

export const camelCase = (/** @type {string} */ name) => name.replaceAll(/-(.)/g, (_, letter) => letter.toUpperCase())
const helpOn = (/** @type {string} */ command) => `(timerq ${command} --help lists its options)`
