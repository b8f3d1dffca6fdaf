/** On top of what is measured: starting processes, filling queues, starting and stopping load generators. */
const MICRO_OVERHEAD_SECONDS = 0.25
const MOVE_SECONDS = 0.008
const HTTP_OVERHEAD_SECONDS = 0.3
/** Several run side by side. */
const EXACT_SECONDS = 0.6

/** @typedef {import('./execute.js').Step} Step */

/**
 * How long steps take: as long as the same cells took in earlier rounds; else by the plan's own figures, corrected by what
 * steps of their kind have taken so far.
 *
 * @param {import('../plan/plan.js').Settings} settings
 * @param {(step: Step) => boolean} isHttp
 */
export function createEta (settings, isHttp) {
  /** @type {Map<string, number>} Seconds that the latest step of these cells took. */
  const latest = new Map()
  /** @type {Map<string, {expected: number, taken: number}>} */
  const kinds = new Map()
  const kindOf = (/** @type {Step} */ step) => `${step.kind} ${isHttp(step)}`
  const cellsOf = (/** @type {Step} */ { kind, cells }) => `${kind} ${cells.map(({ id }) => id)}`

  return {
    /**
     * @param {Step} step
     * @param {number} seconds  That it has taken.
     */
    finish (step, seconds) {
      const { expected, taken } = kinds.get(kindOf(step)) ?? { expected: 0, taken: 0 }
      kinds.set(kindOf(step), { expected: expected + expectedSeconds(step, settings, isHttp(step)), taken: taken + seconds })
      latest.set(cellsOf(step), seconds)
    },

    /** @param {Step} step */
    secondsOf (step) {
      const { expected, taken } = kinds.get(kindOf(step)) ?? { expected: 1, taken: 1 }
      return latest.get(cellsOf(step)) ?? expectedSeconds(step, settings, isHttp(step)) * taken / expected
    },

    /**
     * Servers are measured for as long as the plan says. How fast queues are shows when one of their kind has been measured.
     *
     * @param {Step} step
     */
    isKnown (step) {
      return isHttp(step) || kinds.has(kindOf(step))
    }
  }
}

/**
 * @param {Step} step
 * @param {import('../plan/plan.js').Settings} settings
 * @param {boolean} isHttp
 */
function expectedSeconds ({ kind, cells }, settings, isHttp) {
  if (kind === 'count') return EXACT_SECONDS
  if (kind === 'heat') return isHttp ? httpHeatSeconds(settings, cells.length) : microHeatSeconds(settings, cells.length)
  return isHttp ? httpWindowSeconds(settings, cells[0]) : tailSeconds(settings)
}

/**
 * @param {import('../plan/plan.js').Settings} settings
 * @param {import('../plan/plan.js').Cell} cell
 */
function httpWindowSeconds ({ httpWarmupMs }, { params: { seconds = 0 } }) {
  return seconds + httpWarmupMs / 1000 + HTTP_OVERHEAD_SECONDS
}

/** @param {import('../plan/plan.js').Settings} settings */
function tailSeconds ({ micro: { warmupMs, tailMs } }) {
  return (warmupMs + tailMs) / 1000 + MICRO_OVERHEAD_SECONDS
}

/**
 * By plan; a queue whose cycles are slow takes longer.
 *
 * @param {Pick<import('../plan/plan.js').Settings, 'micro'>} settings
 * @param {number} entrants  They share a core.
 */
export function microHeatSeconds ({ micro: { warmupMs, leadMs, turnMs, turns, places } }, entrants) {
  return entrants * ((warmupMs + turns * (leadMs + turnMs)) / 1000 + places * MOVE_SECONDS + MICRO_OVERHEAD_SECONDS)
}

/**
 * @param {Pick<import('../plan/plan.js').Settings, 'httpWarmupMs' | 'httpHeat'>} settings
 * @param {number} entrants  They start on one core.
 */
export function httpHeatSeconds ({ httpWarmupMs, httpHeat }, entrants) {
  return httpHeat.seconds + entrants * (httpWarmupMs / 1000 + HTTP_OVERHEAD_SECONDS)
}
