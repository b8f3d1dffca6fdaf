/** Metrics as measured, such as times: they have an axis of their own. */
import { metrics } from '../../harness/model/metrics.js'
import { drawCost } from './cost.js'

/**
 * @import { CellSummary } from '../../harness/judge/records.js'
 * @import { Line } from '../sweeps.js'
 * @import { MarksOf } from './captions.js'
 * @import { Measure } from './cost.js'
 */

const DRAWN = Object.keys(metrics).filter(name => metrics[name].isDrawn)

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
