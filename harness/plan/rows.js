/**
 * Rows of a plan whose cells have sides. A row is a cell without its side: base and head of a row share a heat, and in
 * one heat of four the control joins them.
 */
import { cellId, placeOfCell } from '../model/cell.js'
import { groupBy } from '../model/group-by.js'
import { shuffle } from '../model/random.js'
import { randomOf } from './plan.js'
/** @import { CellPlace } from '../model/cell.js' */
/** @import { Plan } from './plan.js' */
/** @import { Step } from './steps.js' */

export const HEATS_PER_CONTROL = 4
/** Mean number of processes in a heat of a row. */
export const PROCESSES_PER_HEAT = 2 + 1 / HEATS_PER_CONTROL

/**
 * @param {Pick<Plan, 'cells'>} plan
 * @returns {CellPlace[]}
 */
export function rowsOf ({ cells }) {
  return cells.filter(({ side }) => side === 'head').map(rowOf)
}

/**
 * Rows whose time decides; the work of all others is only counted.
 *
 * @param {Pick<Plan, 'cells' | 'scenarios'>} plan
 * @returns {CellPlace[]}
 */
export function timedRowsOf (plan) {
  const isTimed = timedIn(plan)
  return rowsOf(plan).filter(isTimed)
}

/**
 * @param {Pick<Plan, 'scenarios'>} plan
 * @returns {(cell: Pick<CellPlace, 'scenario'>) => boolean}
 */
export function timedIn ({ scenarios }) {
  const counted = new Set(scenarios.filter(({ isTimed }) => isTimed === false).map(({ name }) => name))
  return ({ scenario }) => !counted.has(scenario)
}

/** @param {CellPlace} cell */
export const rowOf = cell => placeOfCell({ ...cell, side: undefined })

/** @param {CellPlace} cell */
export const rowId = cell => cellId({ ...cell, side: undefined })

/**
 * @param {Plan} plan
 * @param {number} round
 * @returns {Step[]} of every row, in the order of this round
 */
export function rowHeats (plan, round) {
  const random = randomOf(plan.settings.seed, round)
  const rows = [...groupBy(plan.cells.filter(timedIn(plan)), rowId)]
  const controlled = new Set(shuffle(rows, random).slice(0, Math.ceil(rows.length / HEATS_PER_CONTROL)))
  const heats = rows.map(row => {
    const [id, sides] = row
    const members = sides.filter(({ side }) => side !== 'control' || controlled.has(row))
    return { kind: /** @type {const} */ ('heat'), id: `${id} round ${round}`, cells: shuffle(members, random), round }
  })
  return shuffle(heats, random)
}
