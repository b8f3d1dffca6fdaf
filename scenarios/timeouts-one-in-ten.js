/**
 * The Node wiki's server that answers nine requests in ten at once and never answers the tenth. The i-th unanswered
 * request times out after i milliseconds, which destroys the socket.
 */
import { loadParameters, timeoutPresets } from './load-parameters.js'

/** @import { HttpScenario } from './contract.js' */

const UNANSWERED = 10

/** @type {HttpScenario} */
export const scenario = {
  name: 'timeouts-one-in-ten',
  title: 'HTTP, one request in ten is never answered and times out',
  kind: 'http',
  source: 'Node wiki, "Optimizing _unrefActive" (2014): one timeout in ten requests',
  parameters: loadParameters,
  presets: timeoutPresets,
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
