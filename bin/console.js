/** What a command prints, how it shows progress, and how Ctrl-C stops it. */
import { SingleBar } from 'cli-progress'
import picocolors from 'picocolors'
import { describeCell } from '../reports/findings/verdicts.js'
import { renderMarkdown } from '../reports/render/markdown.js'
import { renderTerminal } from '../reports/render/terminal.js'

/**
 * @typedef {import('node:stream').Writable & {isTTY?: boolean, columns?: number}} Stream
 *
 * @typedef {object} Streams
 * @property {Stream} stdout  Results.
 * @property {Stream} stderr  Progress, notes and errors.
 *
 * @typedef {object} Result
 * @property {() => import('../reports/blocks.js').Document} document
 * @property {unknown} value  What --json prints.
 * @property {string} [pictures]  Folder that the markdown shows pictures from.
 *
 * @typedef {{done: number, total: number, unit: string, text: string}} Progress  How much is done, and what is going on.
 */

/** Exit codes of commands that end with a verdict. */
export const EXIT_CODES = { pass: 0, regression: 1, inconclusive: 3, invalid: 4 }
/** What a shell expects of a command that Ctrl-C stopped. */
const INTERRUPTED = 130
/** How often a line of progress is printed where there is no terminal for a bar. */
const LINE_EVERY_MS = 10_000

export class Console {
  #stdout
  #stderr
  #progress

  /**
   * @param {Streams} streams
   * @param {{color?: boolean}} options  Undefined: colours are for terminals, unless NO_COLOR is set.
   */
  constructor ({ stdout, stderr }, { color }) {
    this.#stdout = stdout
    this.#stderr = stderr
    this.#progress = stderr.isTTY ? createBar(stderr) : createLines(stderr)
    this.style = picocolors.createColors(color ?? (stdout.isTTY === true && !process.env.NO_COLOR))
  }

  /** @param {string} text  A result. */
  print (text) {
    this.#progress.end()
    this.#stdout.write(text)
  }

  /** @param {string} line  Beside the results: where they are, what to do next. */
  note (line) {
    this.#progress.end()
    this.#stderr.write(`${line}\n`)
  }

  /**
   * A result in the format that the request names.
   *
   * @param {{format?: string, json?: boolean}} request
   * @param {Result} result
   */
  render ({ json, format = 'terminal' }, { document, value, pictures }) {
    if (json || format === 'json') return JSON.stringify(value, null, 2) + '\n'
    return format === 'markdown' ? renderMarkdown(document(), pictures) : renderTerminal(document(), this.style)
  }

  /**
   * @param {{format?: string, json?: boolean}} request
   * @param {Result} result
   */
  show (request, result) {
    this.print(this.render(request, result))
  }

  /** @param {Progress} progress */
  showProgress (progress) {
    this.#progress.show(progress)
  }

  /**
   * Runs work that Ctrl-C can stop; what it has finished by then is kept.
   *
   * @param {(signal: AbortSignal) => Promise<number>} work  The signal is also aborted when a part of the work fails, so
   *   that its other parts stop.
   * @param {string} [kept]  What is left when it was stopped, and how to continue.
   * @returns {Promise<number>} the exit code
   */
  async interruptible (work, kept) {
    const controller = new AbortController()
    const stop = () => controller.abort()
    process.once('SIGINT', stop).once('SIGTERM', stop)
    try {
      return await work(controller.signal)
    } catch (error) {
      const isInterrupted = controller.signal.aborted
      controller.abort()
      if (!isInterrupted) throw error
      if (kept !== undefined) this.note(`timerq: stopped; ${kept}`)
      return INTERRUPTED
    } finally {
      this.#progress.end()
      process.off('SIGINT', stop).off('SIGTERM', stop)
    }
  }
}

/**
 * @param {import('../harness/execute.js').Progress} progress
 * @returns {Progress}
 */
export function stepProgress ({ done, total, secondsLeft, next: { cells, round, channel } }) {
  const [{ scenario, params, queue }] = cells
  const time = secondsLeft < 90 ? `about ${Math.ceil(secondsLeft)} s` : `about ${Math.ceil(secondsLeft / 60)} min`
  const size = params.size === undefined ? '' : ` ${params.size}`
  const measured = cells.length > 1 ? `${cells.length} queues` : queue
  return { done, total, unit: 'steps', text: `${time}, ${measured}, ${scenario}${size}, ${channel === 'exact' ? 'counting' : `round ${round + 1}`}` }
}

/**
 * @param {import('../harness/gate/run.js').GateProgress} progress
 * @returns {Progress}
 */
export function pairProgress ({ pair, open, total, rounds, secondsLeft }) {
  const budget = `${Math.max(0, Math.round(secondsLeft))} s of the budget left`
  return { done: pair.round, total: rounds, unit: 'rounds at most', text: `${open} of ${total} cells undecided, ${budget}, ${describeCell(pair.cell)}` }
}

/** @param {Stream} stream  A terminal. */
function createBar (stream) {
  const bar = new SingleBar({
    stream: /** @type {any} */ (stream),
    format: '{bar} {value}/{total} {unit}, {text}',
    barsize: 16,
    hideCursor: true,
    clearOnComplete: true,
    linewrap: false
  })
  let isShown = false
  return {
    show (/** @type {Progress} */ { done, total, ...payload }) {
      if (isShown) bar.update(done, payload)
      else bar.start(total, done, payload)
      isShown = true
    },
    end () {
      if (isShown) bar.stop()
      isShown = false
    }
  }
}

/** @param {Stream} stream */
function createLines (stream) {
  let last = -Infinity
  return {
    show (/** @type {Progress} */ { done, total, unit, text }) {
      if (performance.now() - last < LINE_EVERY_MS) return
      last = performance.now()
      stream.write(`${done}/${total} ${unit}, ${text}\n`)
    },
    end () {}
  }
}
