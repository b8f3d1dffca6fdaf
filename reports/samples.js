/** The samples of a run, as reports need them. */
import { cellId } from '../harness/model/cell.js'
import { groupBy } from '../harness/model/group-by.js'

/** @import { CellSummary } from '../harness/judge/summary.js' */
/** @import { Sample } from '../harness/store/results.js' */

/** @param {Iterable<Sample>} samples */
export const profilesAmong = samples => [...samples].filter(sample => sample.kind === 'profile')

/**
 * Samples of servers that had the machine for themselves; without any, those of their heats.
 *
 * @param {Iterable<Sample>} samples
 * @param {CellSummary[]} cells  All cells of one scenario.
 * @returns {Map<string, Sample[]>} by cell
 */
export function servedSamples (samples, cells) {
  const ids = new Set(cells.map(cellId))
  const valid = [...samples].filter(({ cell, failure }) => ids.has(cell) && !failure)
  const alone = valid.filter(sample => sample.kind === 'alone')
  return groupBy(alone.length > 0 ? alone : valid.filter(sample => sample.kind === 'heat'), ({ cell }) => cell)
}
