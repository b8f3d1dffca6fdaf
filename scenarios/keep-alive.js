/**
 * The server and the load of the Node wiki: it answers at once, over connections that stay open. Every chunk read or
 * written refreshes the socket's idle timer; nothing expires.
 */
import { loadParameters } from './load-parameters.js'

/** @type {import('./contract.js').HttpScenario} */
export const scenario = {
  name: 'keep-alive',
  title: 'HTTP, empty answers over connections that stay open',
  kind: 'http',
  source: 'Node wiki, "Optimizing _unrefActive" (2014): wrk -t12 -c400 -d30s',
  parameters: loadParameters,
  presets: {
    quick: { connections: [400], threads: [2], seconds: [1] },
    documented: { connections: [400], threads: [12], seconds: [30] },
    ci: { connections: [50], threads: [1], seconds: [1] }
  },

  createServer (createServer) {
    const server = createServer((request, response) => response.end())
    // As in Node 0.10: every socket has one idle timer of two minutes, and a connection may be idle that long.
    server.timeout = 120_000
    server.keepAliveTimeout = 0
    return server
  }
}
