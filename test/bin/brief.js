/**
 * Makes gates and replays of this process as brief as runs for CI, and leaves all counts but those of blocks out: their
 * tests assert nothing of times, and each instrument is a process or two for every count.
 */
import { INSTRUMENTS } from '../../harness/measure/instruments.js'
import { GATE, presets, REPLAY } from '../../bin/presets.js'

/** @import { TestContext } from 'node:test' */

const { micro, httpWarmupMs } = presets.ci
Object.assign(GATE, { micro, httpWarmupMs, httpHeat: { seconds: 1, sliceMs: 100 } })
Object.assign(REPLAY, { micro })

const [blocks, others] = [true, false].map(isBlocks =>
  INSTRUMENTS.filter(({ name }) => (name === 'executed work') === isBlocks)
)
INSTRUMENTS.splice(0, Infinity, ...blocks)

/**
 * Counts with every instrument in a test.
 *
 * @param {TestContext} t
 */
export function countAll (t) {
  INSTRUMENTS.push(...others)
  t.after(() => INSTRUMENTS.splice(blocks.length))
}
