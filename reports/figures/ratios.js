/** Ratios of ranked metrics to the control. */
import { metrics, metricsIn, rankedMetrics } from '../../harness/model/metrics.js'
import { endsOf } from '../../harness/model/numbers.js'
import { drawCost } from './cost.js'

/**
 * @import { CellSummary } from '../../harness/judge/records.js'
 * @import { Line } from '../sweeps.js'
 * @import { MarksOf } from './captions.js'
 * @import { Measure } from './cost.js'
 */

/**
 * @param {Line} line
 * @param {MarksOf} marksOf
 */
export const ratios = (line, marksOf) =>
  metricsIn(rankedMetrics, line.cells)
    .flatMap(metric => asCompared(metric, line.cells, line.sweep.control) ?? [])
    .map(measure => drawCost(line, measure, marksOf))

/**
 * @param {string} metric
 * @param {CellSummary[]} cells
 * @param {string} control
 * @returns {Measure | null} null: nothing was compared
 */
function asCompared (metric, cells, control) {
  const counts = cells.flatMap(({ metrics }) => metrics[metric]?.ratio?.n ?? [])
  const unit = `times ${control}`
  return counts.length === 0
    ? null
    : {
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
