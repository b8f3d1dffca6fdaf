/**
 * How long steps take by the plan's own figures. The machine's speed is unknown before anything is measured
 * (run/time-left.js).
 */
/** @import { Settings } from './plan.js' */
/** @import { Kind } from './steps.js' */

/** Time beside the measured time: starting processes, filling queues, starting and stopping load generators. */
const MICRO_OVERHEAD_SECONDS = 0.25
const HTTP_OVERHEAD_SECONDS = 0.3
/** Several counts run side by side. */
const COUNT_SECONDS = 0.6

/**
 * @param {Settings} settings
 * @param {object} step
 * @param {Kind} step.kind
 * @param {boolean} step.isHttp
 * @param {Record<string, number>} step.params  Parameters of its cells; `seconds` is the length of a server's window.
 * @param {number} step.size  Number of cells, which share a core.
 */
export function stepSeconds (settings, { kind, isHttp, params: { seconds = 0 }, size }) {
  if (kind === 'count') return COUNT_SECONDS
  if (kind === 'heat') return heatSeconds(settings, { isHttp, cells: size })
  const {
    micro: { warmupMs, tailMs },
    httpWarmupMs
  } = settings
  return isHttp
    ? seconds + httpWarmupMs / 1000 + HTTP_OVERHEAD_SECONDS
    : (warmupMs + tailMs) / 1000 + MICRO_OVERHEAD_SECONDS
}

/**
 * @param {Pick<Settings, 'micro' | 'httpWarmupMs' | 'httpHeat'>} settings
 * @param {object} heat
 * @param {boolean} heat.isHttp
 * @param {number} heat.cells  Number of cells, which start and warm up on one core.
 */
export function heatSeconds ({ micro: { warmupMs, leadMs, turnMs, turns }, httpWarmupMs, httpHeat }, { isHttp, cells }) {
  if (isHttp) return httpHeat.seconds + cells * (httpWarmupMs / 1000 + HTTP_OVERHEAD_SECONDS)
  return cells * ((warmupMs + turns * (leadMs + turnMs)) / 1000 + MICRO_OVERHEAD_SECONDS)
}
