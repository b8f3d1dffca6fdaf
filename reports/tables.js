/**
 * A summary as tables: one for each scenario, set of parameters and runtime, and one along each sweep.
 */
import { tableId } from '../harness/model/cell.js'
import { compact } from '../harness/model/compact.js'
import { groupBy } from '../harness/model/group-by.js'
import { isRanked, metrics, metricsIn, rankedMetrics } from '../harness/model/metrics.js'
import {
  capitalise,
  enumerate,
  formatCount,
  formatInterval,
  formatNumber,
  formatParam,
  formatRatio,
  formatRatioWithInterval,
  placeOf
} from '../harness/model/numbers.js'
import { subjectIn } from '../harness/model/kinds.js'
import { figure, number, table } from './blocks.js'
import { nameOf } from './sweeps.js'

/**
 * @import { RankedTable } from '../harness/judge/rank.js'
 * @import { CellSummary, MetricSummary, SkippedCell, Summary } from '../harness/judge/records.js'
 * @import { Table, TableCell } from './blocks.js'
 * @import { Line } from './sweeps.js'
 */

/** Ratios below this lose their leading zero in a terminal: .0073x (.0066–.0081). */
const SMALL_RATIO = 0.1
/** Skipped for lack of time, which is not the queue's fault. */
const LEFT_OUT = ['time-limit', 'out-of-time', 'missing']

/** @param {CellSummary[]} cells */
export const columnsIn = cells => metricsIn(Object.keys(metrics), cells).filter(name => metrics[name].table)

/**
 * The tables of a scenario, also those of which nothing was measured.
 *
 * @param {Summary} summary
 * @param {string} scenario
 */
export const resultTables = (summary, scenario) =>
  [...groupBy([...summary.cells, ...summary.skipped], tableId).values()]
    .filter(([cell]) => cell.scenario === scenario)
    .map(own => resultTable(own, summary))

/**
 * @param {(CellSummary | SkippedCell)[]} own  Cells of one table.
 * @param {Summary} summary
 * @returns {Table}
 */
function resultTable (own, { queues, scenarios, environment, ranking: { tables } }) {
  const measured = own.filter(cell => 'metrics' in cell)
  const skipped = own.filter(cell => 'reason' in cell)
  const [{ scenario, params, runtime, side }] = own
  const id = tableId({ scenario, params, runtime, side })
  const ranking = tables.find(table => tableId(table) === id)
  const places = new Map(ranking?.queues.map(({ queue }, place) => [queue, place]))
  const placeIn = (/** @type {CellSummary} */ { queue }) => places.get(queue) ?? places.size
  const cells = measured.toSorted((a, b) => placeIn(a) - placeIn(b))
  const columns = columnsIn(cells)
  const { control, metric = columns[0] } = ranking ?? {}
  const heatsOf = (/** @type {CellSummary} */ { metrics }) => metrics[ranking?.metric ?? '']?.ratio?.n
  const most = Math.max(0, ...cells.map(cell => heatsOf(cell) ?? 0))
  // Phases take the room of counts in a terminal.
  const isCrowded = columns.some(name => metrics[name].isPhase)
  const broken = queues.filter(({ breaks }) => breaks).map(({ name }) => name)
  return table({
    caption: capitalise(placeOf({ params, runtime })),
    // The machine's own Node needs no name.
    short: placeOf({ params, runtime: runtime === environment.node ? undefined : runtime }),
    columns: [
      subjectIn(scenarios.filter(({ name }) => name === scenario)),
      ...columns.flatMap(name => {
        const { column, table, role, isPhase } = metrics[name]
        return compact(
          number(column, { wide: table === 'wide' || (isCrowded && role !== 'time') }),
          isRanked(name) && number('ratio', { narrow: 'suffix', wide: isPhase })
        )
      }),
      number(most > 0 ? 'heats' : 'samples', { wide: true })
    ],
    rows: cells.map(cell => {
      const { queue } = cell
      const count = heatsOf(cell) ?? cell.metrics[metric]?.n
      return {
        isControl: queue === control,
        queue,
        cells: [
          broken.includes(queue) ? `${queue} !` : queue,
          ...columns.flatMap(name =>
            compact(
              figureCell(cell, name, isBest(cell, name, cells, ranking)),
              isRanked(name) && ratioCell(cell, name, control)
            )
          ),
          figure(String(count ?? ''), count)
        ]
      }
    }),
    remarks: [
      ...[...groupBy(cells, heatsOf)].map(
        ([own = most, alike]) => own < most && `${formatCount(own, 'heat')} instead of ${most}: ${namesOf(alike)}`
      ),
      ...[...groupBy(skipped, whyMissing)].map(([reason, alike]) => `${namesOf(alike)}: ${reason}`)
    ]
  })
}

/** @param {{queue: string}[]} cells */
const namesOf = cells => enumerate(cells.map(({ queue }) => queue))

/** @param {SkippedCell} cell */
const whyMissing = ({ kind, reason }) => `${LEFT_OUT.includes(kind) ? 'skipped' : 'failed'}, ${reason}`

/**
 * The fastest by the ranking, and the lowest count. Other metrics rank no queues.
 *
 * @param {CellSummary} cell
 * @param {string} name
 * @param {CellSummary[]} cells  Cells of its table.
 * @param {RankedTable | undefined} ranking
 */
function isBest (cell, name, cells, ranking) {
  if (name === ranking?.metric) {
    const [first, second] = ranking.queues
    return second !== undefined && second.place !== null && first.queue === cell.queue
  }
  if (metrics[name].role !== 'count') return false
  const values = cells.flatMap(({ metrics: { [name]: figures } }) => (figures ? [figures.median] : []))
  return new Set(values).size > 1 && cell.metrics[name]?.median === Math.min(...values)
}

/**
 * @param {CellSummary} cell
 * @param {string} name
 * @param {boolean} best
 * @returns {TableCell}
 */
function figureCell (cell, name, best) {
  const figures = cell.metrics[name]
  if (!figures) return { text: '-' }
  // A terminal has room for one interval: that of the ratio.
  const isShort = figures.ratio || metrics[name].isPhase
  return {
    text: formatInterval(figures),
    ...(isShort && { short: formatNumber(figures.median) }),
    best,
    sort: figures.median
  }
}

/**
 * @param {CellSummary} cell
 * @param {string} name
 * @param {string | undefined} control
 * @returns {TableCell}
 */
function ratioCell ({ queue, metrics }, name, control) {
  const figures = metrics[name]
  if (figures && queue === control) return figure(formatRatio(1), 1)
  if (!figures?.ratio) return { text: '' }
  const { median } = figures.ratio
  const text = formatRatioWithInterval(figures.ratio)
  return { text, short: median < SMALL_RATIO ? text.replaceAll(/\b0\./g, '.') : text, sort: median }
}

/**
 * Each ranked metric along a swept parameter.
 *
 * @param {Line} line  Swept.
 * @param {Summary} summary
 */
export function sweepTables (line, summary) {
  return metricsIn(rankedMetrics, line.cells).map(metric => sweepTable(line, metric, summary))
}

/**
 * @param {Line} line
 * @param {string} metric
 * @param {Summary} summary
 * @returns {Table}
 */
function sweepTable (line, metric, summary) {
  const { sweep, values } = line
  const parameter = /** @type {string} */ (line.parameter)
  const measured = line.cells.filter(({ metrics }) => metrics[metric])
  // The largest value orders the queues; a queue without it is ordered by its next one.
  const largest = measured.toSorted(
    (a, b) => b.params[parameter] - a.params[parameter] || a.metrics[metric].median - b.metrics[metric].median
  )
  const cellAt = (/** @type {string} */ queue, /** @type {number} */ value) => {
    const cell = measured.find(cell => cell.queue === queue && cell.params[parameter] === value)
    if (!cell) return '-'
    const ranking = summary.ranking.tables.find(table => tableId(table) === tableId(cell))
    const best = metric === ranking?.metric && isBest(cell, metric, [], ranking)
    const shown = figureCell(cell, metric, best)
    const { ratio, median } = cell.metrics[metric]
    return { ...shown, text: ratio ? `${formatNumber(median)} ${formatRatioWithInterval(ratio)}` : shown.text }
  }
  const { title, unit } = metrics[metric]
  return table({
    caption: compact(`${capitalise(title)}, ${unit}, by ${parameter}`, nameOf(line)).join(', '),
    columns: [
      sweep.subject,
      ...values.map(value => number(formatParam(value)))
    ],
    rows: namesIn(largest).map(queue => ({
      isControl: queue === sweep.control,
      cells: [
        queue,
        ...values.map(value => cellAt(queue, value))
      ]
    }))
  })
}

/** @param {{queue: string}[]} cells */
const namesIn = cells => [...new Set(cells.map(({ queue }) => queue))]
