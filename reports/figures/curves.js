/** A cost over a swept parameter, a curve for each queue. */
import { formatParams } from '../../harness/model/numbers.js'
import { parameterTitle, ranking, subtitle } from './captions.js'

/**
 * @param {import('../sweeps.js').Line} line  Swept.
 * @param {import('./captions.js').Measure} measure
 * @param {import('./captions.js').Queues} queues
 */
export function costCurves ({ sweep, parameter, others, cells }, measure, queues) {
  const name = /** @type {string} */ (parameter)
  const measured = cells.flatMap(cell => {
    const figures = measure.read(cell)
    return figures ? [{ cell, figures }] : []
  })
  const series = queues.names.flatMap(queue => {
    const points = measured.filter(({ cell }) => cell.queue === queue).sort((a, b) => a.cell.params[name] - b.cell.params[name])
      .map(({ cell, figures: { median, low, high } }) => ({ x: cell.params[name], value: median, low, high, cell: queues.numberOf(cell) }))
    return points.length === 0 ? [] : [{ name: queue, control: queue === sweep.control, style: queues.styleOf(queue), points }]
  })
  const last = Math.max(...measured.map(({ cell }) => cell.params[name]))
  return {
    kind: /** @type {const} */ ('lines'),
    title: `${sweep.scenario}: ${measure.title}`,
    subtitle: subtitle(sweep, others, measure.note('bands')),
    description: `At ${formatParams({ [name]: last })}: ${ranking(cells.filter(({ params }) => params[name] === last), measure)}.`,
    unit: measure.unit,
    x: { title: parameterTitle(name), log: measured.every(({ cell }) => cell.params[name] > 0) },
    y: { title: measure.axis, log: measured.every(({ figures }) => figures.low > 0) },
    series
  }
}
