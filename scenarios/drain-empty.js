/** Nothing is pending and the queue is polled now and then: here a wheel pays for walking past empty slots. */

/** @import { MicroScenario } from './contract.js' */

const ADVANCES = 1000

/** @type {MicroScenario} */
export const scenario = {
  name: 'drain-empty',
  title: 'an empty queue, advanced by some milliseconds at a time',
  kind: 'micro',
  source: 'neqo pull request 1780 (2024): "drain an empty timer"',
  parameters: { pause: { title: 'milliseconds between two advances', minimum: 1 } },
  presets: {
    quick: { pause: [4] },
    documented: { pause: [4, 100, 1000] },
    ci: { pause: [4] }
  },

  createWorkload (queue, { pause }) {
    const outcome = { fired: 0, checksum: 0 }
    const expire = () => {
      outcome.fired++
    }
    let now = 0
    function advanceMany () {
      for (let i = 0; i < ADVANCES; i++) {
        now += pause
        queue.advance(now, expire)
      }
    }
    return { outcome, phases: [{ metric: 'nsPerOp', operations: ADVANCES, run: advanceMany }] }
  }
}
