/** Parts that the pictures of a run share: figures of cells, their words, and the marks of their queues. */
import { groupBy } from '../../harness/model/group-by.js'
import { formatInterval, formatParams } from '../../harness/model/numbers.js'

/**
 * @import { CellSummary } from '../../harness/judge/records.js'
 * @import { Style } from '../charts/style.js'
 * @import { Line } from '../sweeps.js'
 *
 * @typedef {{name: string, control: boolean, style: Style}} Marks
 *
 * @typedef {(cell: CellSummary) => Marks} MarksOf  The queue of a cell, as all pictures show it.
 *
 * @typedef {{median: number, low: number, high: number, n: number}} Figures
 *
 * @typedef {{cell: CellSummary, figures: Figures}} Measured
 */

/** @type {(a: Measured, b: Measured) => number} */
export const byMedian = (a, b) => a.figures.median - b.figures.median

/**
 * @param {Line} line
 * @param {string} note
 */
export function subtitle ({ sweep: { runtime, control }, parameter, others, cells }, note) {
  const params = parameter === null ? { ...cells[0].params, ...others } : others
  const hasControl = cells.some(({ queue }) => queue === control)
  return [formatParams(params), `Node ${runtime}`, note, hasControl ? '= control' : ''].filter(Boolean).join('; ')
}

/** @param {string} parameter */
export const parameterTitle = parameter => (parameter === 'size' ? 'pending timers' : parameter)

/**
 * Figures for readers who cannot see the picture, the lowest first.
 *
 * @param {Measured[]} measured
 * @param {string} unit
 */
export const inWords = (measured, unit) =>
  measured
    .toSorted(byMedian)
    .map(({ cell: { queue }, figures }) => `${queue} ${formatInterval(figures)} ${unit}`.trim())
    .join(', ')

/** @param {Figures} figures */
export const dotOf = ({ median: value, low, high }) => ({ value, low, high })

/**
 * @param {(Measured & {x: number})[]} points  Points in the order of their curves.
 * @param {MarksOf} marksOf
 */
export const seriesOf = (points, marksOf) =>
  [...groupBy(points, ({ cell }) => cell.queue).values()].map(own => ({
    ...marksOf(own[0].cell),
    points: own.map(({ x, figures }) => ({ x, ...dotOf(figures) }))
  }))
