import { VirtualService } from './virtual-service.js'

/** @import { Workload } from './contract.js' */

/**
 * A workload that starts a timer of each duration, all within one millisecond, and lets all of them expire. Starting
 * and expiring are timed separately.
 *
 * @param {any} queue
 * @param {Uint32Array | Float64Array} durations  Milliseconds.
 * @param {(service: VirtualService) => void} [expireAll]
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
