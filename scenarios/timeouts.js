/**
 * The Node wiki's server that never answers: request number i times out after i milliseconds, which destroys the
 * socket, and the client connects again. Every timer expires.
 */
import { loadParameters, timeoutPresets } from './load-parameters.js'

/** @import { HttpScenario } from './contract.js' */

/** @type {HttpScenario} */
export const scenario = {
  name: 'timeouts',
  title: 'HTTP, no answers: request i times out after i ms',
  kind: 'http',
  source: 'Node wiki, "Optimizing _unrefActive" (2014): wrk -t12 -c5000 -d30s',
  parameters: loadParameters,
  presets: timeoutPresets,
  // A warm-up would use up the shortest timeouts.
  coldStart: true,
  breaksConnections: true,

  createServer (createServer) {
    let requests = 0
    return createServer(request => request.setTimeout(++requests, () => {}))
  }
}
