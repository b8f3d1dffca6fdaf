/** On top of what is measured: starting a process, filling the queue, starting and stopping the load generator. */
const MICRO_OVERHEAD_SECONDS = 0.15
const HTTP_OVERHEAD_SECONDS = 0.3
/** Several run side by side. */
const EXACT_SECONDS = 0.25

/**
 * How long a run still takes: the plan's own figures, corrected by how long its samples have taken so far.
 *
 * @param {import('./plan.js').PlannedSample[]} samples
 * @param {import('./plan.js').Settings} settings
 */
export function createEta (samples, settings) {
  const expected = new Map(samples.map(sample => [sample, expectedSeconds(sample, settings)]))
  const start = performance.now()
  let finished = 0
  let left = [...expected.values()].reduce((sum, seconds) => sum + seconds, 0)

  const secondsSpent = () => (performance.now() - start) / 1000
  const slowdown = () => finished > 0 ? secondsSpent() / finished : 1

  return {
    /** @param {import('./plan.js').PlannedSample} sample */
    finish (sample) {
      const seconds = /** @type {number} */ (expected.get(sample))
      finished += seconds
      left -= seconds
    },

    secondsLeft () {
      return left * slowdown()
    },

    /** @param {import('./plan.js').PlannedSample[]} samples */
    secondsOf (samples) {
      return samples.reduce((sum, sample) => sum + (expected.get(sample) ?? 0), 0)
    }
  }
}

/**
 * @param {import('./plan.js').PlannedSample} sample
 * @param {import('./plan.js').Settings} settings
 */
function expectedSeconds ({ cell, channel }, settings) {
  return channel === 'exact' ? EXACT_SECONDS : timedSeconds(cell.params, settings)
}

/**
 * How long one timed sample takes by plan; only servers are loaded for some `seconds`.
 *
 * @param {Record<string, number>} params
 * @param {import('./plan.js').Settings} settings
 */
export function timedSeconds ({ seconds }, { micro, httpWarmupMs }) {
  if (seconds) return seconds + httpWarmupMs / 1000 + HTTP_OVERHEAD_SECONDS
  return (micro.warmupMs + micro.measureMs) / 1000 + MICRO_OVERHEAD_SECONDS
}
