/** Cost against lateness: a curve for each queue, a point for each slack. */
import { metricsIn, rankedMetrics } from '../../harness/model/metrics.js'
import { formatParams } from '../../harness/model/numbers.js'
import { inWords, rangeOf, subtitle } from './captions.js'

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
      const [ratio, lateness] = [read(cell), cell.metrics.virtualLatenessP99Ms]
      return ratio && lateness ? [{ cell, ratio, lateness }] : []
    })
    .sort((a, b) => a.cell.params.slack - b.cell.params.slack)
  if (parameter !== 'slack' || !points.some(({ cell }) => cell.params.slack > 0)) return []

  const unit = `times ${control} without slack`
  const heats = rangeOf(points.filter(({ cell }) => cell.params.slack > 0).map(({ ratio: { n } }) => n))
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
      series: queues.names.flatMap(queue => {
        const own = points
          .filter(({ cell }) => cell.queue === queue)
          .map(({ cell, ratio: { median, low, high }, lateness }) => ({
            x: Math.max(SHORTEST_MS, lateness.median),
            value: median,
            low,
            high,
            cell: queues.numberOf(cell)
          }))
        return own.length === 0
          ? []
          : [{ name: queue, control: queue === control, style: queues.styleOf(queue), points: own }]
      })
    }
  ]
}
