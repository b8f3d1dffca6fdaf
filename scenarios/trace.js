/** A real program's timer operations, as `timerq record` wrote them, replayed in virtual time. */
import { createTimers, VirtualService } from './virtual-service.js'

/** @import { MicroScenario, Trace } from './contract.js' */

/** Kinds of operations in a trace. Recorded firings are ignored: virtual time decides. */
const START = 0
const REFRESH = 1
const CANCEL = 2

/** @type {MicroScenario} */
export const scenario = {
  name: 'trace',
  title: "a recorded program's timer operations",
  kind: 'micro',
  source: 'timerq record',
  parameters: {},
  presets: { quick: {}, documented: {}, ci: {} },
  needsTrace: true,

  createWorkload (queue, _params, _random, trace) {
    const { kinds, times, timers: numbers, durations, timerCount } = /** @type {Trace} */ (trace)
    const timers = createTimers(queue, timerCount)
    const latestDurations = new Float64Array(timerCount)
    const service = new VirtualService(queue)

    function replay () {
      const from = service.now
      for (let i = 0; i < kinds.length; i++) {
        service.passTo(from + times[i])
        const number = numbers[i]
        const timer = timers[number]
        if (kinds[i] === CANCEL) {
          queue.cancel(timer)
        } else if (kinds[i] === START) {
          latestDurations[number] = durations[i]
          service.restart(timer, durations[i])
        } else if (kinds[i] === REFRESH && latestDurations[number] > 0) {
          service.restart(timer, latestDurations[number])
        }
      }
      service.drain()
    }

    return { outcome: service, phases: [{ metric: 'nsPerOp', operations: kinds.length, run: replay }] }
  }
}
