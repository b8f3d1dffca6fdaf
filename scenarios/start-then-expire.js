/**
 * Workloads in which many timers start within one millisecond, and all of them expire. Starting and expiring are timed
 * separately.
 */
import { VirtualService } from './virtual-service.js'

/** @import { Workload } from './contract.js' */

/**
 * @param {any} queue
 * @param {Uint32Array | Float64Array} durations  Milliseconds of each timer.
 * @param {(service: VirtualService) => void} [expireAll]  Default: advances the queue at each
 *   nextExpiry until no timer is pending.
 * @returns {Workload}
 */
export function startThenExpire (queue, durations, expireAll = service => service.drain()) {
  const timers = Array.from(durations, (_, index) => queue.createTimer(index))
  const service = new VirtualService(queue)

  function startAll () {
    for (let i = 0; i < timers.length; i++) service.start(timers[i], durations[i])
  }

  return {
    outcome: service,
    phases: [
      { metric: 'startNsPerTimer', operations: timers.length, run: startAll },
      { metric: 'expireNsPerTimer', operations: timers.length, run: () => expireAll(service) }
    ]
  }
}
