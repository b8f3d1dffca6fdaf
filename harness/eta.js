/** On top of what is measured: starting processes, filling queues, starting and stopping load generators. */
const MICRO_OVERHEAD_SECONDS = 0.25
const HTTP_OVERHEAD_SECONDS = 0.3
/** Several run side by side. */
const EXACT_SECONDS = 0.25

/**
 * How long a run still takes: the plan's own figures, corrected by how long its steps have taken so far.
 *
 * @param {import('./execute.js').Step[]} steps
 * @param {import('./plan.js').Settings} settings
 * @param {(step: import('./execute.js').Step) => boolean} isHttp
 */
export function createEta (steps, settings, isHttp) {
  const expected = new Map(steps.map(step => [stepKey(step), expectedSeconds(step, settings, isHttp(step))]))
  const start = performance.now()
  let finished = 0
  let left = [...expected.values()].reduce((sum, seconds) => sum + seconds, 0)

  return {
    /** @param {import('./execute.js').Step} step */
    finish (step) {
      const seconds = /** @type {number} */ (expected.get(stepKey(step)))
      finished += seconds
      left -= seconds
    },

    secondsLeft () {
      const secondsSpent = (performance.now() - start) / 1000
      return left * (finished > 0 ? secondsSpent / finished : 1)
    }
  }
}

/** @param {import('./execute.js').Step} step */
const stepKey = ({ channel, cells, round, id }) => id ?? `${channel} ${cells[0].id} ${round}`

/**
 * @param {import('./execute.js').Step} step
 * @param {import('./plan.js').Settings} settings
 * @param {boolean} isHttp
 */
function expectedSeconds ({ channel, cells }, settings, isHttp) {
  if (channel === 'exact') return EXACT_SECONDS
  if (channel === 'heat') return isHttp ? httpHeatSeconds(settings, cells.length) : microHeatSeconds(settings, cells.length)
  return (cells[0].params.seconds ?? 0) + settings.httpWarmupMs / 1000 + HTTP_OVERHEAD_SECONDS
}

/**
 * By plan; a queue whose cycles are slow takes longer.
 *
 * @param {Pick<import('./plan.js').Settings, 'micro'>} settings
 * @param {number} entrants  They share a core.
 */
export function microHeatSeconds ({ micro: { warmupMs, leadMs, turnMs, turns } }, entrants) {
  return entrants * ((warmupMs + turns * (leadMs + turnMs)) / 1000 + MICRO_OVERHEAD_SECONDS)
}

/**
 * @param {Pick<import('./plan.js').Settings, 'httpWarmupMs' | 'httpHeat'>} settings
 * @param {number} entrants  They start on one core.
 */
export function httpHeatSeconds ({ httpWarmupMs, httpHeat }, entrants) {
  return httpHeat.seconds + entrants * (httpWarmupMs / 1000 + HTTP_OVERHEAD_SECONDS)
}
