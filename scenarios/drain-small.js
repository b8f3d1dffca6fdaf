/** A few timers, all due at the next poll: optimising for many timers must not make this slower. */
import { startThenExpire } from './start-then-expire.js'

/** @import { MicroScenario } from './contract.js' */

/** @type {MicroScenario} */
export const scenario = {
  name: 'drain-small',
  title: 'n timers of durations 0 to n - 1 ms, drained in one advance',
  kind: 'micro',
  source: 'neqo pull request 1780 (2024): "drain a timer quickly", there a wheel of 100 slots',
  parameters: { size: { title: 'timers', minimum: 1 } },
  presets: {
    quick: { size: [100] },
    documented: { size: [100] },
    ci: { size: [100] }
  },

  createWorkload: (queue, { size }) =>
    startThenExpire(
      queue,
      Uint32Array.from({ length: size }, (_, index) => index),
      service => service.look(size)
    )
}
