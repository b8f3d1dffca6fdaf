/** A cost over a swept parameter, a curve for each queue. */
import { formatParams } from '../../harness/model/numbers.js'
import { inWords, parameterTitle, seriesOf, sorted, subtitle } from './captions.js'

/** @import { Line } from '../sweeps.js' */
/** @import { Measure, Queues } from './captions.js' */

/**
 * @param {Line} line  Swept.
 * @param {Measure} measure
 * @param {Queues} queues
 */
export function costCurves ({ sweep, parameter, others, cells }, measure, queues) {
  const name = /** @type {string} */ (parameter)
  const measured = sorted(cells, measure.read)
    .map(one => ({ ...one, x: one.cell.params[name] }))
    .sort((a, b) => a.x - b.x)
  const last = Math.max(...measured.map(({ x }) => x))
  return {
    kind: /** @type {const} */ ('lines'),
    title: `${sweep.scenario}: ${measure.title}`,
    subtitle: subtitle(sweep, others, measure.note('bands')),
    description: `At ${formatParams({ [name]: last })}: ${inWords(
      cells.filter(({ params }) => params[name] === last),
      measure
    )}.`,
    unit: measure.unit,
    x: { title: parameterTitle(name), log: measured.every(({ x }) => x > 0) },
    y: { title: measure.axis, log: measured.every(({ figures }) => figures.low > 0) },
    series: seriesOf(measured, queues, sweep.control)
  }
}
