/**
 * How long steps take by the plan's own figures. The machine's speed is unknown before anything is measured
 * (run/time-left.js).
 */
import { UsageError } from '../model/errors.js'
import { FEWEST_HEATS } from '../model/heats.js'
import { kindIn } from '../model/kinds.js'
import { planHeats } from './plan.js'
/** @import { Plan, Settings } from './plan.js' */
/** @import { Kind } from './steps.js' */

/** Time that is not measured: starting processes, filling queues, starting and stopping load generators. */
const MICRO_OVERHEAD_SECONDS = 0.25
const HTTP_OVERHEAD_SECONDS = 0.3
/** Time until the first heat begins. */
const START_SECONDS = 4
/** Several counts run side by side. */
const COUNT_SECONDS = 0.6

/**
 * @param {Settings} settings
 * @param {object} step
 * @param {Kind} step.kind
 * @param {boolean} [step.isServer]
 * @param {Record<string, number>} step.params  Parameters of its cells; `seconds` is the length of a server's window.
 * @param {number} step.size  Number of cells, which share a core.
 */
export function stepSeconds (settings, { kind, isServer, params: { seconds = 0 }, size }) {
  if (kind === 'count') return COUNT_SECONDS
  if (kind === 'heat') return heatSeconds(settings, { isServer, cells: size })
  const {
    micro: { warmupMs, tailMs },
    httpWarmupMs
  } = settings
  return isServer
    ? seconds + httpWarmupMs / 1000 + HTTP_OVERHEAD_SECONDS
    : (warmupMs + tailMs) / 1000 + MICRO_OVERHEAD_SECONDS
}

/**
 * @param {Pick<Settings, 'micro' | 'httpWarmupMs' | 'httpHeat'>} settings
 * @param {object} heat
 * @param {boolean} [heat.isServer]
 * @param {number} heat.cells  Number of cells, which start and warm up on one core.
 */
export function heatSeconds ({ micro, httpWarmupMs, httpHeat }, { isServer, cells }) {
  const { warmupMs, leadMs, turnMs, turns } = micro
  if (isServer) return httpHeat.seconds + cells * (httpWarmupMs / 1000 + HTTP_OVERHEAD_SECONDS)
  return cells * ((warmupMs + turns * (leadMs + turnMs)) / 1000 + MICRO_OVERHEAD_SECONDS)
}

/**
 * @param {Plan} plan
 * @throws {UsageError} when the time budget ends before the shortest heat does
 */
export function assertTimeForHeat (plan) {
  const { settings, end: { budgetSeconds }, scenarios } = plan
  const kindOf = kindIn(plan)
  const lengths = planHeats(plan, 0).map(({ cells }) =>
    heatSeconds(settings, { ...kindOf(cells[0]), cells: cells.length })
  )
  const remedy = scenarios.some(({ subject }) => subject === 'task') ? 'fewer tasks by --task' : 'fewer queues'
  if (budgetSeconds !== null) refuseShort(budgetSeconds, Math.min(...lengths), remedy)
}

/**
 * @param {number} budgetSeconds
 * @param {number} heat  Seconds of the shortest heat; Infinity: nothing is measured in heats.
 * @param {string} remedy  Besides a longer budget.
 * @throws {UsageError}
 */
export function refuseShort (budgetSeconds, heat, remedy) {
  if (budgetSeconds >= START_SECONDS + heat || heat === Infinity) return
  throw new UsageError(
    `--budget ${budgetSeconds}s is too short for one heat, which takes about ${Math.ceil(heat)} s ` +
      `(try --budget ${Math.ceil(START_SECONDS + FEWEST_HEATS * heat)}s, or ${remedy})`
  )
}
