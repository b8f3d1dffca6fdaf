/** What all figures of a run share: the order of the queues, subtitles, and descriptions for readers who cannot see them. */
import { cellId } from '../../harness/model/cell.js'
import { metrics } from '../../harness/model/metrics.js'
import { formatInterval, formatNumber, formatParams } from '../../harness/model/numbers.js'

/**
 * @typedef {import('../../harness/results.js').Sample} Sample
 * @typedef {import('../../harness/summary.js').CellSummary} CellSummary
 * @typedef {import('../sweeps.js').Sweep} Sweep
 *
 * @typedef {object} Queues  Of a run, as its figures show them.
 * @property {string[]} names  In the order of the run.
 * @property {(queue: string) => import('../charts/style.js').Style} styleOf
 * @property {(cell: CellSummary) => number} numberOf  In the summary.
 */

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
 * @param {string} metric
 */
export function ranking (cells, metric) {
  const ranked = [...cells].sort((a, b) => a.metrics[metric].median - b.metrics[metric].median)
  return ranked.map(({ queue, metrics: { [metric]: figures } }) => `${queue} ${formatInterval(figures)} ${figures.unit}`.trim()).join(', ')
}

/**
 * @param {CellSummary[]} cells
 * @param {string} metric
 * @param {string} drawn  How intervals are drawn.
 */
export function intervalNote (cells, metric, drawn) {
  if (metrics[metric].role === 'count') return 'counted, the same every time'
  return cells.some(({ metrics }) => metrics[metric].n > 1) ? `${drawn} are intervals of the medians` : 'one sample each: no intervals'
}

/**
 * @param {CellSummary} cell
 * @param {string} metric
 * @param {Queues} queues
 */
export function pointOf (cell, metric, { numberOf }) {
  const { median: value, low, high } = cell.metrics[metric]
  return { value, low, high, cell: numberOf(cell) }
}

/**
 * What the samples of each cell have seen, for cells with any; in the order of the run.
 *
 * @template T
 * @param {CellSummary[]} cells
 * @param {Sample[]} samples
 * @param {Queues} queues
 * @param {(sample: Sample) => T | null | undefined} read
 * @returns {{cell: CellSummary, seen: T[]}[]}
 */
export function readSamples (cells, samples, { names }, read) {
  return names.flatMap(name => cells.filter(({ queue }) => queue === name)).flatMap(cell => {
    const seen = samples.filter(sample => cellId(sample) === cellId(cell)).flatMap(sample => read(sample) ?? [])
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
