/** From the words of a command line to an exit code. */
import { readFileSync } from 'node:fs'
import { printable, printableLines, withoutWorkflowCommands } from '../harness/model/text.js'
import { FileError } from '../harness/model/errors.js'
import { BISECT, CRASHED, describeCrash } from './crash.js'

/** @import { Writable } from 'node:stream' */
/** @import { Streams } from './console.js' */

/** Words that ask for the overview if no command is named. */
const OVERVIEW_WORDS = ['--help', 'help', '--color', '--no-color', '--verbose']
/** Called by the scripts of `timerq completion`. */
const FOR_SHELLS = '--get-yargs-completions'

/**
 * Returns the exit code.
 *
 * @param {string[]} args  Words of the command line, without node and script.
 * @param {Streams} streams
 */
export async function main (args, streams) {
  const own = args.slice(0, args.indexOf('--') >>> 0)
  try {
    const { stdout } = streams
    if (args.every(arg => OVERVIEW_WORDS.includes(arg))) return print(stdout, (await import('./help.js')).overview())
    if (own.includes('--version')) return print(stdout, `${version()}\n`)
    const { complete, parse } = await import('./request/request.js')
    if (args[0] === FOR_SHELLS) return print(stdout, complete(args))
    // timerq help gate
    const words = args[0] === 'help' ? [...args.slice(1), '--help'] : args
    const { command, request, help } = parse(words, { columns: stdout.columns })
    if (request === null) return print(stdout, `${help}\n`)
    const [{ handler }, { Console }] = await Promise.all([
      import(`./commands/${command.name}.js`),
      import('./console.js')
    ])
    const console = new Console(streams, request)
    return await console.run(() => handler(request, console))
  } catch (error) {
    const code = reportError(error, args.includes('--verbose'), streams.stderr)
    // Another commit may have the file.
    return error instanceof FileError && own.includes('--bisect') ? BISECT.skip : code
  }
}

/** @returns {string} */
const version = () => JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version

/**
 * @param {Writable} stream
 * @param {string} text
 */
function print (stream, text) {
  stream.write(text)
  return 0
}

/**
 * Returns the exit code.
 *
 * @type {(error: any, isVerbose: boolean, stderr: Writable) => number}
 */
function reportError (error, isVerbose, stderr) {
  const isExpected = typeof error?.exitCode === 'number'
  const report = isExpected ? (isVerbose ? error.stack : error.message) : describeCrash(error, isVerbose)
  const text = isVerbose ? printableLines(report) : printable(report)
  stderr.write(`timerq: ${process.env.GITHUB_ACTIONS ? withoutWorkflowCommands(text) : text}\n`)
  return error?.exitCode ?? CRASHED
}
