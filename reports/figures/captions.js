/** Titles, units and descriptions of a run's figures, and the values they read from each cell. */
import { metrics } from '../../harness/model/metrics.js'
import { endsOf, formatInterval, formatNumber, formatParams } from '../../harness/model/numbers.js'

/**
 * @import { CellSummary } from '../../harness/judge/summary.js'
 * @import { Style } from '../charts/style.js'
 * @import { Sweep } from '../sweeps.js'
 *
 * @typedef {object} Queues  Queues of a run, as its figures show them.
 * @property {string[]} names  Names of the queues, in the order of the run.
 * @property {(queue: string) => Style} styleOf
 * @property {(cell: CellSummary) => number} numberOf  Number of a cell in the summary.
 *
 * @typedef {{median: number, low: number, high: number, n: number}} Figures
 *
 * @typedef {object} Measure  A value of each cell.
 * @property {string} title
 * @property {string} axis
 * @property {string} unit
 * @property {(drawn: string) => string} note  Remark on intervals, given how they are drawn.
 * @property {(cell: CellSummary) => Figures | null} read
 */

/**
 * A metric as measured.
 *
 * @param {string} metric
 * @param {CellSummary[]} cells
 * @returns {Measure}
 */
export function asMeasured (metric, cells) {
  const read = (/** @type {CellSummary} */ { metrics }) => metrics[metric] ?? null
  const measured = cells.flatMap(cell => read(cell) ?? [])
  const note = (/** @type {string} */ drawn) =>
    metrics[metric].role === 'count'
      ? 'counted, the same every time'
      : measured.some(({ n }) => n > 1)
        ? `${drawn} are intervals of the medians`
        : 'one sample each: no intervals'
  const { title, axis } = metrics[metric]
  return { title, axis, unit: measured[0].unit, note, read }
}

/**
 * The ratio of a metric to the control.
 *
 * @param {string} metric
 * @param {CellSummary[]} cells
 * @param {string} control
 * @returns {Measure | null} null: nothing was compared
 */
export function asCompared (metric, cells, control) {
  const counts = cells.flatMap(({ metrics }) => metrics[metric]?.ratio?.n ?? [])
  if (counts.length === 0) return null
  const unit = `times ${control}`
  return {
    title: `${metrics[metric].title}, ratio to ${control}`,
    axis: unit,
    unit,
    note: drawn => `${drawn} are intervals over ${rangeOf(counts)} heats`,
    read: ({ queue, metrics }) =>
      queue === control && metrics[metric]
        ? { median: 1, low: 1, high: 1, n: metrics[metric].n }
        : (metrics[metric]?.ratio ?? null)
  }
}

/** @param {number[]} counts */
export const rangeOf = counts => endsOf(counts).join(' to ')

/**
 * @param {Sweep} sweep
 * @param {Record<string, number>} params
 * @param {string} note
 */
export function subtitle ({ runtime, control, cells }, params, note) {
  const hasControl = cells.some(({ queue }) => queue === control)
  return [formatParams(params), `Node ${runtime}`, note, hasControl ? '= control' : ''].filter(Boolean).join('; ')
}

/** @param {string} parameter */
export const parameterTitle = parameter => (parameter === 'size' ? 'pending timers' : parameter)

/**
 * @param {CellSummary[]} cells
 * @param {Measure} measure
 */
export const inWords = (cells, { read, unit }) =>
  sorted(cells, read)
    .map(({ cell: { queue }, figures }) => `${queue} ${formatInterval(figures)} ${unit}`.trim())
    .join(', ')

/**
 * @param {CellSummary[]} cells
 * @param {Measure['read']} read
 * @returns {{cell: CellSummary, figures: Figures}[]} lowest first; cells without the value are left out
 */
export function sorted (cells, read) {
  return cells
    .flatMap(cell => {
      const figures = read(cell)
      return figures ? [{ cell, figures }] : []
    })
    .sort((a, b) => a.figures.median - b.figures.median)
}

/**
 * A curve for each queue that has points.
 *
 * @param {{cell: CellSummary, x: number, figures: Figures}[]} points
 * @param {Queues} queues
 * @param {string} control
 */
export const seriesOf = (points, queues, control) =>
  queues.names.flatMap(queue => {
    const own = points
      .filter(({ cell }) => cell.queue === queue)
      .map(({ cell, x, figures: { median: value, low, high } }) => ({
        x,
        value,
        low,
        high,
        cell: queues.numberOf(cell)
      }))
    return own.length === 0
      ? []
      : [{ name: queue, control: queue === control, style: queues.styleOf(queue), points: own }]
  })

/**
 * The range of sorted rows: first to last.
 *
 * @template {{name: string}} T
 * @param {T[]} rows
 * @param {(row: T) => number} valueOf
 * @param {string} unit
 */
export const spanOf = (rows, valueOf, unit) =>
  [rows[0], rows[rows.length - 1]].map(row => `${formatNumber(valueOf(row))} ${unit} (${row.name})`).join(' to ')
