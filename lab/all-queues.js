/**
 * The tables of lab/notebook/all-queues.md, from the run of the example: all queues on five workloads with three
 * sizes, as ratios to the control with their intervals. `npm run example` calls it.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { markdownTable } from 'markdown-table'
import { summarise } from '../harness/judge/summary.js'
import { formatNumber, formatParam, formatRatioWithInterval } from '../harness/model/numbers.js'
import { readResults } from '../harness/store/results.js'

/** @import { Summary } from '../harness/judge/summary.js' */
/** @import { CellPlace } from '../harness/model/cell.js' */

const PAGE = new URL('./notebook/all-queues.md', import.meta.url)
const [START, END] = ['<!-- tables -->\n', '<!-- end: tables -->\n']

const SIZES = [1000, 10_000, 100_000]
/** Share of expiries in `mixed` that most resembles a server, in percent. */
const EXPIRING = 10
const WORKLOADS = {
  'refresh-one-duration': 'nothing expires, one duration',
  'start-cancel': 'mixed durations, 99 % are cancelled',
  mixed: `${EXPIRING} % of the operations are expiries, the rest restarts`,
  'staggered-expiry': 'n timers start for 0 to n - 1 ms, and all expire',
  hold: 'the earliest expires and starts again, exponential increments'
}

/** @param {string} directory  Results of a run. */
export function writeAllQueues (directory) {
  const summary = summarise(readResults(directory))
  const { environment, started, cells } = summary
  const heats = cells.flatMap(({ metrics }) => metrics.nsPerOp?.ratio?.n ?? [])
  const provenance =
    `${environment.cores} x ${environment.cpu}, Node ${environment.node}, ${started.slice(0, 10)}; ` +
    `ratios of ${Math.min(...heats)} to ${Math.max(...heats)} heats. ` +
    'The run is the one of the example report: `npm run example`.'
  const tables = Object.entries(WORKLOADS).map(
    ([scenario, what]) => `### \`${scenario}\`: ${what}\n\n${tableOf(summary, scenario)}`
  )
  const page = readFileSync(PAGE, 'utf8')
  const [before, rest] = page.split(START)
  writeFileSync(PAGE, `${before}${START}\n${[provenance, ...tables].join('\n\n')}\n\n${END}${rest.split(END)[1]}`)
}

/**
 * @param {Summary} summary
 * @param {string} scenario
 */
function tableOf ({ queues, cells, skipped }, scenario) {
  const isAt =
    (/** @type {string} */ queue, /** @type {number} */ size) =>
      (/** @type {CellPlace} */ { params, ...cell }) =>
        cell.queue === queue &&
        cell.scenario === scenario &&
        params.size === size &&
        (params.expiring ?? EXPIRING) === EXPIRING
  const timeOf = (/** @type {string} */ name, /** @type {number} */ size) =>
    cells.find(isAt(name, size))?.metrics.nsPerOp
  const isTooSlow = (/** @type {string} */ name, /** @type {number} */ size) =>
    skipped.find(isAt(name, size))?.kind === 'time-limit'
  const rows = queues
    .map(({ name }) => ({ name, times: SIZES.map(size => timeOf(name, size)) }))
    .filter(({ times }) => times.some(Boolean))
    .sort((a, b) => ratioOf(a.times) - ratioOf(b.times))
  const lowest = SIZES.map((_, i) => Math.min(...rows.map(({ times }) => times[i]?.ratio?.median ?? Infinity)))
  return markdownTable(
    [
      ['queue', ...SIZES.map(formatParam)],
      ...rows.map(({ name, times }) => [
        name,
        ...times.map((time, i) =>
          time ? describe(time, lowest[i]) : isTooSlow(name, SIZES[i]) ? 'too slow' : 'not measured'
        )
      ])
    ],
    { align: ['l', 'r', 'r', 'r'] }
  )
}

/** @typedef {Summary['cells'][0]['metrics'][string]} Time */

/**
 * Order of the rows: the ratio with 10 000 timers, or with the next number that was measured.
 *
 * @param {(Time | undefined)[]} times
 */
const ratioOf = ([few, some, many]) => (some ?? few ?? many)?.ratio?.median ?? 1

/**
 * @param {Time} time
 * @param {number} lowest  Ratio.
 */
function describe (time, lowest) {
  if (!time.ratio) return `1 (${formatNumber(time.median)} ns)`
  const text = formatRatioWithInterval(time.ratio)
  return time.ratio.median === lowest ? `**${text}**` : text
}
