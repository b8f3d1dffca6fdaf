/** Today's default keep-alive: idle connections close after five seconds, which takes two timers per request. */
import { loadParameters } from './load-parameters.js'

/** @type {import('./contract.js').HttpScenario} */
export const scenario = {
  name: 'modern-keep-alive',
  title: "HTTP, empty answers, with today's default timeouts",
  kind: 'http',
  source: 'Node.js 20: keepAliveTimeout 5 s, requestTimeout 300 s',
  parameters: loadParameters,
  presets: {
    quick: { connections: [400], threads: [2], seconds: [1] },
    documented: { connections: [400], threads: [12], seconds: [30] },
    ci: { connections: [50], threads: [1], seconds: [1] }
  },

  createServer (createServer) {
    return createServer((request, response) => response.end())
  }
}
