/**
 * The door of the command line: words in, one typed request out. yargs reads the words by the table of options, and
 * writes help and completions. Ours are the checks of values, and the sentence that tells what is wrong.
 */
import yargs from 'yargs'
import { Parser } from 'yargs/helpers'
import { UsageError } from '../../harness/model/errors.js'
import { enumerate } from '../../harness/model/numbers.js'
import { COLUMNS } from '../../harness/model/text.js'
import { commandNamed, commands } from '../commands/index.js'
import { isUsers, refuseFolder } from './catalogue.js'
import { ARGUMENTS, options, optionsOf } from './options.js'
import { didYouMean } from './suggest.js'
import { list, oneOf, rulesWithin } from './values.js'

/** @import { Argv } from 'yargs' */
/** @import { Expected } from '../../harness/gate/wanted.js' */
/** @import { Rules } from '../../harness/judge/records.js' */
/** @import { Command } from '../commands/index.js' */
/** @import { presets } from '../presets.js' */
/** @import { ResolvedQueue, ResolvedScenario } from './catalogue.js' */
/** @import { Row } from './options.js' */

/**
 * @typedef {object} Request  Options as typed values. Undefined: neither given nor a default.
 * @property {Command} command
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
 * @property {string} [format]
 * @property {boolean} [json]
 * @property {boolean} [color]
 * @property {boolean} [selfCheck]
 * @property {boolean} [counts]  No times are measured.
 * @property {'touched' | 'all'} [measure]  Rows of a gate.
 * @property {string | false} [install]  Command of a shell. false: nothing is installed.
 * @property {string} [prepare]  Command of a shell.
 */

/** Help without --all leaves longer defaults out. */
const LONGEST_DEFAULT = 60
/** Longer lines are hard to read. */
const WIDEST = 100
const PROGRAMS = { needed: ' -- <program>', optional: ' [-- <program>]', none: '' }
const { camelCase } = Parser
const PARSING = {
  'dot-notation': false,
  'greedy-arrays': false,
  'parse-numbers': false,
  'parse-positional-numbers': false,
  'short-option-groups': false
}
/** Words that would set fields of yargs: --_ and --$0. */
const OF_YARGS = /^--?(\$0|_)(=|$)/

/**
 * A request, or help for standard output.
 *
 * @param {string[]} args
 * @param {object} [options]
 * @param {number} [options.columns]  Width of the terminal.
 * @param {(row: Row) => string} [options.nameOf]  Name of an option in messages about its value.
 * @returns {{command: Command, request: Request | null, help: string}}
 * @throws {UsageError}
 */
export function parse (args, { columns = COLUMNS, nameOf = row => row.label } = {}) {
  const { command, word } = commandIn(args)
  if (command) {
    const { argv, help } = read(command, args, (/** @type {any} */ line) =>
      describe(line, command, args, nameOf).wrap(Math.min(WIDEST, columns))
    )
    return { command, help, request: argv && { ...requestOf(argv, args), command } }
  }
  if (word === undefined) throw new UsageError('name a command (timerq lists all)')
  const names = commands.map(({ name }) => name)
  throw new UsageError(`unknown command "${word}"${didYouMean(word, names)} (timerq lists all)`)
}

/**
 * Texts of a command line by option: none if its words name no command, as those of a program that calls timerq.
 *
 * @param {string[]} args
 * @returns {Record<string, any>}
 */
export function typedIn (args) {
  const { command } = commandIn(args)
  if (!command) return {}
  return read(command, args, Object.fromEntries(optionsOf(command).map(row => [row.name, forYargs(row)]))).argv ?? {}
}

/**
 * What yargs prints to a shell: its script, or completions.
 *
 * @param {string[]} args  The command for the script, or `--get-yargs-completions` and the words that were typed.
 */
export function complete (args) {
  let text = ''
  const line = yargs().scriptName('timerq').version(false).help(false).completion(args[0], false)
  for (const command of commands) {
    line.command(command.line, command.describe, (/** @type {any} */ own) => {
      for (const row of optionsOf(command)) {
        const isArgument = command.line.split(/\W+/).includes(row.name)
        own[isArgument ? 'positional' : 'option'](row.name, { ...forYargs(row), choices: row.choices ?? row.names })
      }
    })
  }
  line.parse(args, (/** @type {any[]} */ ...[, , output]) => { text = output })
  return `${text}\n`
}

/**
 * Words before the two dashes, which a program may follow.
 *
 * @param {string[]} args
 */
const ownWords = args => (args.includes('--') ? args.slice(0, args.indexOf('--')) : args)

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
  const at = own.findIndex((word, i) => !word.startsWith('-') && !takesValue(own[i - 1]))
  const word = own.at(at === -1 ? own.length : at)
  return { at, word, command: commandNamed(word) }
}

/** @param {string} [word] */
const takesValue = word => options.some(({ name, kind }) => kind !== 'flag' && word === `--${name}`)

/**
 * Reads a command line whose command is known; its options may stand before it.
 *
 * @param {Command} command
 * @param {string[]} args
 * @param {any} builder
 */
function read ({ name, line }, args, builder) {
  let argv = /** @type {Record<string, any> | null} */ (null)
  let help = ''
  const own = ownWords(args).toSpliced(commandIn(args).at, 1)
  yargs()
    .scriptName(`timerq ${name}`)
    .version(false)
    .detectLocale(false)
    .parserConfiguration(PARSING)
    // After a command with a name, yargs lays out its help, in each run.
    .command(line.replace(name, '$0'), '', builder, typed => { argv = typed })
    .parse(own, (/** @type {any[]} */ ...[, , output]) => { help = output })
  return { argv, help }
}

/** @param {Row} row */
const forYargs = ({ kind, group, describe, conflicts }) => ({
  type: /** @type {'boolean' | 'string'} */ (kind === 'flag' ? 'boolean' : 'string'),
  array: kind !== 'flag' && (group === ARGUMENTS || kind !== 'text'),
  describe,
  conflicts
})

/**
 * Tells yargs what a command takes.
 *
 * @param {any} line  Argv, and what its types lack.
 * @param {Command} command
 * @param {string[]} args
 * @param {(row: Row) => string} nameOf
 * @returns {Argv}
 */
function describe (line, command, args, nameOf) {
  const { describe, examples, guide, program = 'none' } = command
  const rows = optionsOf(command)
  const isWhole = !rows.some(({ isUsual }) => isUsual) || ownWords(args).includes('--all')
  line
    .usage(null)
    .usage(`${describe}\n\nUsage: timerq ${command.line} [options]${PROGRAMS[program]}`)
    .usageConfiguration({ 'hide-types': true })
    .updateStrings(sentencesOf(command))
    .fail((/** @type {string} */ message) => { throw new UsageError(message) })
    // Checks values as `coerce` would, which keeps no more of an error than its message.
    .middleware((/** @type {Record<string, any>} */ argv) => {
      if (argv.help) return
      refuse(command, argv, args)
      for (const row of rows) {
        const value = argv[row.name] ?? row.default
        if (row.kind === 'flag' || value === undefined) continue
        argv[camelCase(row.name)] = valueOf({ ...row, label: nameOf(row) }, value, command)
      }
    }, true)
  for (const row of rows) {
    const { name, isUsual, group } = row
    line.option(name, {
      ...forYargs(row),
      describe: explain(row, isWhole ? Infinity : LONGEST_DEFAULT),
      group: isWhole || group === ARGUMENTS ? group : 'Options:',
      hidden: !isWhole && !isUsual
    })
  }
  for (const [example, what] of examples) {
    if (isWhole) line.example(`# ${what}`, '')
    line.example(`timerq ${example}`, '')
  }
  const more = isWhole ? [] : ['All options: $0 --help --all']
  return line.epilog([...more, guide ? `Guide: docs/${guide}.md` : []].flat().join('   '))
}

/**
 * The description of an option with its choices and its default.
 *
 * @type {(row: Row, most: number) => string}
 */
function explain ({ describe, choices, shown: otherwise, default: shown = otherwise }, most) {
  const text = choices ? `${describe}: ${enumerate(choices, 'or')}` : describe
  return shown === undefined || shown.length > most ? text : `${text} (default: ${shown})`
}

/**
 * Sentences for what yargs finds wrong. It fills in %s; %c drops a value.
 *
 * @param {Command} command
 */
function sentencesOf (command) {
  const { name, examples: [[example]] } = command
  const needs = `${name} needs ${optionsOf(command).find(({ needs }) => needs)?.needs}`
  return /** @type {any} */ ({
    'Positionals:': ARGUMENTS,
    'Not enough non-option arguments: got %s, need at least %s': {
      one: `${needs}, got %s (try timerq ${example})%c`,
      other: `${needs} (try timerq ${example})%c%c`
    },
    'Arguments %s and %s are mutually exclusive': '--%s cannot be combined with --%s (leave one of them out)'
  })
}

/**
 * Refuses words and options that the command does not take.
 *
 * @param {Command} command
 * @param {Record<string, any>} argv
 * @param {string[]} args
 */
function refuse (command, { _: words, $0, ...argv }, args) {
  const { name, program } = command
  const rows = optionsOf(command)
  const after = programIn(args)
  // Without the dashes, options of the program would be taken for timerq's. A single word may be the name of a queue.
  const most = program === 'needed' && !optionNaming(command, words[0]) ? 0 : 1
  if (program && !after && words.length > most) {
    const at = args.indexOf(words[0])
    throw new UsageError(`${name} needs -- before the program (try timerq ${args.toSpliced(at, 0, '--').join(' ')})`)
  }
  for (const word of ownWords(args)) {
    const [, label, no, typed, value] = /^(--(no-)?([^=]+))=(?!true$|false$)([^]*)/.exec(word) ?? []
    const option = rows.find(({ label }) => label === `--${typed}`)
    if (option?.kind === 'flag' || (no && option?.isNegatable)) {
      throw new UsageError(`${label} takes no value, got "${value}" (leave the value out)`)
    }
  }
  const names = rows.map(({ name }) => name)
  const known = [...names, ...names.map(camelCase)]
  const reserved = ownWords(args).flatMap(word => OF_YARGS.exec(word)?.[1] ?? [])
  const unknown = Object.keys(argv).find(typed => !known.includes(typed)) ?? reserved[0]
  if (unknown !== undefined) throw unknownOption(unknown, command)
  if (after && !program) throw new UsageError(`${name} takes no program (leave out the words after --)`)
  if (words.length > 0) throw unknownWord(words[0], command)
  refusePlanned(command, argv)
}

/** @type {(option: string, command: Command) => UsageError} */
function unknownOption (option, command) {
  const label = `${option.length > 1 ? '--' : '-'}${option}`
  const elsewhere = commands.filter(other => optionsOf(other).some(row => row.label === label)).map(({ name }) => name)
  const names = optionsOf(command).map(({ name }) => name)
  return new UsageError(
    elsewhere.length > 0
      ? `${command.name} takes no ${label}, which belongs to ${enumerate(elsewhere)} ${helpOn(command)}`
      : `unknown option ${label}${didYouMean(option, names, '--')} ${helpOn(command)}`
  )
}

/** @type {(word: string, command: Command) => UsageError} */
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
 * @param {Command} command
 * @param {string} word
 */
const optionNaming = (command, word) => optionsOf(command).find(({ names }) => names?.includes(word))

/**
 * Refuses options that would change what a stopped run measures.
 *
 * @param {Command} command
 * @param {Record<string, any>} argv
 */
function refusePlanned (command, argv) {
  if (argv.resume === undefined) return
  const planned = optionsOf(command).find(({ name, repeated }) => repeated === 'stays' && name in argv)
  if (planned) {
    throw new UsageError(
      `--resume continues as planned: it takes no ${planned.label} (leave it out, or start a new ${command.name})`
    )
  }
}

/**
 * The checked value of an option.
 *
 * @param {Row} row
 * @param {any} value  Text, or a list of texts: from yargs.
 * @param {Command} command
 */
function valueOf (row, value, command) {
  const { name, label, kind, isNegatable } = row
  const texts = [value].flat()
  if (isNegatable && value === false) return false
  if (texts.includes(false)) {
    throw isNegatable
      ? new UsageError(`${label} cannot be combined with --no-${name} (leave one of them out)`)
      : unknownOption(`no-${name}`, command)
  }
  if (texts.length === 0 || !texts.every(Boolean)) throw new UsageError(`${label} needs a value ${helpOn(command)}`)
  if (kind === 'text' && texts.length > 1) {
    throw new UsageError(`${label} must be given once, got ${enumerate(texts.map(text => `"${text}"`))}`)
  }
  /** @type {NonNullable<Row['check']>} */
  const check = row.choices ? oneOf(row.choices) : (row.check ?? ((_, value) => value))
  if (kind === 'text') return check(label, texts[0])
  const items = kind === 'items' ? list(label, texts) : texts
  return row.choices ? items.map(item => check(label, item)) : check(label, items)
}

/** @type {(argv: any, args: string[]) => Omit<Request, 'command'>} */
const requestOf = (argv, args) => ({
  ...argv,
  ...(argv.margin !== undefined && { rules: rulesWithin(argv.margin) }),
  program: programIn(args),
  commandLine: ['timerq', ...args]
})

const helpOn = (/** @type {Command} */ { name }) => `(timerq ${name} --help lists its options)`
