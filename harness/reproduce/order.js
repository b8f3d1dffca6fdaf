/**
 * The order in which claims are measured. Counts come first. From there on the time goes to the claim that it can
 * decide soonest, by the plan's own figures and then as the samples tell: cheap and nearly decided claims first. Claims
 * that no planned look may decide come last, and stay open when the time is over.
 */
import { groupBy } from '../model/group-by.js'
import { ROUNDS_TOGETHER } from '../plan/steps.js'
import { roundSeconds } from './groups.js'
/** @import { Plan } from '../plan/plan.js' */
/** @import { Step } from '../plan/steps.js' */
/** @import { CellGroup } from './groups.js' */
/** @import { UndecidedClaims } from './stop-rule.js' */

/**
 * @param {Plan} plan
 * @param {Step[][]} stages
 * @param {UndecidedClaims} undecided
 * @returns {Generator<Step[]>} stages, each chosen by the samples of those before
 */
export function * inOrder (plan, stages, undecided) {
  const isCount = (/** @type {Step} */ { kind }) => kind === 'count'
  yield * stages.filter(steps => steps.every(isCount))

  const planned = /** @type {CellGroup[]} */ (plan.of.reproduce.groups)
  const groups = planned.map(group => ({ ...group, seconds: roundSeconds(plan, group) }))
  const groupOf = new Map(groups.flatMap(group => group.cells.map(cell => [`${group.kind} ${cell}`, group])))
  const timed = stages.flat().filter(step => !isCount(step))
  const steps = groupBy(timed, ({ kind, cells: [{ id }] }) => groupOf.get(`${kind} ${id}`))
  const left = new Map([...steps].map(([group, steps]) => [group, [...groupBy(steps, ({ round }) => round).values()]]))
  for (;;) {
    const group = undecided.soonest(([cell]) => {
      const group = groupOf.get(cell)
      return (left.get(group) ?? []).length > 0 ? group : undefined
    })
    if (group === undefined) return
    const rounds = /** @type {Step[][]} */ (left.get(group))
    const isExclusive = rounds[0][0].isExclusive === true
    const steps = rounds.splice(0, isExclusive ? 1 : ROUNDS_TOGETHER).flat()
    if (isExclusive) yield * steps.map(step => [step])
    else yield steps
  }
}
