/** The time of a gate: what its rounds take by the plan, and what its samples have taken. */
import { choosePins } from '../processes/pinning.js'
import { httpHeatSeconds, microHeatSeconds } from '../run/time-left.js'

/** @import { Settings } from '../plan/plan.js' */
/** @import { Sample } from '../store/results.js' */
/** @typedef {Pick<Settings, 'micro' | 'httpWarmupMs' | 'httpHeat'>} Timing */

/** The part of the planned heats that is measured: most rows are decided at an early look and leave their time to others. */
const SHARE_MEASURED = 0.5

/**
 * Rounds to plan for. The budget is kept in any case.
 *
 * @param {Timing} settings
 * @param {{kind: string}[]} rows
 * @param {number} budgetSeconds
 * @param {number} processes  In a heat, on average.
 * @param {number} [cores]  That run micro heats at the same time.
 */
export function affordableRounds (settings, rows, budgetSeconds, processes, cores) {
  return Math.max(1, Math.floor(budgetSeconds / (SHARE_MEASURED * roundSeconds(settings, rows, processes, cores))))
}

/**
 * About the seconds of a round that measures every row.
 *
 * @param {Timing} settings
 * @param {{kind: string}[]} rows
 * @param {number} processes  In a heat, on average.
 * @param {number} [cores]  That run micro heats at the same time.
 */
export function roundSeconds (settings, rows, processes, cores = choosePins().cores.length) {
  const servers = rows.filter(({ kind }) => kind === 'http').length
  const turns = Math.ceil((rows.length - servers) / cores)
  return servers * httpHeatSeconds(settings, processes) + turns * microHeatSeconds(settings, processes)
}

/**
 * The time in which at least one of the samples was being measured.
 *
 * @param {Pick<Sample, 'started' | 'seconds'>[]} samples
 */
export function secondsCovered (samples) {
  const spans = samples.map(({ started, seconds }) => ({ start: Date.parse(started) / 1000, seconds })).sort((a, b) => a.start - b.start)
  let covered = 0
  let end = -Infinity
  for (const { start, seconds } of spans) {
    covered += Math.max(0, start + seconds - Math.max(start, end))
    end = Math.max(end, start + seconds)
  }
  return covered
}
