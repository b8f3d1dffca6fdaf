/**
 * The steps of a gate. Counts come first: they take seconds and may show that a side cannot be measured. Both sides of
 * a row are one step, since sides that differ are counted again; the control is a copy of the base.
 */
import { chunk } from 'simple-statistics'
import { groupBy } from '../model/group-by.js'
import { shuffle } from '../model/random.js'
import { randomOf } from '../plan/plan.js'
import { HEATS_PER_CONTROL, rowId, timedIn } from '../plan/rows.js'
import { ROUNDS_TOGETHER, singleStep, splitExclusive } from '../plan/steps.js'
/** @import { Step } from '../plan/steps.js' */
/** @import { GatePlan } from './gate-plan.js' */

/**
 * @param {GatePlan} plan
 * @returns {Step[][]} in stages
 */
export function gateStages (plan) {
  const counted = plan.of.gate.isUncounted ? [] : plan.cells.filter(({ side }) => side !== 'control')
  const rounds = Array.from({ length: plan.end.rounds }, (_, round) => rowHeats(plan, round))
  const stages = [
    [...groupBy(counted, rowId).values()].map(sides => ({ ...singleStep('count', sides[0]), cells: sides })),
    ...chunk(rounds, ROUNDS_TOGETHER).map(rounds => rounds.flat())
  ]
  return splitExclusive(stages, plan)
}

/**
 * @param {Pick<GatePlan, 'cells' | 'scenarios' | 'settings'>} plan
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
