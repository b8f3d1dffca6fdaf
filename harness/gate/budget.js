/** How long a gate may take, and how long its heats will take: by the plan at first, then by the heats measured so far. */
import { heatSeconds } from '../run/time-left.js'
import { choosePins } from '../processes/pinning.js'

/** The part of the planned heats that is measured: most cells are decided at an early look and leave their time to others. */
const SHARE_MEASURED = 0.5

/**
 * @param {number} budgetSeconds
 * @param {import('../store/results.js').Sample[]} finished  Samples of a resumed gate: their time is spent.
 */
export function startBudget (budgetSeconds, finished) {
  const spentBefore = secondsCovered(finished)
  const start = performance.now()
  /** @type {Map<string, number>} */
  const longest = new Map()
  note(finished)
  return {
    note,
    secondsLeft: () => budgetSeconds - spentBefore - (performance.now() - start) / 1000,

    /**
     * As long as the longest heat of its kind took so far: a gate should end early rather than late.
     *
     * @param {import('./plan.js').PlannedPair} pair
     */
    secondsOf: ({ cell }) => longest.get(placeOf(cell)) ?? 0
  }

  /** @param {import('../store/results.js').Sample[]} taken */
  function note (taken) {
    for (const sample of taken.filter(({ kind }) => kind === 'heat')) {
      longest.set(placeOf(sample), Math.max(longest.get(placeOf(sample)) ?? 0, sample.seconds))
    }
  }
}

/**
 * The time in which at least one of the samples was being measured.
 *
 * @param {import('../store/results.js').Sample[]} samples
 */
function secondsCovered (samples) {
  const spans = samples.map(({ started, seconds }) => ({ start: Date.parse(started) / 1000, seconds })).sort((a, b) => a.start - b.start)
  let covered = 0
  let end = -Infinity
  for (const { start, seconds } of spans) {
    covered += Math.max(0, start + seconds - Math.max(start, end))
    end = Math.max(end, start + seconds)
  }
  return covered
}

/**
 * How many rounds to plan for. The budget is kept in any case.
 *
 * @param {Pick<import('../plan/plan.js').Settings, 'micro' | 'httpWarmupMs' | 'httpHeat'>} settings
 * @param {{kind: string}[]} cells
 * @param {number} budgetSeconds
 * @param {number} samplesPerPair  On average, controls included.
 * @param {number} [cores]  That micro heats run on at the same time.
 */
export function affordableRounds (settings, cells, budgetSeconds, samplesPerPair, cores = choosePins().cores.length) {
  return Math.max(1, Math.floor(budgetSeconds / (SHARE_MEASURED * roundSeconds(settings, cells, samplesPerPair, cores))))
}

/**
 * What a round takes in which every cell is measured, about.
 *
 * @param {Pick<import('../plan/plan.js').Settings, 'micro' | 'httpWarmupMs' | 'httpHeat'>} settings
 * @param {{kind: string}[]} cells
 * @param {number} samplesPerPair  On average, controls included.
 * @param {number} [cores]  That micro heats run on at the same time.
 */
export function roundSeconds (settings, cells, samplesPerPair, cores = choosePins().cores.length) {
  const servers = cells.filter(({ kind }) => kind === 'http').length
  const turns = Math.ceil((cells.length - servers) / cores)
  return servers * heatSeconds(settings, { isHttp: true, cells: samplesPerPair }) + turns * heatSeconds(settings, { isHttp: false, cells: samplesPerPair })
}

/** @param {{scenario: string, params: Record<string, number>}} place */
function placeOf ({ scenario, params }) {
  return JSON.stringify([scenario, params])
}
