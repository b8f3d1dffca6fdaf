/**
 * Groups of cells that a plan measures together, in place of tables. Unlike a table, a group may hold a queue in two sizes, or a server
 * with two flags.
 */
import { shuffle } from '../model/random.js'
import { randomOf } from './plan.js'

/** @import { Cell, Channel, Plan } from './plan.js' */

/**
 * @typedef {'heat' | 'alone' | 'count' | 'profile'} StepKind
 *
 * @typedef {object} CellGroup
 * @property {StepKind} kind  `heat`: all cells at the same time. Else one cell after the other.
 * @property {string[]} cells  Ids.
 * @property {number} rounds
 */

/** Channel of the samples that a step takes. @type {Record<StepKind, Channel>} */
export const CHANNELS = { heat: 'heat', alone: 'time', count: 'exact', profile: 'profile' }

/** @param {CellGroup[]} groups */
export const roundsOf = groups => Math.max(0, ...groups.map(({ rounds }) => rounds))

/**
 * Steps of one round: heats, then cells alone and profiles, each in a random order.
 *
 * @param {Pick<Plan, 'cells' | 'settings' | 'groups'>} plan
 * @param {number} round
 * @returns {{channel: Channel, cells: Cell[], round: number, id?: string}[]}
 */
export function groupSteps ({ cells, settings: { seed }, groups = [] }, round) {
  const random = randomOf(seed, round)
  const cellOf = new Map(cells.map(cell => [cell.id, cell]))
  const open = groups.filter(({ rounds }) => round < rounds).map(({ kind, cells }) => ({ channel: CHANNELS[kind], cells: cells.flatMap(id => cellOf.get(id) ?? []) }))
  const [heats, singles] = [true, false].map(isHeat => open.filter(({ channel }) => (channel === 'heat') === isHeat))
  return [
    ...shuffle(heats, random).map(({ channel, cells }) => ({ channel, cells: shuffle(cells, random), round, id: `${nameOf(cells)} round ${round}` })),
    ...singles.flatMap(({ channel, cells }) => shuffle(cells, random).map(cell => ({ channel, cells: [cell], round })))
  ]
}

/**
 * Independent of the order of cells. No two heats of a plan share a cell.
 *
 * @param {Cell[]} cells
 */
function nameOf (cells) {
  const [first, ...rest] = cells.map(({ id }) => id).sort()
  return rest.length === 0 ? first : `${first} and ${rest.length} more`
}
