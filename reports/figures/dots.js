/** A cost where nothing was swept, a dot for each queue. */
import { ranking, sorted, subtitle } from './captions.js'

/** On a linear axis, values further apart than this crowd near zero. */
const LOG_FROM = 12

/**
 * @param {import('../sweeps.js').Line} line
 * @param {import('./captions.js').Measure} measure
 * @param {import('./captions.js').Queues} queues
 * @param {{log?: boolean}} [axis]  `log`: even where values are near each other, as ratios are.
 */
export function costDots ({ sweep, others, cells }, measure, queues, { log = false } = {}) {
  const rows = sorted(cells, measure.read)
  const medians = rows.map(({ figures }) => figures.median)
  const control = rows.find(({ cell }) => cell.queue === sweep.control)
  return {
    kind: /** @type {const} */ ('dots'),
    title: `${sweep.scenario}: ${measure.title}`,
    subtitle: subtitle(sweep, { ...cells[0].params, ...others }, measure.note('whiskers')),
    description: `${ranking(cells, measure)}.`,
    unit: measure.unit,
    x: { title: measure.axis, log: medians[0] > 0 && (log || medians[medians.length - 1] / medians[0] > LOG_FROM) },
    marks: [{ title: measure.title, symbol: 'circle' }],
    rows: rows.map(({ cell, figures: { median, low, high } }) => ({
      name: cell.queue,
      control: cell.queue === sweep.control,
      hue: queues.styleOf(cell.queue).hue,
      dots: [{ value: median, low, high }],
      cell: queues.numberOf(cell)
    })),
    reference: control ? { value: control.figures.median, title: sweep.control } : null
  }
}
