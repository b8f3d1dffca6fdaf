/**
 * The Node wiki's server that answers nine requests in ten at once and never answers the tenth. The i-th unanswered
 * request times out after i milliseconds, which destroys its socket.
 */
import { loadParameters } from './load-parameters.js'

const UNANSWERED = 10

/** @type {import('./contract.js').HttpScenario} */
export const scenario = {
  name: 'timeouts-one-in-ten',
  title: 'HTTP, one request in ten is never answered and times out',
  kind: 'http',
  source: 'Node wiki, "Optimizing _unrefActive" (2014): one timeout in ten requests',
  parameters: loadParameters,
  presets: {
    quick: { connections: [1000], threads: [2], seconds: [3] },
    documented: { connections: [5000], threads: [12], seconds: [30] },
    ci: { connections: [100], threads: [1], seconds: [1] }
  },
  // A warm-up would use up the shortest timeouts.
  coldStart: true,
  breaksConnections: true,

  createServer (createServer) {
    let requests = 0
    return createServer((request, response) => {
      requests++
      if (requests % UNANSWERED === 0) request.setTimeout(requests / UNANSWERED, () => {})
      else response.end()
    })
  }
}
