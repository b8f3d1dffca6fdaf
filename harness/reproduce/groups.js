/**
 * Groups of cells that a plan measures together, in place of its tables. A group compares what no table does: a queue
 * in two sizes, or a server with two flags.
 */
import { serverScenarios } from '../model/cell.js'
import { shuffle } from '../model/random.js'
import { randomOf } from '../plan/plan.js'
import { stepSeconds } from '../plan/step-seconds.js'
import { singleStep, splitExclusive } from '../plan/steps.js'
/** @import { Cell } from '../model/cell.js' */
/** @import { Plan } from '../plan/plan.js' */
/** @import { Kind, Step } from '../plan/steps.js' */

/**
 * @typedef {object} CellGroup
 * @property {Kind} kind  `heat`: all cells at the same time. Else one cell after the other.
 * @property {string[]} cells  Ids.
 * @property {number} rounds
 */

/**
 * @param {Plan} plan
 * @returns {Step[][]} a stage of counts, and a stage for each round
 */
export function groupStages (plan) {
  const rounds = Array.from({ length: roundsOf(plan.of.reproduce.groups) }, (_, round) => stepsIn(plan, round))
  const stages = [
    rounds.flat().filter(({ kind }) => kind === 'count'),
    ...rounds.map(steps => steps.filter(({ kind }) => kind !== 'count'))
  ]
  return splitExclusive(stages, plan)
}

/** @param {CellGroup[]} groups */
const roundsOf = groups => Math.max(0, ...groups.map(({ rounds }) => rounds))

/**
 * Steps of one round. The cells of a group have a random order.
 *
 * @param {Pick<Plan, 'cells' | 'settings' | 'of'>} plan
 * @param {number} round
 * @returns {Step[]}
 */
export function stepsIn ({ cells, settings, of }, round) {
  const random = randomOf(settings.seed, round)
  const cellOf = new Map(cells.map(cell => [cell.id, cell]))
  const groups = /** @type {CellGroup[]} */ (of.reproduce.groups)
  return groups
    .filter(({ rounds }) => round < rounds)
    .flatMap(({ kind, cells: ids }) => {
      const shuffled = shuffle(
        ids.flatMap(id => cellOf.get(id) ?? []),
        random
      )
      return kind === 'heat'
        ? [{ kind, cells: shuffled, id: `${nameOf(shuffled)} round ${round}`, round }]
        : shuffled.map(cell => singleStep(kind, cell, round))
    })
}

/**
 * Seconds of a round of a group, by the plan's own figures.
 *
 * @param {Pick<Plan, 'cells' | 'scenarios' | 'settings'>} plan
 * @param {CellGroup} group
 */
export function roundSeconds ({ cells, scenarios, settings }, { kind, cells: ids }) {
  const { scenario, params } = /** @type {Cell} */ (cells.find(({ id }) => id === ids[0]))
  const isHttp = serverScenarios(scenarios).has(scenario)
  const seconds = stepSeconds(settings, { kind, isHttp, params, size: ids.length })
  return kind === 'heat' ? seconds : ids.length * seconds
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
