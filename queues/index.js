/**
 * Every queue that has a name on the command line. Modules are named by URL and loaded where they are used.
 *
 * @typedef {{name: string, origin: 'own' | 'peer' | 'built-in', url: string}} QueueEntry
 */

/**
 * @param {string} name
 * @returns {QueueEntry}
 */
const own = name => ({ name, origin: 'own', url: new URL(`./${name}.js`, import.meta.url).href })

/** @type {QueueEntry[]} */
export const queues = [
  own('sorted-list'),
  own('sorted-list-from-tail'),
  own('unsorted-array'),
  own('binary-heap'),
  own('duration-lists'),
  own('hierarchical-wheel')
]
