/** From the command line to an exit code: parses the arguments, and loads the command that they name. */
import { readFileSync } from 'node:fs'
import yargs from 'yargs'
import { UsageError } from '../harness/model/errors.js'
import { COLUMNS, printable, printableLines, withoutWorkflowCommands } from '../harness/model/text.js'
import { enumerate } from '../harness/model/numbers.js'
import { commands, namesFor } from './commands/index.js'
import { CRASHED, describeCrash } from './crash.js'
import { overview } from './help.js'
import { MEASURING_GROUPS } from './request/options.js'
import { didYouMean } from './request/suggest.js'

/** @typedef {import('./console.js').Streams} Streams */

/** What asks for the overview, where no command is named. */
const ASKING = ['--help', 'help', '--color', '--no-color', '--verbose']
/** What the scripts of `timerq completion` call. */
const FOR_SHELLS = '--get-completions'
const GENERAL = ['verbose', 'color', 'version', 'help']
const commandNames = commands.map(({ command }) => command.split(' ')[0])
/** Help is hard to read in longer lines. */
const WIDEST_HELP = 100
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

/**
 * @param {string[]} args  As typed, without node and script.
 * @param {Streams} streams
 * @returns {Promise<number>} the exit code
 */
export async function main (args, streams) {
  try {
    if (args.every(arg => ASKING.includes(arg))) {
      streams.stdout.write(overview(commands))
      return 0
    }
    if (args[0] === FOR_SHELLS) {
      const { complete } = await import('./request/completions.js')
      const completions = await complete(args.slice(1))
      streams.stdout.write(completions.map(({ value, what }) => `${value}\t${what}\n`).join(''))
      return 0
    }
    return await parse(args, streams, async ({ load }, request) => {
      const [{ handler }, { Console }] = await Promise.all([load(), import('./console.js')])
      return handler(request, new Console(streams, request))
    })
  } catch (error) {
    return reportError(error, args.includes('--verbose'), streams.stderr)
  }
}

/**
 * @param {string[]} args
 * @param {Streams} streams  Help goes there.
 * @param {(command: import('./commands/index.js').Command, request: any) => Promise<number>} execute  Does what the
 *   arguments ask for, and returns the exit code.
 * @returns {Promise<number>} 0 where they ask for help
 * @throws {UsageError}
 */
export async function parse (args, { stdout }, execute) {
  const [word] = args.filter(arg => !arg.startsWith('-'))
  // To yargs, help on what is no command is help on all.
  if (args.includes('--help') && word !== undefined && !commandNames.includes(word)) throw new UsageError(unknownCommand(word))
  let exitCode = 0
  const parser = yargs()
    .scriptName('timerq')
    .locale('en')
    .option('verbose', { type: 'boolean', default: false, describe: 'Show stack traces', global: true })
    .option('color', { type: 'boolean', describe: 'Use colours (--no-color: never; NO_COLOR is respected)', global: true })
    .demandCommand(1, 'name a command: timerq lists them')
    .strict()
    .parserConfiguration({ 'populate--': true })
    .version(version)
    .help()
    .wrap(Math.min(WIDEST_HELP, stdout.columns ?? COLUMNS))
    .exitProcess(false)
    .fail((message, error) => { throw error ?? new UsageError(explain(message, args, optionsOf(parser))) })
  for (const command of commands) {
    const options = async (/** @type {import('yargs').Argv} */ yargs) => {
      // In lines of their own, which can be copied whole.
      for (const [example, what] of command.examples) yargs.example(`# ${what}`, '').example(`$0 ${example}`, '')
      return inGroups(await command.options(yargs), command)
    }
    parser.command(command.command, command.describe, options, async argv => {
      if (argv['--'] && !command.takesProgram) throw new UsageError(`${command.command.split(' ')[0]} takes no program: leave out what is behind --`)
      exitCode = await execute(command, { ...argv, commandLine: ['timerq', ...args] })
    })
  }
  try {
    await parser.parseAsync(joinNodeFlags(args), {}, (_error, _argv, output) => {
      if (output) stdout.write(`${output}\n`)
    })
    return exitCode
  } catch (error) {
    // yargs also throws what an option's own parser has found, as an error of its own.
    const { name, message } = /** @type {Error} */ (error)
    throw name === 'YError' ? new UsageError(explain(message, args, optionsOf(parser)), { cause: error }) : error
  }
}

/**
 * Options by what they are about, and those of all commands last.
 *
 * @param {any} yargs
 * @param {import('./commands/index.js').Command} command
 */
function inGroups (yargs, { measures }) {
  const positional = yargs.getGroups()['Positionals:'] ?? []
  const own = optionsOf(yargs).filter(name => !GENERAL.includes(name) && !positional.includes(name))
  const groups = measures ? MEASURING_GROUPS : []
  for (const [title, names] of groups) yargs.group(names.filter(name => own.includes(name)), title)
  const grouped = groups.flatMap(([, names]) => names)
  return yargs.group(own.filter(name => !grouped.includes(name)), 'Options:').group(GENERAL, 'General:')
}

/**
 * The options that the parser knows by now, as they are typed.
 *
 * @param {any} parser
 * @returns {string[]}
 */
const optionsOf = parser => Object.keys(parser.getOptions().key).filter(name => /^[a-z-]+$/.test(name))

/** @param {string} word */
const unknownCommand = word => `unknown command "${word}"${didYouMean(word, commandNames)} (timerq lists all)`

/**
 * What yargs finds wrong, as timerq says it: where, what is right, and what may have been meant.
 *
 * @param {string} message  Of yargs.
 * @param {string[]} args
 * @param {string[]} options  Of the command, as far as one is named.
 */
function explain (message, args, options) {
  const words = args.filter(arg => !arg.startsWith('-'))
  const named = commands.find(({ command }) => command.split(' ')[0] === words[0])
  const help = `(timerq ${words[0]} --help shows all)`
  const [, unknown] = /^Unknown (?:argument|command)s?: ([^,]*)/.exec(message) ?? []
  if (unknown !== undefined && !named) return unknownCommand(unknown)
  if (unknown !== undefined && words.includes(unknown)) {
    const option = Object.keys(namesFor).find(option => options.includes(option) && namesFor[option].includes(unknown))
    return `unknown argument "${unknown}"${option ? `, did you mean --${option} ${unknown}?` : ''} ${help}`
  }
  if (unknown !== undefined) return `unknown option --${unknown}${didYouMean(unknown, options, '--')} ${help}`
  const [, option, value, choices] = /^Invalid values:\s+Argument: (.*), Given: "(.*)", Choices: (.*)$/.exec(message) ?? []
  if (option) {
    const allowed = choices.replaceAll('"', '').split(', ')
    const wanted = named?.command.includes(`<${option}>`) ? `${words[0]} needs` : `--${option} must be`
    return `${wanted} ${enumerate(allowed, 'or')}, got "${value}"${didYouMean(value, allowed)}`
  }
  const [, valueless] = /^Not enough arguments following: (.*)$/.exec(message) ?? []
  if (valueless) return `--${valueless} needs a value ${help}`
  const [, missing] = /^Missing required argument: (.*)$/.exec(message) ?? []
  if (missing) return `${words[0]} needs --${missing} ${help}`
  if (named && message.startsWith('Not enough non-option arguments')) {
    const { command, needs = command.slice(words[0].length + 1), examples: [[example]] } = named
    return `${words[0]} needs ${needs} (try timerq ${example})`
  }
  return message.split(/\s*\n\s*/).join(' ')
}

/**
 * The value of --node-flags looks like an option itself: `--node-flags --expose-gc`.
 *
 * @param {string[]} args
 */
function joinNodeFlags (args) {
  const joined = [...args]
  const at = joined.indexOf('--node-flags')
  if (at !== -1 && at + 1 < joined.length) joined.splice(at, 2, `--node-flags=${joined[at + 1]}`)
  return joined
}

/**
 * @param {any} error
 * @param {boolean} verbose
 * @param {import('node:stream').Writable} stderr
 */
function reportError (error, verbose, stderr) {
  const isReport = typeof error?.exitCode === 'number'
  const report = isReport ? verbose ? error.stack : error.message : describeCrash(error, verbose)
  const text = verbose ? printableLines(report) : printable(report)
  stderr.write(`timerq: ${process.env.GITHUB_ACTIONS ? withoutWorkflowCommands(text) : text}\n`)
  return error?.exitCode ?? CRASHED
}
