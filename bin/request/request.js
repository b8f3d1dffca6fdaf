/**
 * The door of the command line: words in, one typed request out, by the table of options. Words reach their reader as
 * they were typed: no text becomes a number, and no program's word an option.
 */
import { UsageError } from '../../harness/model/errors.js'
import { enumerate } from '../../harness/model/numbers.js'
import { COLUMNS } from '../../harness/model/text.js'
import { commands } from '../commands/index.js'
import { isUsers, refuseFolder } from './catalogue.js'
import { describeCommand } from './command-help.js'
import { options, optionsOf } from './options.js'
import { didYouMean } from './suggest.js'
import { list, oneOf, rulesWithin } from './values.js'

/** @import { Expected } from '../../harness/judge/expectation.js' */
/** @import { Rules } from '../../harness/judge/verdict.js' */
/** @import { Command } from '../commands/index.js' */
/** @import { presets } from '../presets.js' */
/** @import { ResolvedQueue, ResolvedScenario } from './catalogue.js' */
/** @import { OptionRules, Row } from './options.js' */

/**
 * @typedef {object} Request  Options as typed values. Undefined: neither given nor a default.
 * @property {string[]} commandLine  Words as typed, so that they can be typed again.
 * @property {string[]} [program]  Words of the command that starts the user's program.
 * @property {ResolvedQueue[]} [queue]
 * @property {ResolvedScenario[]} [scenario]
 * @property {string} [task]  Regular expression of the names of tasks in benchmark files.
 * @property {number[]} [size]  Pending timers.
 * @property {Record<string, number[]>} [sweep]  Values of other parameters.
 * @property {keyof typeof presets} preset
 * @property {number} [rounds]
 * @property {number} [until]  Precision of ratios, as a fraction of 1.
 * @property {number} [budget]  Seconds for the whole command.
 * @property {number} [seconds]  Length of a profile.
 * @property {string} [loadCommand]  Command with placeholders.
 * @property {string} [listen]  Address of the measured servers.
 * @property {number} [port]  Port of the measured servers, or that the program asks for. 0: any.
 * @property {string} [trace]  File to replay.
 * @property {string[]} [runtime]  Versions or paths of Node.
 * @property {{index: number, count: number}} [shard]  Part of a run. Its index counts from 1.
 * @property {number} [timeLimit]  Seconds of CPU time for one reply of a process.
 * @property {number} [memoryLimit]  MB.
 * @property {number} [seed]
 * @property {Rules} rules
 * @property {Expected[]} [expect]
 * @property {string} [base]
 * @property {string} [out]
 * @property {string} [resume]
 * @property {string} [confirm]  Results directory.
 * @property {string} [format]
 * @property {boolean} [json]
 * @property {boolean} [color]
 * @property {boolean} [selfCheck]
 * @property {boolean} [counts]  No times are measured.
 * @property {string | false} [install]  Command of a shell. false: nothing is installed.
 * @property {string} [prepare]  Command of a shell.
 */

/** A word that may be a value: all others begin with a dash. */
const IS_VALUE = /^(?!-)|^-[\d.]/
/** An option, perhaps refused (`--no-`), perhaps with a value. */
const OPTION = /^--?(no-)?([^=]+)(?:=([^]*))?$/
/** An argument in the line of a command: `[scenario..]`. */
const ARGUMENT = /[<[]([\w-]+)(\.\.)?([>\]])/g

/** @type {(name: string) => string} */
export const camelCase = name => name.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase())

/**
 * A request, or help for standard output.
 *
 * @param {string[]} args
 * @param {number} [columns]  Width of the terminal.
 * @returns {{command: Command, request: Request | null, help: string}}
 * @throws {UsageError}
 */
export function parse (args, columns = COLUMNS) {
  const { command, word } = commandIn(args)
  if (command) {
    const own = ownWords(args)
    if (own.includes('--help')) return { command, request: null, help: describeCommand(command, own, columns) }
    return { command, request: requestOf(command, args), help: '' }
  }
  if (word === undefined) throw new UsageError('name a command (timerq lists all)')
  const names = commands.map(({ name }) => name)
  throw new UsageError(`unknown command "${word}"${didYouMean(word, names)} (timerq lists all)`)
}

/** @typedef {Record<string, boolean | string[]>} Typed  Options by name: flags, and the texts of the others. */

/**
 * Options of a command line as they were typed. The words of a program that calls timerq name nothing.
 *
 * @param {string[]} args
 * @returns {Typed}
 */
export function typedIn (args) {
  const { command } = commandIn(args)
  return command ? read(command, args).typed : {}
}

/**
 * Words before the two dashes, which a program may follow.
 *
 * @param {string[]} args
 */
export const ownWords = args => args.slice(0, args.indexOf('--') >>> 0)

/**
 * Words of the user's program, as they were typed.
 *
 * @param {string[]} args
 * @returns {string[] | undefined} undefined: none
 */
export function programIn (args) {
  const words = args.slice(ownWords(args).length + 1)
  return words.length > 0 ? words : undefined
}

/**
 * The command, before which options and their values may stand.
 *
 * @param {string[]} args
 */
export function commandIn (args) {
  const own = ownWords(args)
  const find = (/** @type {string} */ word) => commands.find(({ name }) => name === word)
  const words = own.filter(word => !word.startsWith('-'))
  const word = own.find((word, i) => words.includes(word) && (find(word) || !own[i - 1]?.startsWith('-'))) ?? words[0]
  return { word, command: find(word) }
}

/**
 * Reads a command line whose command is known; its options may stand before it.
 *
 * @param {Command} command
 * @param {string[]} args
 */
function read ({ name, line }, args) {
  const rows = optionsOf(name)
  const own = ownWords(args)
  const words = own.toSpliced(own.indexOf(name), 1)
  /** @type {Typed} */
  const typed = {}
  /** @type {string[]} */
  const unknown = []
  /** @type {string[]} */
  const loose = []
  const add = (/** @type {string} */ name, /** @type {string} */ text) => {
    const before = typed[name]
    typed[name] = [...(Array.isArray(before) ? before : []), text]
  }
  for (let i = 0; i < words.length; i++) {
    if (IS_VALUE.test(words[i])) {
      loose.push(words[i])
      continue
    }
    const [, no, option, value] = OPTION.exec(words[i]) ?? []
    const row = rows.find(({ name }) => name === option)
    const isSwitch = row?.kind === 'flag' || (no && row?.isNegatable)
    if (!row || (no && !isSwitch)) unknown.push(option === undefined ? words[i] : `${no ?? ''}${option}`)
    else if (isSwitch && value !== undefined) {
      throw new UsageError(`--${no ?? ''}${option} takes no value, got "${value}" (leave the value out)`)
    } else if (isSwitch) typed[option] = !no
    else add(option, value ?? (IS_VALUE.test(words[i + 1] ?? '-') ? words[++i] : ''))
  }
  /** Required arguments that are missing, and how many there are. */
  let missing = false
  const found = loose.length
  for (const [, name, isList, end] of line.matchAll(ARGUMENT)) {
    const own = loose.splice(0, isList ? Infinity : 1)
    for (const word of own) add(name, word)
    if (end === '>' && !(name in typed)) missing = true
  }
  return { typed, unknown, loose, missing, found }
}

/**
 * @param {Command} command
 * @param {string[]} args
 * @returns {Request}
 */
function requestOf (command, args) {
  const { name, examples: [[example]] } = command
  const { typed, unknown, loose, missing, found } = read(command, args)
  refuse(command, { typed, unknown, loose }, args)
  if (missing) {
    const needs = optionsOf(name).find(({ needs }) => needs)?.needs
    throw new UsageError(`${name} needs ${needs}${found > 0 ? `, got ${found}` : ''} (try timerq ${example})`)
  }
  /** @type {any} */
  const request = {}
  for (const row of optionsOf(name)) {
    const { conflicts = '', default: otherwise } = row
    const value = typed[row.name] ?? (otherwise === undefined ? undefined : [otherwise])
    if (value === undefined) continue
    if (conflicts in typed && row.name in typed) {
      throw new UsageError(`${row.label} cannot be combined with --${conflicts} (leave one of them out)`)
    }
    request[camelCase(row.name)] = typeof value === 'boolean' ? value : valueOf(row, value, name)
  }
  return {
    ...request,
    ...(request.margin !== undefined && { rules: rulesWithin(request.margin) }),
    program: programIn(args),
    commandLine: ['timerq', ...args]
  }
}

/**
 * Refuses words that mean nothing, and words of another program.
 *
 * @param {Command} command
 * @param {{typed: Typed, unknown: string[], loose: string[]}} words
 * @param {string[]} args
 */
function refuse ({ name, program }, { typed, unknown, loose }, args) {
  const after = programIn(args)
  // Without the dashes, options of the program would be taken for timerq's. A single word may be the name of a queue.
  const most = program === 'needed' && !optionNaming(name, loose[0]) ? 0 : 1
  if (program && !after && loose.length > most) {
    const at = args.indexOf(loose[0])
    throw new UsageError(`${name} needs -- before the program (try timerq ${args.toSpliced(at, 0, '--').join(' ')})`)
  }
  if (unknown.length > 0) throw unknownOption(unknown[0], name)
  if (after && !program) throw new UsageError(`${name} takes no program (leave out the words after --)`)
  if (loose.length > 0) throw unknownWord(loose[0], name)
  refusePlanned(name, typed)
}

/** @type {(option: string, command: string) => UsageError} */
function unknownOption (option, command) {
  const label = `${option.length > 1 ? '--' : '-'}${option}`
  const elsewhere = options.find(option => option.label === label)?.commands
  const names = optionsOf(command).map(({ name }) => name)
  return new UsageError(
    elsewhere
      ? `${command} takes no ${label}, which belongs to ${enumerate(elsewhere)} ${helpOn(command)}`
      : `unknown option ${label}${didYouMean(option, names, '--')} ${helpOn(command)}`
  )
}

/** @type {(word: string, command: string) => UsageError} */
function unknownWord (word, command) {
  refuseFolder('argument', word)
  const files = optionsOf(command).filter(({ name }) => isUsers(word) && ['queue', 'scenario'].includes(name))
  const meant = optionNaming(command, word)?.label ?? files.map(({ label }) => label).join(' or ')
  return new UsageError(
    `unknown argument "${word}"${meant && `, did you mean ${meant} ${word}?`} ${helpOn(command)}`
  )
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
 * @param {Typed} typed
 */
function refusePlanned (command, typed) {
  const [mode, verb] = Object.entries(PLANNED).find(([name]) => name in typed) ?? []
  const planned = optionsOf(command).find(
    ({ name, again, resumes, isRenewed }) =>
      name !== mode && !again && !resumes?.includes(command) && (mode === 'resume' || !isRenewed) && name in typed
  )
  if (mode === undefined || !planned) return
  throw new UsageError(
    `--${mode} ${verb} as planned: it takes no ${planned.label} (leave it out, or start a new ${command})`
  )
}

/**
 * The checked value of an option.
 *
 * @param {Row} row
 * @param {string[]} texts
 * @param {string} command
 */
function valueOf (row, texts, command) {
  const { label, kind } = row
  if (!texts.every(Boolean)) throw new UsageError(`${label} needs a value ${helpOn(command)}`)
  if (kind === 'text' && texts.length > 1) {
    throw new UsageError(`${label} must be given once, got ${enumerate(texts.map(text => `"${text}"`))}`)
  }
  return checked(row, label, texts, command)
}

/**
 * The typed value of texts: of the only one, or of a list or words.
 *
 * @type {(row: Row, label: string, texts: string[], command: string) => unknown}
 */
export function checked ({ kind, choices, ...rules }, label, texts, command) {
  /** @type {NonNullable<OptionRules['check']>} */
  const check = choices ? oneOf(choices) : (rules.check ?? ((_, value) => value))
  if (kind === 'text') return check(label, texts[0], command)
  const items = kind === 'list' ? list(label, texts) : texts
  return choices ? items.map(item => check(label, item)) : check(label, /** @type {any} */ (items), command)
}

const helpOn = (/** @type {string} */ command) => `(timerq ${command} --help lists its options)`
