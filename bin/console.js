/** Output of a command, its progress, and Ctrl-C. */
import picocolors from 'picocolors'
import { COLUMNS, printable, printableLines, withoutWorkflowCommands } from '../harness/model/text.js'
import { renderTerminal } from '../reports/render/terminal.js'
import { createProgress } from './progress.js'

/** @import { Writable } from 'node:stream' */
/** @import { Document } from '../reports/blocks.js' */
/** @import { Progress } from './progress.js' */

/**
 * @typedef {Writable & {isTTY?: boolean, columns?: number}} Stream
 *
 * @typedef {object} Streams
 * @property {Stream} stdout  Results.
 * @property {Stream} stderr  Progress, notes and errors.
 *
 * @typedef {object} Result
 * @property {() => Document} document
 * @property {unknown} value  Object that --json prints.
 */

/** Exit codes of commands that end with a verdict. */
export const EXIT_CODES = { pass: 0, regression: 1, missed: 1, inconclusive: 3, invalid: 4 }
/** Exit code that shells expect after Ctrl-C. */
const INTERRUPTED = 130
/** Ctrl-C, a polite kill, and a closed terminal. */
const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])

export class Console {
  #stdout
  #stderr
  #progress
  #controller = new AbortController()
  #printsResults = true
  /** Describes what is left after an interruption. */
  #describeRest = () => ''
  #stop = () => {
    if (this.#controller.signal.aborted) process.exit(INTERRUPTED)
    this.#controller.abort()
  }

  /**
   * @param {Streams} streams
   * @param {{color?: boolean}} options  Undefined: colours on terminals, unless NO_COLOR is set.
   */
  constructor ({ stdout, stderr }, { color }) {
    this.#stdout = stdout
    this.#stderr = stderr
    this.#progress = createProgress(stderr)
    this.style = picocolors.createColors(color ?? (stdout.isTTY === true && !process.env.NO_COLOR))
  }

  /** Width that results may have. */
  get columns () {
    return Math.max(COLUMNS, this.#stdout.columns ?? COLUMNS)
  }

  /** @param {string} text  A result. */
  print (text) {
    this.#progress.end()
    if (this.#printsResults) this.#stdout.write(forLog(text))
  }

  /**
   * Runs a command whose results another command prints.
   *
   * @param {() => Promise<number>} command
   */
  async withoutResults (command) {
    this.#printsResults = false
    await command()
    this.#printsResults = true
  }

  /** @param {string} line  Message that is no result: where results are, what to do next. */
  note (line) {
    this.#progress.end()
    this.#stderr.write(`${forLog(printableLines(line))}\n`)
  }

  /** @param {string} commands  Workflow commands for GitHub, see reports/formats.js. */
  annotate (commands) {
    this.#progress.end()
    this.#stderr.write(commands)
  }

  /** @type {(request: {json?: boolean}, result: Result) => string} */
  render ({ json }, { document, value }) {
    return json
      ? JSON.stringify(value, null, 2).replaceAll('##[', '#\\u0023[') + '\n'
      : renderTerminal(document(), this.style)
  }

  /** @type {(request: {json?: boolean}, result: Result) => void} */
  show (request, result) {
    this.print(this.render(request, result))
  }

  /** @param {Progress} progress */
  showProgress (progress) {
    this.#progress.show({ ...progress, text: forLog(printable(progress.text)) })
  }

  /**
   * Lets Ctrl-C stop the command. A second Ctrl-C ends this process and its children at once.
   *
   * @param {() => string} [describeRest]  Describes what is left after an interruption, and how to
   *   continue; empty: nothing.
   * @returns {AbortSignal} also aborted when the command fails, so that all of its parts stop
   */
  interruptible (describeRest = () => '') {
    this.#describeRest = describeRest
    for (const signal of SIGNALS) process.on(signal, this.#stop)
    return this.#controller.signal
  }

  /**
   * Runs a command to its end, or until it has stopped.
   *
   * @param {() => Promise<number>} command
   * @returns {Promise<number>} the exit code
   */
  async run (command) {
    try {
      return await command()
    } catch (error) {
      const isInterrupted = this.#controller.signal.aborted
      this.#controller.abort()
      // Other errors during the stop are reported as always: a full disk, say, lost samples.
      if (!isInterrupted || !isAbort(error)) throw error
      const rest = this.#describeRest()
      this.note(`timerq: stopped${rest && `; ${rest}`}`)
      return INTERRUPTED
    } finally {
      this.#progress.end()
      for (const signal of SIGNALS) process.off(signal, this.#stop)
    }
  }
}

/**
 * Tells the reason of a signal, also as Node's own functions pass it on.
 *
 * @param {unknown} error
 */
const isAbort = error => error instanceof Error && error.name === 'AbortError'

/** @param {string} text  On GitHub, lines of a log may be commands. */
const forLog = text => (process.env.GITHUB_ACTIONS ? withoutWorkflowCommands(text) : text)
