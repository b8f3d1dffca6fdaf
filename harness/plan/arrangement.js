/**
 * What a plan measures together, where it says so itself. Without an arrangement the queues of a table are compared with each
 * other; with one, whatever is: a queue at two sizes, or a server with two flags.
 *
 * @typedef {object} CellGroup
 * @property {string[]} cells  Their ids.
 * @property {number} rounds  How often the group is measured.
 *
 * @typedef {object} Arrangement
 * @property {string[]} [counts]  Cells whose work is counted.
 * @property {CellGroup[]} heats  Cells of a group are measured at the same time.
 * @property {CellGroup[]} windows  Cells of a group are measured alone, one right after the other.
 *
 * @typedef {import('./plan.js').Plan} Plan
 */
import { randomOf } from './plan.js'
import { shuffle } from '../model/random.js'

/** @param {Arrangement} arrangement */
export const roundsOf = ({ heats, windows }) => Math.max(0, ...[...heats, ...windows].map(({ rounds }) => rounds))

/**
 * The heats of one round, in a random order.
 *
 * @param {Plan} plan
 * @param {number} round
 * @returns {import('./plan.js').PlannedHeat[]}
 */
export function arrangedHeats (plan, round) {
  return groupsOf(plan, 'heats', round).map(cells => ({ id: `${nameGroup(cells)} round ${round}`, cells, round }))
}

/**
 * What is counted, once.
 *
 * @param {Plan} plan
 * @returns {{cell: import('./plan.js').Cell, round: number}[]}
 */
export function arrangedCounts ({ cells, arrangement }) {
  const counted = new Set(arrangement?.counts)
  return cells.filter(({ id }) => counted.has(id)).map(cell => ({ cell, round: 0 }))
}

/**
 * The windows of one round: groups in a random order, and each group's cells in one. What is compared lies close together, for
 * the speed of a machine moves within minutes.
 *
 * @param {Plan} plan
 * @param {number} round
 * @returns {{cell: import('./plan.js').Cell, round: number}[]}
 */
export function arrangedWindows (plan, round) {
  return groupsOf(plan, 'windows', round).flat().map(cell => ({ cell, round }))
}

/**
 * @param {Plan} plan
 * @param {'heats' | 'windows'} kind
 * @param {number} round
 */
function groupsOf ({ cells, settings: { seed }, arrangement }, kind, round) {
  const random = randomOf(seed, round)
  const cellOf = new Map(cells.map(cell => [cell.id, cell]))
  const groups = (arrangement?.[kind] ?? []).filter(({ rounds }) => round < rounds)
    .map(({ cells: ids }) => ids.flatMap(id => cellOf.get(id) ?? []))
  return shuffle(groups, random).map(group => shuffle(group, random))
}

/**
 * The same whatever the order; no two groups share a cell.
 *
 * @param {import('./plan.js').Cell[]} cells
 */
function nameGroup (cells) {
  const [first, ...others] = cells.map(({ id }) => id).sort()
  return others.length === 0 ? first : `${first} and ${others.length} more`
}
