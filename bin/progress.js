/** Progress of measurements: a bar on a terminal, a line now and then elsewhere. */
import { SingleBar } from 'cli-progress'
import { formatCount, formatParam, formatPercent } from '../harness/model/numbers.js'
import { COLUMNS } from '../harness/model/text.js'

/** @import { Progress as RunProgress } from '../harness/run/progress.js' */
/** @import { Stream } from './console.js' */

/** @typedef {{done: number, total: number, unit: string, text: string}} Progress */

const LINE_EVERY_MS = 10_000
const BAR_SIZE = 16
/** Unit while benchmark files are read, or run once, before it is known what will be measured. */
export const FILES = 'files'

/**
 * Progress in seconds if a budget ends the run, else in samples.
 *
 * @param {RunProgress} progress
 * @returns {Progress}
 */
export function stepProgress ({ done, total, left, budget, until, open, next: { cells, kind } }) {
  const [{ scenario, params, queue }] = cells
  const text = [
    ...(budget ? [] : [left ? describeTime(left) : 'time unknown yet']),
    ...(kind === 'heat' ? [] : [`${kind === 'count' ? 'counting ' : ''}${queue}`]),
    scenario,
    ...Object.entries(params).slice(0, 1).map(describeParam),
    ...(open ? [describeOpen(open, until)] : [])
  ].join(', ')
  return budget
    ? { done: Math.round(budget.spent), total: Math.round(budget.seconds), unit: 's at most', text }
    : { done, total, unit: 'samples', text }
}

/**
 * @param {{left: number, total: number}} open
 * @param {number | null} until  Precision at which a run ends; null: rows of a gate.
 */
function describeOpen ({ left, total }, until) {
  if (until === null) return `${left} of ${formatCount(total, 'cell')} undecided`
  return `${total - left} of ${formatCount(total, 'table')} known within ${formatPercent(until)}`
}

/** @param {[string, number]} param */
function describeParam ([name, value]) {
  const counted = name === 'size' ? 'timers' : name
  return `${formatParam(value)} ${value === 1 ? counted.replace(/s$/, '') : counted}`
}

/** @param {{seconds: number, isAtLeast: boolean}} left */
function describeTime ({ seconds, isAtLeast }) {
  const time = seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`
  return `${isAtLeast ? 'more than' : 'about'} ${time} left`
}

/** @param {Stream} stream */
export const createProgress = stream => (stream.isTTY ? createBar(stream) : createLines(stream))

/** @param {Stream} stream */
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
 * As many whole parts as fit, the most important first: a cut number would mislead.
 *
 * @type {(text: string, room: number) => string}
 */
function fitParts (text, room) {
  const parts = text.split(', ')
  return parts.filter((_, i) => parts.slice(0, i + 1).join(', ').length <= room).join(', ')
}

/** @param {Stream} stream */
function createLines (stream) {
  let last = -Infinity
  return {
    show (/** @type {Progress} */ { done, total, unit, text }) {
      if (performance.now() - last < LINE_EVERY_MS) return
      last = performance.now()
      stream.write(unit === FILES ? `${text} ${done} of ${total} ${unit}\n` : `${done}/${total} ${unit}, ${text}\n`)
    },
    end () {}
  }
}
