/**
 * A timeout around a job that is done at once: the timer is made, started, cancelled and released before time passes.
 * Meanwhile, n unfinished jobs have pending timeouts.
 *
 * tokio measures this because a timeout around a fast job should cost nothing. Since then, tokio starts the timer only
 * if the job is not done at the first poll.
 */
import { createTimers, VirtualService } from './virtual-service.js'

/** @import { MicroScenario } from './contract.js' */

const JOBS = 5000
/** Rate of a loop that does nothing else. */
const JOBS_PER_MS = 1000
const TIMEOUT_MS = 1000

/** @type {MicroScenario} */
export const scenario = {
  name: 'ready-job',
  title: 'a timeout around a job that is done at once, with n others pending',
  kind: 'micro',
  source: 'tokio, benches/time_timeout.rs (pull request 6512, 2024)',
  parameters: { size: { title: 'timeouts of other jobs', minimum: 1 } },
  presets: {
    quick: { size: [1, 10_000] },
    documented: { size: [1, 100, 10_000, 100_000] },
    ci: { size: [100] }
  },

  createWorkload (queue, { size }) {
    const timers = createTimers(queue, size)
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

    // The other jobs began one after another.
    for (let i = 0; i < size; i++) service.start(timers[i], Math.ceil(((i + 1) * TIMEOUT_MS) / size))
    return { outcome: service, phases: [{ metric: 'nsPerOp', operations: JOBS, run: runJobs }] }
  }
}
