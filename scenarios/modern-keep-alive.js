/** Keep-alive as it is by default today: idle connections close after five seconds, which takes two timers a request. */

/** @type {import('./contract.js').HttpScenario} */
export const scenario = {
  name: 'modern-keep-alive',
  title: "HTTP, empty answers, with today's default timeouts",
  kind: 'http',
  source: 'Node.js 20: keepAliveTimeout 5 s, requestTimeout 300 s',
  parameters: {
    connections: { title: 'open connections', minimum: 1 },
    threads: { title: 'threads of the load generator', minimum: 1 },
    seconds: { title: 'length of the measured window', minimum: 1 }
  },
  presets: {
    quick: { connections: [400], threads: [2], seconds: [1] },
    documented: { connections: [400], threads: [12], seconds: [30] },
    ci: { connections: [50], threads: [1], seconds: [1] }
  },

  createServer (createServer) {
    return createServer((request, response) => response.end())
  }
}
