/**
 * Groups of cells that a plan measures together, in place of its tables. A group compares what no table does: a queue
 * in two sizes, or a server with two flags.
 */
import { serverScenarios } from '../model/cell.js'
import { shuffle } from '../model/random.js'
import { randomOf } from './plan.js'
import { stepSeconds } from './step-seconds.js'
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
 * Cells to measure in one round, the cheapest first: a slow step takes no time that many quick ones could have used.
 * The cells of a group have a random order.
 *
 * @param {Pick<Plan, 'cells' | 'scenarios' | 'settings' | 'groups'>} plan
 * @param {number} round
 * @returns {{kind: Kind, cells: Cell[], id?: string}[]} `id`: of a heat
 */
export function groupsIn ({ cells, scenarios, settings, groups = [] }, round) {
  const random = randomOf(settings.seed, round)
  const cellOf = new Map(cells.map(cell => [cell.id, cell]))
  const http = serverScenarios(scenarios)
  const open = groups
    .filter(({ rounds }) => round < rounds)
    .map(({ kind, cells: ids }) => {
      const cells = shuffle(
        ids.flatMap(id => cellOf.get(id) ?? []),
        random
      )
      const [{ scenario, params }] = cells
      const seconds = stepSeconds(settings, { kind, isHttp: http.has(scenario), params, size: cells.length })
      return { kind, cells, seconds: kind === 'heat' ? seconds : cells.length * seconds }
    })
  return open.sort((one, other) => one.seconds - other.seconds).flatMap(group => stepsOf(group, round))
}

/** @type {(group: {kind: Kind, cells: Cell[]}, round: number) => {kind: Kind, cells: Cell[], id?: string}[]} */
function stepsOf ({ kind, cells }, round) {
  return kind === 'heat'
    ? [{ kind, cells, id: `${nameOf(cells)} round ${round}` }]
    : cells.map(cell => ({ kind, cells: [cell] }))
}

/**
 * Independent of the order of cells. No two heats of a plan share a cell.
 *
 * @param {Cell[]} cells
 */
function nameOf (cells) {
  const [first, ...others] = cells.map(({ id }) => id).sort()
  return others.length === 0 ? first : `${first} and ${others.length} more`
}
