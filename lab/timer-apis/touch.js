/** Idle timers are touched: what every packet of a connection does. */
import { apis, drawPlaces, LONGEST_MS, OPERATIONS, pending, refuseExpiry, SOURCE } from './apis.js'

/** @type {import('../../scenarios/contract.js').CodeScenario} */
export const scenario = {
  name: 'touch',
  title: 'n idle timers of one duration, touched in a random order',
  kind: 'code',
  source: SOURCE,
  parameters: { pending },
  presets: {
    quick: { pending: [10_000] },
    documented: { pending: [100, 10_000, 1_000_000] },
    ci: { pending: [10_000] }
  },
  alternatives: apis,
  control: 'node',
  createWorkload (
    /** @type {{createTimers: import('./apis.js').CreateTimers}} */ { createTimers },
    { pending },
    random
  ) {
    const timers = createTimers(refuseExpiry, { resolution: 1000 })
    const handles = Array.from({ length: pending }, () => timers.start(LONGEST_MS))
    const places = drawPlaces(pending, random)
    let next = 0
    return {
      phases: [
        {
          metric: 'nsPerOp',
          operations: OPERATIONS,
          run () {
            for (let i = 0; i < OPERATIONS; i++) timers.touch(handles[places[next + i]])
            next = (next + OPERATIONS) % places.length
          }
        }
      ]
    }
  }
}
