/**
 * Rows of a plan whose cells have sides. A row is a cell without its side: base and head of a row share a heat, and in
 * one heat of four the control joins them.
 */
import { cellId, placeOfCell } from '../model/cell.js'
/** @import { CellPlace } from '../model/cell.js' */
/** @import { Plan } from './plan.js' */

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
  const timed = scenarios.filter(({ steps }) => steps.some(kind => kind !== 'count')).map(({ name }) => name)
  return ({ scenario }) => timed.includes(scenario)
}

/** @param {CellPlace} cell */
export const rowOf = cell => placeOfCell({ ...cell, side: undefined })

/** @param {CellPlace} cell */
export const rowId = cell => cellId({ ...cell, side: undefined })
