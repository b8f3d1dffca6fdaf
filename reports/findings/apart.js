/** Which queues are clearly apart, and which tie. */
import { enumerate } from '../../harness/model/numbers.js'
import { at } from './words.js'

/**
 * @typedef {import('../../harness/summary.js').MetricSummary} MetricSummary
 * @typedef {import('./contests.js').Place} Place
 * @typedef {import('./contests.js').Entry} Entry
 */

/**
 * Whether a cost is clearly lower than another: their intervals do not overlap. One sample has no interval and shows nothing.
 * Tables, findings and charts all ask here.
 *
 * @param {MetricSummary} low
 * @param {MetricSummary} high
 */
export const areApart = (low, high) => low.n > 1 && high.n > 1 && low.high < high.low

/**
 * The queues that are not clearly higher than the lowest: not only the next one, for the interval of one further down may be
 * wide enough to reach the lowest.
 *
 * @param {{ranking: Entry[]}} place
 * @returns {Entry[]}
 */
export function tiedWith ({ ranking: [first, ...others] }) {
  return others.filter(({ figures }) => !areApart(first.figures, figures))
}

/**
 * In how many places others tie with the lowest: for maps, which have too many places to name.
 *
 * @param {Place[]} places  Led by the same queue.
 */
export function countTies (places) {
  const open = places.filter(place => tiedWith(place).length > 0)
  return open.length === 0 ? '' : ` (tied with others at ${open.length})`
}

/**
 * tied with heap at 10 and 100, with list and wheel at 1000
 *
 * @param {Place[]} places  Led by the same queue.
 */
export function describeTies (places) {
  const queues = [...new Set(places.flatMap(tiedWith).map(({ queue }) => queue))]
  const where = new Map(queues.map(queue => {
    const open = places.filter(place => tiedWith(place).some(entry => entry.queue === queue))
    return [queue, places.length === 1 ? '' : at(...open)]
  }))
  const parts = [...new Set(where.values())].map(sizes => `with ${enumerate(queues.filter(queue => where.get(queue) === sizes))}${sizes}`)
  return parts.length === 0 ? '' : `tied ${parts.join(', ')}`
}
