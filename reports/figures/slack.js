/** Cost against lateness: a curve for each queue, a point for each slack. */
import { formatParams } from '../../harness/model/numbers.js'
import { heatRatioOf } from '../costs.js'
import { rankedMetricsOf } from '../sweeps.js'
import { ranking, subtitle } from './captions.js'

/** A clock of milliseconds shows no less, and a logarithmic axis has no place for 0. */
const SHORTEST_MS = 1

/**
 * Costs are ratios to the control without slack, which is in every heat: the control itself changes with slack, and a queue may
 * be late without any.
 *
 * @param {import('../sweeps.js').Line} line
 * @param {import('./captions.js').Queues} queues
 * @returns {import('./index.js').Drawn[]} none where slack was not swept or lateness not recorded
 */
export function slackCurves (line, queues) {
  const { sweep, sweep: { control }, parameter, values, others, cells } = line
  const [metric] = rankedMetricsOf(line)
  const read = (/** @type {import('./captions.js').CellSummary} */ { queue, params, metrics: { [metric]: figures } }) => {
    if (params.slack > 0 || !figures) return figures?.toExact ?? null
    return queue === control ? { median: 1, low: 1, high: 1, n: figures.n } : heatRatioOf(figures)
  }
  const points = cells.flatMap(cell => {
    const [ratio, lateness] = [read(cell), cell.metrics.virtualLatenessP99Ms]
    return ratio && lateness ? [{ cell, ratio, lateness }] : []
  }).sort((a, b) => a.cell.params.slack - b.cell.params.slack)
  if (parameter !== 'slack' || !points.some(({ cell }) => cell.params.slack > 0)) return []

  const unit = `times ${control} without slack`
  const heats = points.filter(({ cell }) => cell.params.slack > 0).map(({ ratio: { n } }) => n)
  const counts = [...new Set([Math.min(...heats), Math.max(...heats)])].join(' to ')
  const most = values[values.length - 1]
  const measure = { title: '', axis: unit, unit, note: () => '', read }
  return [{
    kind: /** @type {const} */ ('lines'),
    title: `${sweep.scenario}: cost against lateness`,
    subtitle: subtitle(sweep, others, `a point for each slack: ${values.join(', ')} ms; bands are intervals over ${counts} heats`),
    description: `At ${formatParams({ slack: most })}: ${ranking(cells.filter(({ params }) => params.slack === most), measure)}.`,
    unit,
    x: { title: `lateness of expiries, 99th percentile, ms of virtual time (${SHORTEST_MS}: at most that)`, log: true },
    y: { title: unit, log: true },
    series: queues.names.flatMap(queue => {
      const own = points.filter(({ cell }) => cell.queue === queue)
        .map(({ cell, ratio: { median, low, high }, lateness }) => ({ x: Math.max(SHORTEST_MS, lateness.median), value: median, low, high, cell: queues.numberOf(cell) }))
      return own.length === 0 ? [] : [{ name: queue, control: queue === control, style: queues.styleOf(queue), points: own }]
    })
  }]
}
