/**
 * All queues with a name on the command line. Their modules are loaded by URL where they are used.
 *
 * @typedef {{name: string, origin: 'own' | 'peer' | 'built-in', url: string}} QueueEntry
 */

/**
 * @param {QueueEntry['origin']} origin
 * @param {(name: string) => string} fileOf
 * @returns {(name: string) => QueueEntry}
 */
const listed = (origin, fileOf) => name => ({ name, origin, url: new URL(fileOf(name), import.meta.url).href })
const own = listed('own', name => `./${name}.js`)
const builtIn = listed('built-in', name => `./${name}.js`)
const peer = listed('peer', name => `./peers/index.js?${name}`)

/** @type {QueueEntry[]} */
export const queues = [
  builtIn('node'),
  own('sorted-list'),
  own('sorted-list-from-tail'),
  own('unordered-list'),
  own('unsorted-array'),
  own('single-wakeup'),
  own('binary-heap'),
  own('quaternary-heap'),
  own('searched-heap'),
  own('pairing-heap'),
  own('radix-heap'),
  own('quick-heap'),
  own('calendar-queue'),
  own('ordered-map'),
  own('skip-list'),
  own('duration-lists'),
  own('adaptive-lists'),
  own('millisecond-lists'),
  own('hashed-wheel'),
  own('hashed-wheel-bounded'),
  own('coarse-wheel'),
  own('bounded-wheel'),
  own('hierarchical-wheel'),
  own('lazy-wheel'),
  own('incremental-wheel'),
  peer('tinyqueue'),
  peer('flatqueue'),
  peer('heap-js'),
  peer('fastpriorityqueue'),
  peer('datastructures-js-priority-queue'),
  peer('js-priority-queue'),
  peer('binaryheap'),
  peer('list-toolkit-heap'),
  listed('peer', name => `./peers/${name}.js`)('list-toolkit-splay-tree')
]
