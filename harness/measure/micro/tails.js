/** The tails of one micro cell: the longest advance, and the slowest of all calls. */
import { Child } from '../../processes/child.js'
import { assertShape, tails } from '../../processes/shapes.js'

const TAIL_CHILD = new URL('./tail-child.js', import.meta.url)
/** One thread, so that no compiler takes the core away; a young generation that does not grow on the way. */
const FLAGS = ['--single-threaded', '--hash-seed=1', '--random-seed=1', '--min-semi-space-size=16', '--max-semi-space-size=16', '--expose-gc']
/** At least: the queue is filled again for each. */
const REPEATS = 5

/**
 * Measures in a fresh process: `longestAdvanceNs` (none where the workload never advances the queue), `opP99Ns` and
 * `opP999Ns`, in nanoseconds. Every time is the fastest of up to 15 repeats of the same call, so a busy core makes the
 * measurement longer and leaves the figures alone.
 *
 * @typedef {Pick<import('./measure.js').Timing, 'tailMs' | 'limitMs'>} TailTiming  Once `tailMs` have passed, no repeat
 *   begins after the fifth.
 *
 * @param {import('./measure.js').MicroTask & {timing: TailTiming}} task
 * @param {import('../../processes/child.js').Runtime} runtime
 * @param {string[]} pin
 * @param {AbortSignal} [signal]
 * @returns {Promise<{metrics: Record<string, number>, warnings: string[]}>}
 * @throws {import('../../processes/child.js').SampleError} when the process dies or takes too long
 */
export async function measureTails (task, runtime, pin, signal) {
  const child = new Child(TAIL_CHILD, { runtime, flags: FLAGS, pin })
  try {
    const { timing: { tailMs, limitMs }, ...workload } = task
    const answer = await child.ask({ type: 'measureTails', budgetMs: tailMs, ...workload }, REPEATS * limitMs, signal)
    const { metrics } = assertShape(answer, tails)
    return { metrics, warnings: [] }
  } finally {
    await child.end()
  }
}
