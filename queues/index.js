/**
 * All queues with a name on the command line. Their modules are loaded by URL where they are used.
 *
 * @typedef {object} QueueEntry
 * @property {string} name
 * @property {'own' | 'peer' | 'built-in'} origin
 * @property {string} url
 * @property {boolean} isDefault  Whether it is measured where no queue is named.
 */
import { heaps } from './peers/heaps.js'

/**
 * @param {QueueEntry['origin']} origin
 * @param {(name: string) => string} fileOf
 * @returns {(name: string, use?: 'default') => QueueEntry}
 */
const listed = (origin, fileOf) => (name, use) => ({
  name,
  origin,
  url: new URL(fileOf(name), import.meta.url).href,
  isDefault: use === 'default'
})
const own = listed('own', name => `./${name}.js`)
const builtIn = listed('built-in', name => `./${name}.js`)
const peer = listed('peer', name => `./peers/index.js?${name}`)

/**
 * The default ones are the queues of the wiki page on Node's timers, the textbook's wheel, and the fastest queue here.
 * All fit into one heat.
 *
 * @type {QueueEntry[]}
 */
export const queues = [
  builtIn('node', 'default'),
  own('sorted-list', 'default'),
  own('sorted-list-from-tail'),
  own('unordered-list'),
  own('unsorted-array', 'default'),
  own('single-wakeup'),
  own('binary-heap', 'default'),
  own('quaternary-heap'),
  own('searched-heap'),
  own('pairing-heap'),
  own('radix-heap'),
  own('quick-heap'),
  own('calendar-queue'),
  own('ordered-map'),
  own('skip-list'),
  own('duration-lists', 'default'),
  own('adaptive-lists'),
  own('millisecond-lists'),
  own('hashed-wheel'),
  own('hashed-wheel-bounded'),
  own('bounded-wheel'),
  own('hierarchical-wheel', 'default'),
  own('lazy-wheel', 'default'),
  ...Object.keys(heaps).map(name => peer(name)),
  listed('peer', name => `./peers/${name}.js`)('list-toolkit-splay-tree')
]
