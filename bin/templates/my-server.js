/**
 * A server under load: each timer queue is put under its sockets, and compared with Node's own timers.
 *
 *   timerq run --scenario ./my-server.js                     which queue saves it the most CPU?
 *   timerq gate --base main --scenario ./my-server.js        does it take more CPU than on main? The exit code says it.
 */

// Your own code goes into modules that this file imports.
const greet = (/** @type {string} */ name) => JSON.stringify({ hello: name })

/** @type {import('timerq').HttpScenario} */
export const scenario = {
  name: 'my-server',
  title: 'a server that greets',
  kind: 'http',
  source: 'this file',
  // Values to measure, which --sweep connections=100,1000 replaces. The load generator needs these two.
  parameters: {
    connections: { title: 'open connections', minimum: 1 },
    seconds: { title: 'length of the measured window', minimum: 1 }
  },
  presets: {
    quick: { connections: [100], seconds: [1] },
    documented: { connections: [400], seconds: [10] },
    ci: { connections: [50], seconds: [1] }
  },

  /**
   * `createServer` is that of node:http, and counts requests. The server must not listen yet. A framework takes it as
   * an option.
   */
  createServer (createServer) {
    const server = createServer((request, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(greet(request.url))
    })
    server.keepAliveTimeout = 60_000
    return server
  }
}
