/**
 * A timeout around a job that is done at once: its timer is made, started, cancelled and given back before time passes. n
 * other jobs that are not done have pending timeouts meanwhile.
 *
 * tokio measures this because guarding everything with a timeout should cost nothing where nothing takes long; since then
 * it starts the timer only when a job is not done at the first look.
 */
import { VirtualService } from './virtual-service.js'

const JOBS = 5000
/** A loop that does nothing else. */
const JOBS_PER_MS = 1000
const TIMEOUT_MS = 1000

/** @type {import('./contract.js').MicroScenario} */
export const scenario = {
  name: 'ready-job',
  title: 'a timeout around a job that is done at once, beside n others',
  kind: 'micro',
  source: 'tokio, benches/time_timeout.rs (pull request 6512, 2024)',
  parameters: { size: { title: 'timeouts of other jobs', minimum: 1 } },
  presets: {
    quick: { size: [1, 10_000] },
    documented: { size: [1, 100, 10_000, 100_000] },
    ci: { size: [100] }
  },

  createWorkload (queue, { size }) {
    const timers = Array.from({ length: size }, (_, index) => queue.createTimer(index))
    const service = new VirtualService(queue, timer => service.start(timer, TIMEOUT_MS))

    function runJobs () {
      for (let i = 0; i < JOBS; i += JOBS_PER_MS) {
        for (let j = 0; j < JOBS_PER_MS; j++) {
          const timer = queue.createTimer(size)
          service.start(timer, TIMEOUT_MS)
          queue.cancel(timer)
          queue.releaseTimer(timer)
        }
        service.tick()
      }
    }

    // The others have begun one after the other.
    for (let i = 0; i < size; i++) service.start(timers[i], Math.ceil((i + 1) * TIMEOUT_MS / size))
    return { outcome: service, phases: [{ metric: 'nsPerOp', operations: JOBS, run: runJobs }] }
  }
}
