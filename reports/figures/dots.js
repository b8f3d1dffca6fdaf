/** A cost where nothing was swept, a dot for each queue. */
import { metrics } from '../../harness/model/metrics.js'
import { intervalNote, pointOf, ranking, subtitle } from './captions.js'

/** On a linear axis, values further apart than this crowd near zero. */
const LOG_FROM = 12

/**
 * @param {import('../sweeps.js').Line} line  Every cell has the metric.
 * @param {string} metric
 * @param {import('./captions.js').Queues} queues
 */
export function costDots ({ sweep, others, cells }, metric, queues) {
  const rows = [...cells].sort((a, b) => a.metrics[metric].median - b.metrics[metric].median)
  const medians = rows.map(({ metrics }) => metrics[metric].median)
  const control = rows.find(({ queue }) => queue === sweep.control)
  return {
    kind: /** @type {const} */ ('dots'),
    title: `${sweep.scenario}: ${metrics[metric].title}`,
    subtitle: subtitle(sweep, { ...cells[0].params, ...others }, intervalNote(cells, metric, 'whiskers')),
    description: `${ranking(cells, metric)}.`,
    unit: cells[0].metrics[metric].unit,
    x: { title: metrics[metric].axis, log: medians[0] > 0 && medians[medians.length - 1] / medians[0] > LOG_FROM },
    marks: [{ title: metrics[metric].title, symbol: 'circle' }],
    rows: rows.map(cell => {
      const { cell: number, ...dot } = pointOf(cell, metric, queues)
      return { name: cell.queue, control: cell.queue === sweep.control, hue: queues.styleOf(cell.queue).hue, dots: [dot], cell: number }
    }),
    reference: control ? { value: control.metrics[metric].median, title: sweep.control } : null
  }
}
