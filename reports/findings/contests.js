/**
 * Who costs what where: the queues against each other on one metric, everything else the same. Lower is better.
 */
import { enumerate } from '../../harness/model/numbers.js'
import { isMapped, linesOf, sweepsOf, timedMetricsOf } from '../sweeps.js'
import { nameOf } from './words.js'

/**
 * @typedef {import('../../harness/summary.js').Summary} Summary
 * @typedef {import('../../harness/summary.js').MetricSummary} MetricSummary
 * @typedef {import('../sweeps.js').Line} Line
 *
 * @typedef {object} Place  The queues against each other on one metric, everything else the same.
 * @property {Line} line
 * @property {string} metric
 * @property {number | null} at  Of the swept parameter.
 * @property {Entry[]} ranking  The cheapest first.
 *
 * @typedef {{queue: string, figures: MetricSummary}} Entry
 *
 * @typedef {object} Contest  The places along one line.
 * @property {Line} line
 * @property {string} metric
 * @property {Place[]} places
 */

/** @param {Summary} summary */
export function contestsOf (summary) {
  return sweepsOf(summary).flatMap(linesOf).flatMap(line => timedMetricsOf(line).flatMap(metric => contestOf(line, metric)))
}

/**
 * @param {Line} line
 * @param {string} metric
 * @returns {Contest[]}
 */
function contestOf (line, metric) {
  const { parameter, values, cells } = line
  const places = (parameter === null ? [null] : values).flatMap(at => {
    const here = cells.filter(({ params, metrics }) => metrics[metric] && (at === null || params[/** @type {string} */ (parameter)] === at))
    const ranking = here.map(({ queue, metrics }) => ({ queue, figures: metrics[metric] })).sort((a, b) => a.figures.median - b.figures.median)
    return ranking.length === 0 ? [] : [{ line, metric, at, ranking }]
  })
  return places.length === 0 ? [] : [{ line, metric, places }]
}

/**
 * The contests of each scenario that is swept over several parameters, together.
 *
 * @param {Contest[]} contests
 * @returns {{name: string, metric: string, swept: string, places: Place[]}[]}
 */
export function mapsOf (contests) {
  const mapped = contests.filter(({ line }) => isMapped(line.sweep))
  const keyOf = (/** @type {Contest} */ { line, metric }) => JSON.stringify([line.sweep.scenario, line.sweep.runtime, metric])
  return [...new Set(mapped.map(keyOf))].map(key => {
    const own = mapped.filter(contest => keyOf(contest) === key)
    const [{ line, metric }] = own
    const names = Object.keys(line.sweep.swept)
    return {
      name: nameOf({ ...line, others: {} }),
      metric,
      swept: enumerate(names),
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
 * @param {Place} place
 * @param {string} queue
 */
export const ratioOf = (place, queue) => entryOf(place, queue).figures.median / place.ranking[0].figures.median
