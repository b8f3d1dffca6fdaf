/** Cost against lateness: a curve for each queue, a point for each slack. */
import { metricsIn, rankedMetrics } from '../../harness/model/metrics.js'
import { formatParams } from '../../harness/model/numbers.js'
import { inWords, measuredIn, rangeOf, ratioTo, seriesOf, subtitle } from './captions.js'

/** @import { Line } from '../sweeps.js' */
/** @import { MarksOf } from './captions.js' */

/** The shortest lateness that a clock of milliseconds shows; a logarithmic axis has no 0. */
const SHORTEST_MS = 1

/**
 * Costs are ratios to the control without slack, which runs in every heat: the control itself changes with slack, and a
 * queue may be late without any.
 *
 * @param {Line} line
 * @param {MarksOf} marksOf
 * @returns none where slack was not swept or lateness not recorded
 */
export function slackCurves (line, marksOf) {
  const { sweep, parameter, values } = line
  const [metric] = metricsIn(rankedMetrics, line.cells)
  const exactly = ratioTo(metric, sweep.control)
  const points = measuredIn(line.cells, cell =>
    cell.metrics.virtualLatenessP99Ms && (cell.params.slack > 0 ? cell.metrics[metric]?.toExact : exactly(cell))
  )
    .map(one => ({ ...one, x: Math.max(SHORTEST_MS, one.cell.metrics.virtualLatenessP99Ms.median) }))
    .sort((a, b) => a.cell.params.slack - b.cell.params.slack)
  const late = points.filter(({ cell }) => cell.params.slack > 0)
  if (parameter !== 'slack' || late.length === 0) return []

  const unit = `times ${sweep.control} without slack`
  const heats = rangeOf(late.map(({ figures: { n } }) => n))
  const most = values[values.length - 1]
  const latest = late.filter(({ cell }) => cell.params.slack === most)
  return [
    {
      kind: /** @type {const} */ ('lines'),
      title: `${sweep.scenario}: cost against lateness`,
      subtitle: subtitle(
        line,
        `a point for each slack: ${values.join(', ')} ms; bands are intervals over ${heats} heats`
      ),
      description: `At ${formatParams({ slack: most })}: ${inWords(latest, unit)}.`,
      unit,
      x: {
        title: `lateness of expiries, 99th percentile, ms of virtual time (${SHORTEST_MS}: at most that)`,
        log: true
      },
      y: { title: unit, log: true },
      rows: seriesOf(points, marksOf)
    }
  ]
}
