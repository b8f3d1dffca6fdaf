/** All sockets at once: n timers of one duration start in the same millisecond, and expire in the same millisecond. */
import { VirtualService } from './virtual-service.js'

const TIMEOUT_MS = 5000

/** @type {import('./contract.js').MicroScenario} */
export const scenario = {
  name: 'bursts',
  title: 'n timers of one duration start in one millisecond and expire in one',
  kind: 'micro',
  source: 'a server whose clients all come back after an outage',
  parameters: { size: { title: 'timers', minimum: 1 } },
  presets: {
    quick: { size: [10_000] },
    documented: { size: [10_000, 1_000_000] },
    ci: { size: [1000] }
  },

  createWorkload (queue, { size }) {
    const timers = Array.from({ length: size }, (_, index) => queue.createTimer(index))
    const service = new VirtualService(queue)

    function startAll () {
      for (let i = 0; i < timers.length; i++) service.start(timers[i], TIMEOUT_MS)
    }

    return {
      outcome: service,
      phases: [
        { metric: 'startNsPerTimer', operations: size, run: startAll },
        { metric: 'expireNsPerTimer', operations: size, run: () => service.drain() }
      ]
    }
  }
}
