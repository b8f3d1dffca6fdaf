/** Timers are cleared and set again, of one duration or of many. */
import { apis, drawPlaces, LONGEST_MS, OPERATIONS, pending, refuseExpiry, SOURCE } from './apis.js'

/** @type {import('../../scenarios/contract.js').CodeScenario} */
export const scenario = {
  name: 'restart',
  title: 'n timers, cleared and set again in a random order',
  kind: 'code',
  source: SOURCE,
  parameters: { pending, durations: { title: 'different durations, of 10 to 120 seconds', minimum: 1 } },
  presets: {
    quick: { pending: [10_000], durations: [1, 10_000] },
    documented: { pending: [100, 10_000, 1_000_000], durations: [1, 10_000] },
    ci: { pending: [10_000], durations: [10_000] }
  },
  alternatives: apis,
  control: 'node',
  createWorkload (
    /** @type {{createTimers: import('./apis.js').CreateTimers}} */ { createTimers },
    { pending, durations },
    random
  ) {
    const timers = createTimers(refuseExpiry, { resolution: 1000 })
    const spread = Int32Array.from({ length: durations }, (_, i) => LONGEST_MS - Math.floor((i * 110_000) / durations))
    const places = drawPlaces(pending, random)
    const drawn = Int32Array.from(places, () => spread[random(durations)])
    const handles = Array.from({ length: pending }, (_, i) => timers.start(drawn[i % drawn.length]))
    let next = 0
    return {
      phases: [
        {
          metric: 'nsPerOp',
          operations: OPERATIONS,
          run () {
            for (let i = next; i < next + OPERATIONS; i++) {
              handles[places[i]] = timers.restart(handles[places[i]], drawn[i])
            }
            next = (next + OPERATIONS) % places.length
          }
        }
      ]
    }
  }
}
