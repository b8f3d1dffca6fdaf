/** Which queues are clearly apart, which are level, and which tie because nothing shows a difference. */
import { enumerate } from '../../harness/model/numbers.js'
import { ratioTo } from '../costs.js'
import { at } from './words.js'

/**
 * @typedef {import('../costs.js').Cost} Cost
 * @typedef {import('../costs.js').Entry} Entry
 * @typedef {import('./contests.js').Place} Place
 */

/** Differences up to this ratio are not worth changing the queue for. */
export const LEVEL = 1.05

/**
 * One sample has no interval and shows nothing.
 *
 * @param {{n: number}} cost
 */
export const isKnown = ({ n }) => n > 1

/**
 * Whether an interval lies below another.
 *
 * @param {Pick<Cost, 'low' | 'high' | 'n'>} low
 * @param {Pick<Cost, 'low' | 'high' | 'n'>} high
 */
export const isBelow = (low, high) => isKnown(low) && isKnown(high) && low.high < high.low

/**
 * Whether a queue is clearly lower than another. By their own ratio where they ran in the same heats; by their ratios to the
 * same control where heats have given both, which is cautious; else by the intervals of their medians. Tables, findings and
 * charts all ask here.
 *
 * @param {Entry} low
 * @param {Entry} high
 */
export function areApart (low, high) {
  const ratio = ratioTo(high.figures, low.queue)
  if (ratio) return isKnown(ratio) && ratio.low > 1
  return low.cost.isRelative && high.cost.isRelative ? isBelow(low.cost, high.cost) : isBelow(low.figures, high.figures)
}

/**
 * Whether a queue is shown to be at most 5 % higher than another. Only ratios are good enough to show that.
 *
 * @param {Entry} low
 * @param {Entry} high
 */
function areLevel (low, high) {
  const ratio = ratioTo(high.figures, low.queue)
  if (ratio) return isKnown(ratio) && ratio.high <= LEVEL && ratio.low >= 1 / LEVEL
  const isRelative = low.cost.isRelative && high.cost.isRelative
  return isRelative && isKnown(low.cost) && isKnown(high.cost) && high.cost.high <= LEVEL * low.cost.low
}

/**
 * The queues that may be as low as the lowest. Not only the next one: the interval of one further down may be wide enough to
 * reach the lowest.
 *
 * @param {{ranking: Entry[]}} place
 * @returns {Entry[]}
 */
export function tiedWith ({ ranking: [first, ...others] }) {
  return others.filter(entry => !areApart(first, entry) && !areLevel(first, entry))
}

/**
 * The queues that are shown to be within 5 % of the lowest.
 *
 * @param {{ranking: Entry[]}} place
 * @returns {Entry[]}
 */
export const levelWith = ({ ranking: [first, ...others] }) => others.filter(entry => areLevel(first, entry))

/**
 * The queues that are clearly higher than the lowest, and not level with it.
 *
 * @param {{ranking: Entry[]}} place
 * @returns {Entry[]}
 */
export const higherThan = ({ ranking: [first, ...others] }) => others.filter(entry => areApart(first, entry) && !areLevel(first, entry))

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
export const describeTies = places => describe(places, 'tied', tiedWith)

/**
 * level within 5 % with heap at 10
 *
 * @param {Place[]} places  Led by the same queue.
 */
export const describeLevel = places => describe(places, 'level within 5 %', levelWith)

/**
 * @param {Place[]} places
 * @param {string} relation
 * @param {(place: Place) => Entry[]} othersAt
 */
function describe (places, relation, othersAt) {
  const queues = [...new Set(places.flatMap(othersAt).map(({ queue }) => queue))]
  const where = new Map(queues.map(queue => {
    const own = places.filter(place => othersAt(place).some(entry => entry.queue === queue))
    return [queue, places.length === 1 ? '' : at(...own)]
  }))
  const parts = [...new Set(where.values())].map(sizes => `with ${enumerate(queues.filter(queue => where.get(queue) === sizes))}${sizes}`)
  return parts.length === 0 ? '' : `${relation} ${parts.join(', ')}`
}
