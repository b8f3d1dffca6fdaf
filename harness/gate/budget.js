/** How long a gate may take, and how long its pairs will take: by the plan at first, then by the pairs measured so far. */
import { httpHeatSeconds, microHeatSeconds } from '../eta.js'
import { groupBy } from '../model/group-by.js'

/** The part of the planned pairs that is measured: most cells are decided at an early look and leave their time to others. */
const SHARE_MEASURED = 0.5

/**
 * @param {number} budgetSeconds
 * @param {import('../results.js').Sample[]} finished  Samples of a resumed gate: their time is spent.
 */
export function startBudget (budgetSeconds, finished) {
  const spentBefore = finished.reduce((sum, { seconds }) => sum + seconds, 0)
  const start = performance.now()
  /** @type {Map<string, number>} */
  const longest = new Map([...groupBy(finished, placeOf)].map(([place, samples]) => [place, Math.max(...samples.map(({ seconds }) => seconds))]))

  return {
    secondsLeft: () => budgetSeconds - spentBefore - (performance.now() - start) / 1000,

    /**
     * As long as the longest pair of its kind took so far: a gate should end early rather than late.
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
 * How many rounds to plan for. The budget is kept in any case.
 *
 * @param {import('../plan.js').Settings} settings
 * @param {{kind: string}[]} cells
 * @param {number} budgetSeconds
 * @param {number} samplesPerPair  On average, controls included.
 */
export function affordableRounds (settings, cells, budgetSeconds, samplesPerPair) {
  const seconds = cells.reduce((sum, { kind }) => sum + (kind === 'http' ? httpHeatSeconds : microHeatSeconds)(settings, samplesPerPair), 0)
  return Math.max(1, Math.floor(budgetSeconds / (SHARE_MEASURED * seconds)))
}

/** @param {{scenario: string, params: Record<string, number>}} place */
function placeOf ({ scenario, params }) {
  return JSON.stringify([scenario, params])
}
