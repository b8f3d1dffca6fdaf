/** Timers are started and fire, in real time. Undici's fast timers cannot take part: they are native up to a second. */
import { apis, oneShots, pending, SOURCE } from './apis.js'

/** Short, so that a cycle is mostly work, and long enough for all to be started before the first is due. */
const DURATION_MS = 50
const { undici, ...startedAgain } = apis

/** @type {import('../../scenarios/contract.js').CodeScenario} */
export const scenario = {
  name: 'fire',
  title: 'n timers of one duration are started, and all fire',
  kind: 'code',
  source: SOURCE,
  parameters: { pending },
  presets: { quick: { pending: [10_000] }, documented: { pending: [100, 10_000] }, ci: { pending: [10_000] } },
  alternatives: { ...startedAgain, ...oneShots },
  control: 'node',
  createWorkload (/** @type {{createTimers: import('./apis.js').CreateTimers}} */ { createTimers }, { pending }) {
    let left = 0
    let finish = () => {}
    const timers = createTimers(
      () => {
        if (--left === 0) finish()
      },
      { resolution: 10 }
    )
    return {
      phases: [
        {
          metric: 'nsPerOp',
          operations: pending,
          run () {
            left = pending
            return new Promise(resolve => {
              finish = () => resolve(undefined)
              for (let i = 0; i < pending; i++) timers.start(DURATION_MS)
            })
          }
        }
      ]
    }
  }
}
