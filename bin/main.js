/** From the command line to an exit code: parses the arguments, and loads the command that they name. */
import { readFileSync } from 'node:fs'
import yargs from 'yargs'
import { UsageError } from '../harness/model/errors.js'
import { commands } from './commands/index.js'

/** @typedef {import('./console.js').Streams} Streams */

/** The exit code of a bug in timerq itself. Nothing was measured, so it must not look like a regression. */
const CRASHED = 4
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

/**
 * @param {string[]} args  As typed, without node and script.
 * @param {Streams} streams
 * @returns {Promise<number>} the exit code
 */
export async function main (args, streams) {
  let exitCode = 0
  const parser = yargs()
    .scriptName('timerq')
    .usage('$0 <command>\n\nWhich data structure should hold your pending timeouts? Measured, with evidence.')
    .option('verbose', { type: 'boolean', default: false, describe: 'Show stack traces', global: true })
    .option('color', { type: 'boolean', describe: 'Use colours (--no-color: never; NO_COLOR is respected)', global: true })
    .demandCommand(1, 'name a command: timerq --help lists them')
    .strict()
    .parserConfiguration({ 'populate--': true })
    .version(version)
    .help()
    .wrap(100)
    .exitProcess(false)
    .fail((message, error) => { throw error ?? new UsageError(message.split(/\s*\n\s*/).join(' ')) })
  for (const { command, describe, options, load } of commands) {
    parser.command(command, describe, options, async (/** @type {any} */ argv) => {
      const [{ handler }, { Console }] = await Promise.all([load(), import('./console.js')])
      exitCode = await handler({ ...argv, commandLine: ['timerq', ...args] }, new Console(streams, argv))
    })
  }

  try {
    await parser.parseAsync(joinNodeFlags(args), {}, (_error, _argv, output) => {
      if (output) streams.stdout.write(`${output}\n`)
    })
    return exitCode
  } catch (error) {
    return reportError(error, args.includes('--verbose'), streams.stderr)
  }
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
  const isOurBug = typeof error?.exitCode !== 'number' && error?.name !== 'YError'
  stderr.write(`timerq: ${isOurBug || verbose ? error?.stack ?? error : error.message}\n`)
  return error?.exitCode ?? (isOurBug ? CRASHED : 2)
}
