/** Which queues are not shown to be dearer than the least. */
import { enumerate } from '../../harness/model/numbers.js'
import { isApart } from './intervals.js'
import { at } from './words.js'

/**
 * @typedef {import('./contests.js').Place} Place
 * @typedef {import('./contests.js').Entry} Entry
 */

/**
 * Not only the next: the interval of one further down may be wide enough to reach the least.
 *
 * @param {Place} place
 * @returns {Entry[]}
 */
export function levelWith ({ ranking: [first, ...rest] }) {
  return rest.filter(({ figures }) => !isApart(first.figures, figures))
}

/**
 * How many of some places are in doubt, where there are too many to name.
 *
 * @param {Place[]} places  Led by the same queue.
 */
export function countLevel (places) {
  const open = places.filter(place => levelWith(place).length > 0)
  return open.length === 0 ? '' : ` (level with others at ${open.length})`
}

/**
 * level with heap at 10 and 100, with list and wheel at 1000
 *
 * @param {Place[]} places  Led by the same queue.
 */
export function describeLevel (places) {
  const queues = [...new Set(places.flatMap(levelWith).map(({ queue }) => queue))]
  const where = new Map(queues.map(queue => {
    const open = places.filter(place => levelWith(place).some(entry => entry.queue === queue))
    return [queue, places.length === 1 ? '' : at(...open)]
  }))
  const parts = [...new Set(where.values())].map(sizes => `with ${enumerate(queues.filter(queue => where.get(queue) === sizes))}${sizes}`)
  return parts.length === 0 ? '' : `level ${parts.join(', ')}`
}
