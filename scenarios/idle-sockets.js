/** Thousands of open, idle connections, each with a timeout, and a few that send a request now and then. */
import { loadParameters } from './load-parameters.js'

/** @import { HttpScenario } from './contract.js' */

/** @type {HttpScenario} */
export const scenario = {
  name: 'idle-sockets',
  title: 'HTTP, thousands of idle connections and a trickle of requests',
  kind: 'http',
  source: "servers of 10 000 idle connections, after the Node wiki's socket timeouts of two minutes",
  parameters: {
    ...loadParameters,
    idle: { title: 'idle connections', minimum: 0 },
    pause: { title: 'milliseconds that a connection that is not idle pauses before each request', minimum: 0 }
  },
  presets: {
    quick: { connections: [20], threads: [1], seconds: [1], idle: [4000], pause: [10] },
    documented: { connections: [20], threads: [1], seconds: [30], idle: [10_000], pause: [10] },
    ci: { connections: [5], threads: [1], seconds: [1], idle: [100], pause: [10] }
  },
  idleConnections: ({ idle }) => idle,
  pauseMs: ({ pause }) => pause,

  createServer (createServer) {
    const server = createServer((request, response) => response.end())
    server.timeout = 120_000
    // Only the socket's timeout closes an idle connection.
    server.keepAliveTimeout = 0
    return server
  }
}
