/**
 * The server and the load of the Node wiki: immediate answers over connections that stay open. Every chunk read or
 * written refreshes the socket's idle timer. No timer expires.
 */
import { keepAlivePresets, loadParameters } from './load-parameters.js'

/** @import { HttpScenario } from './contract.js' */

/** @type {HttpScenario} */
export const scenario = {
  name: 'keep-alive',
  title: 'HTTP, empty answers over connections that stay open',
  kind: 'http',
  source: 'Node wiki, "Optimizing _unrefActive" (2014): wrk -t12 -c400 -d30s',
  parameters: loadParameters,
  presets: keepAlivePresets,

  createServer (createServer) {
    const server = createServer((request, response) => response.end())
    // As in Node 0.10: one idle timer of two minutes for each socket.
    server.timeout = 120_000
    server.keepAliveTimeout = 0
    return server
  }
}
