/** What a command prints, how it shows progress, and how Ctrl-C stops it. */
import { existsSync } from 'node:fs'
import { SingleBar } from 'cli-progress'
import picocolors from 'picocolors'
import { describeCell, formatCount, formatParam, formatPercent } from '../harness/model/numbers.js'
import { COLUMNS, printable, printableLines, withoutWorkflowCommands } from '../harness/model/text.js'
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
/** Ctrl-C, a polite kill, and a terminal that was closed. */
const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])
/** How often a line of progress is printed where there is no terminal for a bar. */
const LINE_EVERY_MS = 10_000
const BAR_SIZE = 16

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

  /** How wide the results may be. */
  get columns () {
    return Math.max(COLUMNS, this.#stdout.columns ?? COLUMNS)
  }

  /** @param {string} text  A result. */
  print (text) {
    this.#progress.end()
    this.#stdout.write(forLog(text))
  }

  /** @param {string} line  Beside the results: where they are, what to do next. */
  note (line) {
    this.#progress.end()
    this.#stderr.write(`${forLog(printableLines(line))}\n`)
  }

  /** @param {string} commands  For GitHub, see reports/render/annotations.js. */
  annotate (commands) {
    this.#progress.end()
    this.#stderr.write(commands)
  }

  /**
   * A result in the format that the request names.
   *
   * @param {{format?: string, json?: boolean}} request
   * @param {Result} result
   */
  render ({ json, format = 'terminal' }, { document, value, pictures }) {
    if (json || format === 'json') return JSON.stringify(value, null, 2).replaceAll('##[', '#\\u0023[') + '\n'
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
    this.#progress.show({ ...progress, text: forLog(printable(progress.text)) })
  }

  /**
   * Runs work that Ctrl-C can stop; what it has finished by then is kept. A second Ctrl-C ends this process at once, and
   * with it those that it has started.
   *
   * @param {(signal: AbortSignal) => Promise<number>} work  The signal is also aborted when a part of the work fails, so
   *   that its other parts stop.
   * @param {string} [kept]  What is left when it was stopped, and how to continue.
   * @param {string} [where]  File without which nothing is left.
   * @returns {Promise<number>} the exit code
   */
  async interruptible (work, kept, where) {
    const controller = new AbortController()
    const stop = () => {
      if (controller.signal.aborted) process.exit(INTERRUPTED)
      controller.abort()
    }
    for (const signal of SIGNALS) process.on(signal, stop)
    try {
      return await work(controller.signal)
    } catch (error) {
      const isInterrupted = controller.signal.aborted
      controller.abort()
      // Whatever else goes wrong while the work stops is an error as at any other time: a full disk keeps no samples.
      if (!isInterrupted || !isAbort(error)) throw error
      const isKept = kept !== undefined && (where === undefined || existsSync(where))
      this.note(`timerq: stopped${isKept ? `; ${kept}` : ''}`)
      return INTERRUPTED
    } finally {
      this.#progress.end()
      for (const signal of SIGNALS) process.off(signal, stop)
    }
  }
}

/**
 * The reason of a signal, or what Node's own functions make of it.
 *
 * @param {unknown} error
 */
const isAbort = error => error instanceof Error && error.name === 'AbortError'

/**
 * In seconds where a budget says when it ends, else in samples.
 *
 * @param {import('../harness/run/progress.js').Progress} progress
 * @returns {Progress}
 */
export function stepProgress ({ done, total, left, budget, until, next: { cells, kind } }) {
  const [{ scenario, params, queue }] = cells
  const place = [scenario, ...Object.entries(params).slice(0, 1).map(([name, value]) => describeParam(name, value))]
  const measured = kind === 'heat' ? place : [`${kind === 'count' ? 'counting ' : ''}${queue}`, ...place]
  const tables = until ? [`${until.tables - until.open} of ${formatCount(until.tables, 'table')} known within ${formatPercent(until.within)}`] : []
  if (budget) return { done: Math.round(budget.spent), total: Math.round(budget.seconds), unit: 's at most', text: [...measured, ...tables].join(', ') }
  return { done, total, unit: 'samples', text: [left ? describeTime(left) : 'time unknown yet', ...measured, ...tables].join(', ') }
}

/**
 * @param {string} name
 * @param {number} value
 */
function describeParam (name, value) {
  const counted = name === 'size' ? 'timers' : name
  return `${formatParam(value)} ${value === 1 ? counted.replace(/s$/, '') : counted}`
}

/** @param {{seconds: number, isAtLeast: boolean}} left */
function describeTime ({ seconds, isAtLeast }) {
  return `${isAtLeast ? 'more than' : 'about'} ${seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`} left`
}

/**
 * @param {import('../harness/gate/run.js').GateProgress} progress
 * @returns {Progress}
 */
export function pairProgress ({ heat, open, total, rounds, secondsLeft }) {
  const budget = `${Math.max(0, Math.round(secondsLeft))} s of the budget left`
  return { done: heat.round, total: rounds, unit: 'rounds at most', text: `${open} of ${total} cells undecided, ${budget}, ${describeCell(heat.cell)}` }
}

/** @param {string} text  On GitHub, lines of a log may be commands. */
const forLog = text => process.env.GITHUB_ACTIONS ? withoutWorkflowCommands(text) : text

/** @param {Stream} stream  A terminal. */
function createBar (stream) {
  const bar = new SingleBar({
    stream: /** @type {any} */ (stream),
    format: '{bar} {value}/{total} {unit}, {text}',
    barsize: BAR_SIZE,
    hideCursor: true,
    clearOnComplete: true,
    linewrap: false
  })
  let isShown = false
  return {
    show (/** @type {Progress} */ { done, total, unit, text }) {
      const room = (stream.columns ?? COLUMNS) - BAR_SIZE - `  ${done}/${total} ${unit}, `.length
      const payload = { unit, text: fitParts(text, room) }
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

/**
 * As many of the parts of a text as there is room for, whole: half a number is another number.
 *
 * @param {string} text  Parts are separated by commas, the most important first.
 * @param {number} room
 */
function fitParts (text, room) {
  const parts = text.split(', ')
  const fitting = parts.filter((_, i) => parts.slice(0, i + 1).join(', ').length <= room)
  return fitting.join(', ')
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
