/** Few timers, all due when the queue is looked at the next time: what an optimisation for many must not make dearer. */
import { VirtualService } from './virtual-service.js'

/** @type {import('./contract.js').MicroScenario} */
export const scenario = {
  name: 'drain-small',
  title: 'n timers of durations 0 to n - 1 ms, all drained in one advance',
  kind: 'micro',
  source: 'neqo pull request 1780 (2024): drain a small timer of 100 slots quickly',
  parameters: { size: { title: 'timers', minimum: 1 } },
  presets: {
    quick: { size: [100] },
    documented: { size: [100] },
    ci: { size: [100] }
  },

  createWorkload (queue, { size }) {
    const timers = Array.from({ length: size }, (_, index) => queue.createTimer(index))
    const service = new VirtualService(queue)

    function startAll () {
      for (let duration = 0; duration < timers.length; duration++) service.start(timers[duration], duration)
    }

    return {
      outcome: service,
      phases: [
        { metric: 'startNsPerTimer', operations: size, run: startAll },
        { metric: 'expireNsPerTimer', operations: size, run: () => service.jump(size) }
      ]
    }
  }
}
