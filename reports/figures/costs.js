/**
 * Costs of each queue: ratios of ranked metrics to the control, then metrics as measured. A dot where nothing was
 * swept, a curve over a swept parameter.
 */
import { compact } from '../../harness/model/compact.js'
import { groupBy } from '../../harness/model/group-by.js'
import { metrics, metricsIn, rankedMetrics } from '../../harness/model/metrics.js'
import { endsOf, formatParams } from '../../harness/model/numbers.js'
import { nameOf, parameterTitle } from '../sweeps.js'

/**
 * @import { CellSummary } from '../../harness/judge/records.js'
 * @import { Line } from '../sweeps.js'
 * @import { MarksOf } from './index.js'
 *
 * @typedef {{median: number, low: number, high: number}} Figures
 *
 * @typedef {object} Measure  A value of each cell.
 * @property {string} title
 * @property {string} unit
 * @property {boolean} [isRatio]
 * @property {string} note  Remark on intervals.
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
  metricsIn(rankedMetrics, line.cells).flatMap(metric => {
    const { cells, sweep: { control } } = line
    const counts = cells.flatMap(({ metrics }) => metrics[metric]?.ratio?.n ?? [])
    const measure = {
      title: `${metrics[metric].title}, ratio to ${control}`,
      unit: `times ${control}`,
      isRatio: true,
      note: `whiskers are intervals over ${endsOf(counts).join(' to ')} heats`,
      // The ratio of the control to itself is 1.
      read: (/** @type {CellSummary} */ { queue, metrics: { [metric]: figures } }) =>
        figures && queue === control ? { median: 1, low: 1, high: 1 } : figures?.ratio
    }
    return counts.length > 0 ? drawCost(line, measure, marksOf) : []
  })

/**
 * @param {Line} line
 * @param {MarksOf} marksOf
 */
export const costs = (line, marksOf) =>
  DRAWN.filter(name => line.cells.some(({ metrics }) => metrics[name])).map(metric => {
    const { title, unit, role } = metrics[metric]
    const isRepeated = line.cells.some(({ metrics }) => Number(metrics[metric]?.n) > 1)
    const interval = isRepeated ? 'whiskers are intervals of the medians' : 'one sample each: no intervals'
    const note = role === 'count' ? 'counted, the same every time' : interval
    return drawCost(line, { title, unit, note, read: ({ metrics }) => metrics[metric] }, marksOf)
  })

/**
 * @param {Line} line
 * @param {Measure} measure
 * @param {MarksOf} marksOf
 */
function drawCost (line, { title, unit, isRatio, note, read }, marksOf) {
  const { sweep: { scenario, runtime, control }, parameter, values, cells } = line
  const measured = cells.flatMap(cell => {
    const figures = read(cell)
    if (!figures) return []
    const { median, low, high } = figures
    return [{ cell, dot: { median, low, high } }]
  })
  const reference = measured.find(({ cell }) => cell.queue === control)?.dot.median ?? null
  const heading = {
    title: compact(`${scenario}: ${title}`, nameOf(line)).join(', '),
    subtitle: compact(
      parameter === null && formatParams(cells[0].params),
      `Node ${runtime}`,
      note,
      reference !== null && '= control'
    ).join('; '),
    unit
  }
  if (parameter === null) {
    const rows = measured.sort((a, b) => a.dot.median - b.dot.median)
    const [lowest, highest = lowest] = endsOf(rows.map(({ dot }) => dot.median))
    return {
      ...heading,
      kind: /** @type {const} */ ('dots'),
      log: lowest > 0 && (isRatio || highest / lowest > LOG_FROM),
      rows: rows.map(({ cell, dot }) => ({ ...marksOf(cell), ...dot })),
      reference
    }
  }
  return {
    ...heading,
    kind: /** @type {const} */ ('lines'),
    x: { title: parameterTitle(parameter), log: values[0] > 0 },
    log: measured.every(({ dot }) => dot.low > 0),
    rows: [...groupBy(measured, ({ cell }) => cell.queue)].map(([, own]) => ({
      ...marksOf(own[0].cell),
      points: own.map(({ cell, dot }) => ({ x: cell.params[parameter], ...dot })).sort((a, b) => a.x - b.x)
    }))
  }
}
