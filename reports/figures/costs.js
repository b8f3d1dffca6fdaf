/**
 * Costs of each queue: ratios of ranked metrics to the control, then metrics as measured. A dot where nothing was
 * swept, a curve over a swept parameter.
 */
import { metrics, metricsIn, rankedMetrics } from '../../harness/model/metrics.js'
import { endsOf, formatParams } from '../../harness/model/numbers.js'
import { byMedian, dotOf, inWords, parameterTitle, seriesOf, subtitle } from './captions.js'

/**
 * @import { CellSummary } from '../../harness/judge/records.js'
 * @import { Line } from '../sweeps.js'
 * @import { Figures, MarksOf } from './captions.js'
 *
 * @typedef {object} Measure  A value of each cell.
 * @property {string} title
 * @property {string} axis
 * @property {string} unit
 * @property {boolean} isRatio
 * @property {(drawn: string) => string} note  Remark on intervals, given how they are drawn.
 * @property {(cell: CellSummary) => Figures | null | undefined} read
 */

const DRAWN = Object.keys(metrics).filter(name => metrics[name].isDrawn)
/** Values further apart than this crowd near zero on a linear axis. Ratios are near each other, and need no zero. */
const LOG_FROM = 12

/**
 * @param {Line} line
 * @param {MarksOf} marksOf
 */
export const ratios = (line, marksOf) =>
  metricsIn(rankedMetrics, line.cells)
    .flatMap(metric => asCompared(metric, line.cells, line.sweep.control) ?? [])
    .map(measure => drawCost(line, measure, marksOf))

/**
 * @param {Line} line
 * @param {MarksOf} marksOf
 */
export const costs = (line, marksOf) =>
  DRAWN.filter(name => line.cells.some(({ metrics }) => metrics[name])).map(metric =>
    drawCost(line, asMeasured(metric, line.cells), marksOf)
  )

/**
 * @param {string} metric
 * @param {CellSummary[]} cells
 * @param {string} control
 * @returns {Measure | null} null: nothing was compared
 */
function asCompared (metric, cells, control) {
  const counts = cells.flatMap(({ metrics }) => metrics[metric]?.ratio?.n ?? [])
  if (counts.length === 0) return null
  const unit = `times ${control}`
  return {
    title: `${metrics[metric].title}, ratio to ${control}`,
    axis: unit,
    unit,
    isRatio: true,
    note: drawn => `${drawn} are intervals over ${endsOf(counts).join(' to ')} heats`,
    // The ratio of the control to itself is 1.
    read: ({ queue, metrics: { [metric]: figures } }) =>
      figures && queue === control ? { ...figures, median: 1, low: 1, high: 1 } : figures?.ratio
  }
}

/**
 * @param {string} metric
 * @param {CellSummary[]} cells
 * @returns {Measure}
 */
function asMeasured (metric, cells) {
  const measured = cells.flatMap(({ metrics }) => metrics[metric] ?? [])
  const { title, axis, role } = metrics[metric]
  const note = (/** @type {string} */ drawn) =>
    role === 'count'
      ? 'counted, the same every time'
      : measured.some(({ n }) => n > 1)
        ? `${drawn} are intervals of the medians`
        : 'one sample each: no intervals'
  return { title, axis, unit: measured[0].unit, isRatio: false, note, read: ({ metrics }) => metrics[metric] }
}

/**
 * @param {Line} line
 * @param {Measure} measure
 * @param {MarksOf} marksOf
 */
function drawCost (line, { title, axis, unit, isRatio, note, read }, marksOf) {
  const { sweep, parameter, cells } = line
  const measured = cells.flatMap(cell => {
    const figures = read(cell)
    return figures ? [{ cell, figures }] : []
  })
  const heading = { title: `${sweep.scenario}: ${title}`, unit }
  if (parameter === null) {
    const rows = measured.sort(byMedian)
    const control = rows.find(({ cell }) => cell.queue === sweep.control)
    const [lowest, highest] = [rows[0], rows[rows.length - 1]].map(({ figures }) => figures.median)
    return {
      ...heading,
      kind: /** @type {const} */ ('dots'),
      subtitle: subtitle(line, note('whiskers')),
      description: `${inWords(rows, unit)}.`,
      x: { title: axis, log: lowest > 0 && (isRatio || highest / lowest > LOG_FROM) },
      rows: rows.map(({ cell, figures }) => ({ ...marksOf(cell), dot: dotOf(figures) })),
      reference: control?.figures.median ?? null
    }
  }
  const points = measured.map(one => ({ ...one, x: one.cell.params[parameter] })).sort((a, b) => a.x - b.x)
  const last = points[points.length - 1].x
  const largest = points.filter(({ x }) => x === last)
  return {
    ...heading,
    kind: /** @type {const} */ ('lines'),
    subtitle: subtitle(line, note('bands')),
    description: `At ${formatParams({ [parameter]: last })}: ${inWords(largest, unit)}.`,
    x: { title: parameterTitle(parameter), log: points[0].x > 0 },
    y: { title: axis, log: points.every(({ figures }) => figures.low > 0) },
    rows: seriesOf(points, marksOf)
  }
}
