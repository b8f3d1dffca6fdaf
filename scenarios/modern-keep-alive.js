/** Today's default keep-alive: idle connections close after five seconds, which takes two timers per request. */
import { keepAlivePresets, loadParameters } from './load-parameters.js'

/** @import { HttpScenario } from './contract.js' */

/** @type {HttpScenario} */
export const scenario = {
  name: 'modern-keep-alive',
  title: "HTTP, empty answers, with today's default timeouts",
  kind: 'http',
  source: 'Node.js 20: keepAliveTimeout 5 s, requestTimeout 300 s',
  parameters: loadParameters,
  presets: keepAlivePresets,

  createServer (createServer) {
    return createServer((request, response) => response.end())
  }
}
