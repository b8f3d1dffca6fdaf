/** A cost over a swept parameter, a curve for each queue. */
import { formatParams } from '../../harness/model/numbers.js'
import { inWords, parameterTitle, sorted, subtitle } from './captions.js'

/** @import { Line } from '../sweeps.js' */
/** @import { Measure, Queues } from './captions.js' */

/**
 * @param {Line} line  Swept.
 * @param {Measure} measure
 * @param {Queues} queues
 */
export function costCurves ({ sweep, parameter, others, cells }, measure, queues) {
  const name = /** @type {string} */ (parameter)
  const measured = sorted(cells, measure.read).sort((a, b) => a.cell.params[name] - b.cell.params[name])
  const last = Math.max(...measured.map(({ cell }) => cell.params[name]))
  return {
    kind: /** @type {const} */ ('lines'),
    title: `${sweep.scenario}: ${measure.title}`,
    subtitle: subtitle(sweep, others, measure.note('bands')),
    description: `At ${formatParams({ [name]: last })}: ${inWords(
      cells.filter(({ params }) => params[name] === last),
      measure
    )}.`,
    unit: measure.unit,
    x: { title: parameterTitle(name), log: measured.every(({ cell }) => cell.params[name] > 0) },
    y: { title: measure.axis, log: measured.every(({ figures }) => figures.low > 0) },
    series: queues.names.flatMap(queue => {
      const points = measured
        .filter(({ cell }) => cell.queue === queue)
        .map(({ cell, figures: { median, low, high } }) => ({
          x: cell.params[name],
          value: median,
          low,
          high,
          cell: queues.numberOf(cell)
        }))
      return points.length === 0
        ? []
        : [{ name: queue, control: queue === sweep.control, style: queues.styleOf(queue), points }]
    })
  }
}
