/** Cost against lateness: a curve for each queue, a point for each slack. */
import { metricsIn, rankedMetrics } from '../../harness/model/metrics.js'
import { formatParams } from '../../harness/model/numbers.js'
import { inWords, rangeOf, seriesOf, subtitle } from './captions.js'

/** @import { CellSummary } from '../../harness/judge/summary.js' */
/** @import { Line } from '../sweeps.js' */
/** @import { Queues } from './captions.js' */
/** @import { Drawn } from './index.js' */

/** The shortest lateness that a clock of milliseconds shows; a logarithmic axis has no 0. */
const SHORTEST_MS = 1

/**
 * Costs are ratios to the control without slack, which runs in every heat: the control itself changes with slack, and a
 * queue may be late without any.
 *
 * @param {Line} line
 * @param {Queues} queues
 * @returns {Drawn[]} none where slack was not swept or lateness not recorded
 */
export function slackCurves (line, queues) {
  const {
    sweep,
    sweep: { control },
    parameter,
    values,
    others,
    cells
  } = line
  const [metric] = metricsIn(rankedMetrics, cells)
  const read = (/** @type {CellSummary} */ { queue, params, metrics: { [metric]: figures } }) => {
    if (params.slack > 0 || !figures) return figures?.toExact ?? null
    return queue === control ? { median: 1, low: 1, high: 1, n: figures.n } : (figures.ratio ?? null)
  }
  const points = cells
    .flatMap(cell => {
      const [figures, lateness] = [read(cell), cell.metrics.virtualLatenessP99Ms]
      return figures && lateness ? [{ cell, x: Math.max(SHORTEST_MS, lateness.median), figures }] : []
    })
    .sort((a, b) => a.cell.params.slack - b.cell.params.slack)
  const late = points.filter(({ cell }) => cell.params.slack > 0)
  if (parameter !== 'slack' || late.length === 0) return []

  const unit = `times ${control} without slack`
  const heats = rangeOf(late.map(({ figures: { n } }) => n))
  const most = values[values.length - 1]
  return [
    {
      kind: /** @type {const} */ ('lines'),
      title: `${sweep.scenario}: cost against lateness`,
      subtitle: subtitle(
        sweep,
        others,
        `a point for each slack: ${values.join(', ')} ms; bands are intervals over ${heats} heats`
      ),
      description: `At ${formatParams({ slack: most })}: ${inWords(
        cells.filter(({ params }) => params.slack === most),
        { title: '', axis: unit, unit, note: () => '', read }
      )}.`,
      unit,
      x: {
        title: `lateness of expiries, 99th percentile, ms of virtual time (${SHORTEST_MS}: at most that)`,
        log: true
      },
      y: { title: unit, log: true },
      series: seriesOf(points, queues, control)
    }
  ]
}
