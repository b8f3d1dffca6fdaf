/** A cost where nothing was swept, a dot for each queue. */
import { inWords, sorted, subtitle } from './captions.js'

/** @import { Line } from '../sweeps.js' */
/** @import { Measure, Queues } from './captions.js' */

/** Values further apart than this crowd near zero on a linear axis. */
const LOG_FROM = 12

/**
 * @param {Line} line
 * @param {Measure} measure
 * @param {Queues} queues
 * @param {{log?: boolean}} [axis]  `log`: even where values are near each other, as ratios are.
 */
export function costDots ({ sweep, others, cells }, measure, queues, { log = false } = {}) {
  const rows = sorted(cells, measure.read)
  const [lowest, highest] = [rows[0], rows[rows.length - 1]].map(({ figures }) => figures.median)
  const control = rows.find(({ cell }) => cell.queue === sweep.control)
  return {
    kind: /** @type {const} */ ('dots'),
    title: `${sweep.scenario}: ${measure.title}`,
    subtitle: subtitle(sweep, { ...cells[0].params, ...others }, measure.note('whiskers')),
    description: `${inWords(cells, measure)}.`,
    unit: measure.unit,
    x: { title: measure.axis, log: lowest > 0 && (log || highest / lowest > LOG_FROM) },
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
