/**
 * Steps of a plan, in stages. The steps of a stage may run side by side; a stage begins when the one before has ended.
 * Each question plans its own.
 */
import { kindIn } from '../model/kinds.js'
/** @import { Cell } from '../model/cell.js' */
/** @import { Plan } from './plan.js' */

/**
 * @typedef {'heat' | 'alone' | 'count' | 'profile'} Kind
 *
 * @typedef {object} Step  Cells that are measured in one go.
 * @property {Kind} kind
 * @property {Cell[]} cells  One, unless it is a heat, or counts both sides of a gate's row.
 * @property {number} round
 * @property {string} id  Names the step in its run.
 * @property {boolean} [isExclusive]  A load shares the machine with nothing else that is timed.
 */

/** Rounds that share a stage, so that all cores are busy even with one table or row. */
export const ROUNDS_TOGETHER = 2

/**
 * Splits each stage into steps that may run side by side and steps that share the machine with none.
 *
 * @param {Step[][]} stages
 * @param {Pick<Plan, 'scenarios'>} plan
 * @returns {Step[][]}
 */
export function splitExclusive (stages, plan) {
  const kindOf = kindIn(plan)
  const isExclusive = (/** @type {Step} */ { kind, cells: [cell] }) =>
    kind === 'profile' || (kind !== 'count' && kindOf(cell).isServer)
  return stages.flatMap(steps => {
    const exclusive = steps.filter(isExclusive).map(step => ({ ...step, isExclusive: true }))
    const others = steps.filter(step => !isExclusive(step))
    return [...(others.length > 0 ? [others] : []), ...exclusive.map(step => [step])]
  })
}

/**
 * @param {Kind} kind
 * @param {Cell} cell
 * @param {number} [round]
 * @returns {Step}
 */
export const singleStep = (kind, cell, round = 0) => ({
  kind,
  id: singleId(kind, cell.id, round),
  cells: [cell],
  round
})

/**
 * @param {Kind} kind
 * @param {string} cell
 * @param {number} round
 */
const singleId = (kind, cell, round) => `${kind} ${cell} round ${round}`

/**
 * The id of the step that took a sample.
 *
 * @param {{kind: Kind, cell: string, round: number, heat?: string}} sample
 */
export const stepIdOf = ({ kind, cell, round, heat }) => heat ?? singleId(kind, cell, round)
