/**
 * The time that a gate may take, and what it will take: by the plan at first, then by the pairs measured so far.
 */
import { groupBy } from '../model/group-by.js'

/** Beside what is measured: starting a process, filling the queue; the load generator's start and end. */
const MICRO_OVERHEAD_SECONDS = 0.2
const HTTP_OVERHEAD_SECONDS = 0.5
/** Of the pairs planned: most cells are decided at an early look, and leave their time to the others. */
const SHARE_MEASURED = 0.5

/**
 * @param {number} budgetSeconds
 * @param {import('../results.js').Sample[]} finished  Of a gate taken up again: their time is spent.
 */
export function startBudget (budgetSeconds, finished) {
  const spentBefore = finished.reduce((sum, { seconds }) => sum + seconds, 0)
  const start = performance.now()
  /** @type {Map<string, number>} */
  const longest = new Map([...groupBy(finished, placeOf)].map(([place, samples]) => [place, Math.max(...samples.map(({ seconds }) => seconds))]))

  return {
    secondsLeft: () => budgetSeconds - spentBefore - (performance.now() - start) / 1000,

    /**
     * At most, as far as is known: a gate would rather end early than late.
     *
     * @param {import('./plan.js').PlannedPair} pair
     */
    secondsOf: ({ cell, order }) => order.length * (longest.get(placeOf(cell)) ?? 0),

    /**
     * @param {import('./plan.js').PlannedPair} pair
     * @param {import('../results.js').Sample[]} taken
     */
    note ({ cell }, taken) {
      longest.set(placeOf(cell), Math.max(longest.get(placeOf(cell)) ?? 0, ...taken.map(({ seconds }) => seconds)))
    }
  }
}

/**
 * The rounds to plan for a budget; its end is kept in any case.
 *
 * @param {import('../plan.js').Settings} settings
 * @param {{kind: string, params: Record<string, number>}[]} cells
 * @param {number} budgetSeconds
 * @param {number} samplesPerPair  Its controls included, on average.
 */
export function affordableRounds ({ micro, httpWarmupMs }, cells, budgetSeconds, samplesPerPair) {
  const seconds = cells.map(({ kind, params }) => kind === 'http'
    ? (params.seconds ?? 0) + httpWarmupMs / 1000 + HTTP_OVERHEAD_SECONDS
    : (micro.warmupMs + micro.measureMs) / 1000 + MICRO_OVERHEAD_SECONDS)
  const round = SHARE_MEASURED * samplesPerPair * seconds.reduce((sum, cell) => sum + cell, 0)
  return Math.max(1, Math.floor(budgetSeconds / round))
}

/** @param {{scenario: string, params: Record<string, number>}} place */
function placeOf ({ scenario, params }) {
  return JSON.stringify([scenario, params])
}
