/**
 * The wiki's server that leaves one request in ten without an answer: that one times out after as many milliseconds as
 * there were requests left before it, and its socket with it; nine in ten are answered at once.
 */
import { loadParameters } from './load-parameters.js'

const UNANSWERED = 10

/** @type {import('./contract.js').HttpScenario} */
export const scenario = {
  name: 'timeouts-one-in-ten',
  title: 'HTTP, one request in ten is never answered and times out',
  kind: 'http',
  source: 'Node wiki, "Optimizing _unrefActive" (2014): one timeout in ten requests',
  parameters: loadParameters,
  presets: {
    quick: { connections: [1000], threads: [2], seconds: [3] },
    documented: { connections: [5000], threads: [12], seconds: [30] },
    ci: { connections: [100], threads: [1], seconds: [1] }
  },
  // A warm-up would use up the short timeouts.
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
