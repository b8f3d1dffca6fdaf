/** The adapter of an npm heap: `index.js?tinyqueue` is the one of tinyqueue. */
import { heaps } from './heaps.js'
import { adapt } from './lazy-deletion.js'

const name = new URL(import.meta.url).search.slice(1)
if (!Object.hasOwn(heaps, name)) throw new Error(`index.js?NAME picks a peer: ${Object.keys(heaps).join(', ')}`)
const heap = heaps[name]

export const { Queue, meta } = adapt(name, heap, await import(heap.from ?? name))
