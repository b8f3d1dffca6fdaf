/** What all figures of a run share: the order of the queues, subtitles, and descriptions for readers who cannot see them. */
import { cellId } from '../../harness/model/cell.js'
import { metrics } from '../../harness/model/metrics.js'
import { formatInterval, formatNumber, formatParams } from '../../harness/model/numbers.js'
import { heatRatioOf } from '../costs.js'

/**
 * @typedef {import('../../harness/store/results.js').Sample} Sample
 * @typedef {import('../../harness/judge/summary.js').CellSummary} CellSummary
 * @typedef {import('../sweeps.js').Sweep} Sweep
 *
 * @typedef {object} Queues  Of a run, as its figures show them.
 * @property {string[]} names  In the order of the run.
 * @property {(queue: string) => import('../charts/style.js').Style} styleOf
 * @property {(cell: CellSummary) => number} numberOf  In the summary.
 *
 * @typedef {{median: number, low: number, high: number, n: number}} Figures
 *
 * @typedef {object} Measure  What a figure shows of each cell.
 * @property {string} title
 * @property {string} axis
 * @property {string} unit
 * @property {(drawn: string) => string} note  On intervals, given how they are drawn.
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
  const note = (/** @type {string} */ drawn) => metrics[metric].role === 'count'
    ? 'counted, the same every time'
    : measured.some(({ n }) => n > 1) ? `${drawn} are intervals of the medians` : 'one sample each: no intervals'
  const { title, axis } = metrics[metric]
  return { title, axis, unit: measured[0].unit, note, read }
}

/**
 * A metric as heats compare it: the ratio to the control.
 *
 * @param {string} metric
 * @param {CellSummary[]} cells
 * @param {string} control
 * @returns {Measure | null} null: no heats
 */
export function asCompared (metric, cells, control) {
  const ratios = cells.flatMap(({ metrics }) => heatRatioOf(metrics[metric]) ?? [])
  if (ratios.length === 0) return null
  const counts = ratios.map(({ n }) => n)
  const heats = [...new Set([Math.min(...counts), Math.max(...counts)])].join(' to ')
  const unit = `times ${control}`
  return {
    title: `${metrics[metric].title}, ratio to ${control}`,
    axis: unit,
    unit,
    note: drawn => `${drawn} are intervals over ${heats} heats`,
    read: ({ queue, metrics }) => queue === control && metrics[metric] ? { median: 1, low: 1, high: 1, n: metrics[metric].n } : heatRatioOf(metrics[metric])
  }
}

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
export const parameterTitle = parameter => parameter === 'size' ? 'pending timers' : parameter

/**
 * @param {CellSummary[]} cells
 * @param {Measure} measure
 */
export function ranking (cells, { read, unit }) {
  return sorted(cells, read).map(({ cell: { queue }, figures }) => `${queue} ${formatInterval(figures)} ${unit}`.trim()).join(', ')
}

/**
 * @param {CellSummary[]} cells
 * @param {Measure['read']} read
 * @returns {{cell: CellSummary, figures: Figures}[]} the lowest first
 */
export function sorted (cells, read) {
  return cells.flatMap(cell => {
    const figures = read(cell)
    return figures ? [{ cell, figures }] : []
  }).sort((a, b) => a.figures.median - b.figures.median)
}

/**
 * What the samples of each cell have seen, for cells with any; in the order of the run.
 *
 * @template T
 * @param {CellSummary[]} cells
 * @param {Map<string, Sample[]>} taken  By cell.
 * @param {Queues} queues
 * @param {(sample: Sample) => T | null | undefined} read
 * @returns {{cell: CellSummary, seen: T[]}[]}
 */
export function readSamples (cells, taken, { names }, read) {
  return names.flatMap(name => cells.filter(({ queue }) => queue === name)).flatMap(cell => {
    const seen = (taken.get(cellId(cell)) ?? []).flatMap(sample => read(sample) ?? [])
    return seen.length === 0 ? [] : [{ cell, seen }]
  })
}

/** @param {number[]} values */
export function median (values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/**
 * From the first to the last of sorted rows.
 *
 * @template {{name: string}} T
 * @param {T[]} rows
 * @param {(row: T) => number} valueOf
 * @param {string} unit
 */
export function spanOf (rows, valueOf, unit) {
  return [rows[0], rows[rows.length - 1]].map(row => `${formatNumber(valueOf(row))} ${unit} (${row.name})`).join(' to ')
}
