/**
 * Groups of cells that a plan measures together, in place of its tables. A group compares what no table does: a queue in two sizes, or
 * a server with two flags.
 */
import { shuffle } from '../model/random.js'
import { randomOf } from './plan.js'
/** @import { Cell } from '../model/cell.js' */
/** @import { Plan } from './plan.js' */
/** @import { Kind } from './steps.js' */

/**
 * @typedef {object} CellGroup
 * @property {Kind} kind  `heat`: all cells at the same time. Else one cell after the other.
 * @property {string[]} cells  Ids.
 * @property {number} rounds
 */

/** @param {CellGroup[]} groups */
export const roundsOf = groups => Math.max(0, ...groups.map(({ rounds }) => rounds))

/**
 * Cells to measure in one round: heats, then cells alone and profiles, each in a random order.
 *
 * @param {Pick<Plan, 'cells' | 'settings' | 'groups'>} plan @param {number} round
 * @returns {{kind: Kind, cells: Cell[], id?: string}[]} `id`: of a heat
 */
export function groupsIn ({ cells, settings: { seed }, groups = [] }, round) {
  const random = randomOf(seed, round)
  const cellOf = new Map(cells.map(cell => [cell.id, cell]))
  const open = groups.filter(({ rounds }) => round < rounds).map(({ kind, cells }) => ({ kind, cells: cells.flatMap(id => cellOf.get(id) ?? []) }))
  const [heats, singles] = [true, false].map(isHeat => open.filter(({ kind }) => (kind === 'heat') === isHeat))
  return [
    ...shuffle(heats, random).map(({ kind, cells }) => ({ kind, cells: shuffle(cells, random), id: `${nameOf(cells)} round ${round}` })),
    ...singles.flatMap(({ kind, cells }) => shuffle(cells, random).map(cell => ({ kind, cells: [cell] })))
  ]
}

/** Independent of the order of cells. No two heats of a plan share a cell. @param {Cell[]} cells */
function nameOf (cells) {
  const [first, ...others] = cells.map(({ id }) => id).sort()
  return others.length === 0 ? first : `${first} and ${others.length} more`
}
