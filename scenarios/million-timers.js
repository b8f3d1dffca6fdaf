/** libuv's benchmark: very many timers, a thousand of each duration, are started and all expire. */
import { VirtualService } from './virtual-service.js'

const TIMERS_OF_A_DURATION = 1000

/** @type {import('./contract.js').MicroScenario} */
export const scenario = {
  name: 'million-timers',
  title: 'n timers, a thousand of each duration, all expire',
  kind: 'micro',
  source: 'libuv, test/benchmark-million-timers.c',
  parameters: { size: { title: 'timers', minimum: 1 } },
  presets: {
    quick: { size: [100_000] },
    documented: { size: [1_000_000] },
    ci: { size: [10_000] }
  },

  createWorkload (queue, { size }) {
    const timers = Array.from({ length: size }, (_, index) => queue.createTimer(index))
    const service = new VirtualService(queue)

    function startAll () {
      for (let i = 0; i < timers.length; i++) service.start(timers[i], 1 + Math.floor(i / TIMERS_OF_A_DURATION))
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
