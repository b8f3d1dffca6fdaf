/**
 * The Node wiki's server that never answers: request number i times out after i milliseconds, which destroys its socket,
 * and the client connects again. Every timer expires.
 */
import { loadParameters } from './load-parameters.js'

/** @type {import('./contract.js').HttpScenario} */
export const scenario = {
  name: 'timeouts',
  title: 'HTTP, no answers: request i times out after i ms',
  kind: 'http',
  source: 'Node wiki, "Optimizing _unrefActive" (2014): wrk -t12 -c5000 -d30s',
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
    return createServer(request => request.setTimeout(++requests, () => {}))
  }
}
