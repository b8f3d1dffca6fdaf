/**
 * A handler that creates many small objects, some of which live for a while. Run with
 * `--node-flags --max-semi-space-size=16,64,128,256`, it shows what a larger young generation saves.
 */
import { loadParameters } from './load-parameters.js'

/** The latest requests, whose objects are still referenced. */
const REMEMBERED = 500

/**
 * Of a class: where object literals are made that survive, V8 learns to put them into the old space at once. That would
 * happen in some processes and not in others, and then the young generation's size hardly matters.
 */
class Small {
  next = null

  /**
   * @param {number} request
   * @param {number} index
   */
  constructor (request, index) {
    this.request = request
    this.index = index
  }
}

/** @type {import('./contract.js').HttpScenario} */
export const scenario = {
  name: 'garbage',
  title: 'HTTP, every request makes many small objects',
  kind: 'http',
  source: 'semi-space size and garbage collection, Node 8 (2018)',
  parameters: { ...loadParameters, objects: { title: 'objects per request', minimum: 1 } },
  presets: {
    quick: { connections: [100], threads: [2], seconds: [3], objects: [1000] },
    documented: { connections: [100], threads: [12], seconds: [180], objects: [1000] },
    ci: { connections: [20], threads: [1], seconds: [1], objects: [100] }
  },

  createServer (createServer, { objects }) {
    /** @type {object[][]} */
    const remembered = new Array(REMEMBERED).fill([])
    let requests = 0
    return createServer((request, response) => {
      const made = []
      for (let i = 0; i < objects; i++) made.push(new Small(requests, i))
      remembered[requests++ % REMEMBERED] = made
      response.end()
    })
  }
}
