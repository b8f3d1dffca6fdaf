/**
 * The queues against each other on one metric, everything else the same. Lower is better.
 */
import { tableId } from '../../harness/model/cell.js'
import { groupBy } from '../../harness/model/group-by.js'
import { metrics } from '../../harness/model/metrics.js'
import { enumerate } from '../../harness/model/numbers.js'
import { rank } from '../costs.js'
import { isMapped, linesOf, sweepsOf, rankedMetricsOf } from '../sweeps.js'
import { nameOf } from './words.js'

/**
 * @typedef {import('../../harness/judge/summary.js').Summary} Summary
 * @typedef {import('../costs.js').Entry} Entry
 * @typedef {import('../sweeps.js').Line} Line
 *
 * @typedef {object} Place  All queues at one value of the swept parameter.
 * @property {Line} line
 * @property {string} title  Of the metric.
 * @property {number | null} at  The value of the swept parameter.
 * @property {Entry[]} ranking  The lowest first.
 *
 * @typedef {object} Contest  The places along one line.
 * @property {Line} line
 * @property {string} metric
 * @property {string} title  Of the metric, in sentences.
 * @property {Place[]} places
 */

/** @param {Summary} summary */
export function contestsOf (summary) {
  return sweepsOf(summary).flatMap(linesOf).flatMap(line => rankedMetricsOf(line).flatMap(metric => contestOf(line, metric)))
}

/**
 * @param {Line} line
 * @param {string} metric
 * @returns {Contest[]}
 */
function contestOf (line, metric) {
  const { parameter, values, cells, sweep } = line
  const { title } = metrics[metric]
  const places = (parameter === null ? [null] : values).flatMap(at => {
    const here = cells.filter(({ params }) => at === null || params[/** @type {string} */ (parameter)] === at)
    const ranking = rank(here, metric, sweep.control)
    return ranking.length === 0 ? [] : [{ line, title, at, ranking }]
  })
  return places.length === 0 ? [] : [{ line, metric, title, places }]
}

/**
 * The contests of each scenario that is swept over several parameters, together.
 *
 * @param {Contest[]} contests
 * @returns {{name: string, title: string, swept: string, places: Place[]}[]}
 */
export function mapsOf (contests) {
  const mapped = contests.filter(({ line }) => isMapped(line.sweep))
  const together = groupBy(mapped, ({ line, metric }) => `${tableId({ ...line.sweep, params: {} })} ${metric}`)
  return [...together.values()].map(own => {
    const [{ line, title }] = own
    return {
      name: nameOf({ ...line, others: {} }),
      title,
      swept: enumerate(Object.keys(line.sweep.swept)),
      places: own.flatMap(({ places }) => places)
    }
  })
}

/**
 * @param {Place} place
 * @param {string} queue
 */
export const entryOf = ({ ranking }, queue) => /** @type {Entry} */ (ranking.find(entry => entry.queue === queue))

/**
 * How many times the lowest a queue is.
 *
 * @param {Place} place
 * @param {string} queue
 */
export const ratioOf = (place, queue) => entryOf(place, queue).cost.median / place.ranking[0].cost.median
