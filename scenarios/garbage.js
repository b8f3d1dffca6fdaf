/**
 * A handler that creates many small objects, some of which live for a while. With several
 * `NODE_OPTIONS=--max-semi-space-size=64`, the scenario shows the gain of a larger young generation.
 */
import { loadParameters } from './load-parameters.js'

/** @import { HttpScenario } from './contract.js' */

/** Number of latest requests whose objects stay referenced. */
const REMEMBERED = 500

/**
 * A class, because V8 learns to put object literals that survive into the old space at once. That happens in some
 * processes and not in others, and makes the size of the young generation hardly matter.
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

/** @type {HttpScenario} */
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
