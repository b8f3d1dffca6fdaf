/**
 * Times of a queue's slowest calls: `longestAdvanceNs` (none where the workload never advances the queue), `opP99Ns`
 * and `opP999Ns`. Each time is the fastest of up to 15 repeats of the same call, so a busy core makes the measurement
 * longer and leaves the figures alone.
 */
import { callOnce } from '../../processes/child.js'
import { isAmount, recordOf } from '../../processes/shapes.js'
import { STEADY_FLAGS } from '../micro/count.js'
/** @import { MeasureCell } from '../instruments.js' */

const TIMER = new URL('../../subject/micro/call-times.js', import.meta.url)
/** Fewest repeats of the calls: the queue is filled again for each. */
const REPEATS = 5
const shape = { metrics: recordOf(isAmount) }

/** @type {MeasureCell}  Once `tailMs` have passed, no repeat begins after the fifth. */
export async function measureCell ({ microJob, runtime }, { pin, signal }) {
  const { timing: { tailMs, limitMs }, ...job } = microJob
  const options = { runtime, flags: STEADY_FLAGS, pin, limitMs: REPEATS * limitMs, shape, signal }
  const { metrics } = await callOnce(TIMER, 'timeCalls', { budgetMs: tailMs, ...job }, options)
  return { metrics, warnings: [] }
}
