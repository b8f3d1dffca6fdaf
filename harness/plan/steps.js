/**
 * The steps of a plan, in stages. The steps of a stage may run side by side; a stage begins when the one before has
 * ended.
 *
 *   the first rounds of heats    cells that are compared run at the same time
 *   alone                        a server's throughput, latency, lateness and collections; a queue's slowest calls
 *   counts                       the same every time; nothing is timed beside them
 *   more rounds of heats         until a stop rule ends them
 */
import { chunk } from 'simple-statistics'
import { serverScenarios } from '../model/cell.js'
import { groupsIn, roundsOf } from './groups.js'
import { orderRounds, planHeats } from './plan.js'
/** @import { Cell } from '../model/cell.js' */
/** @import { Plan, PlannedScenario } from './plan.js' */

/**
 * @typedef {'heat' | 'alone' | 'count' | 'profile'} Kind
 *
 * @typedef {object} Step  Cells that are measured in one go.
 * @property {Kind} kind
 * @property {Cell[]} cells  One, unless it is a heat.
 * @property {number} round
 * @property {string} id  Names the step in its run.
 * @property {boolean} [isExclusive]  A load shares the machine with nothing else that is timed.
 */

/** One heat shows no spread between heats. */
const FIRST_ROUNDS = 2
/** Rounds measured first under a budget. An interval needs three heats. */
export const FIRST_ROUNDS_IN_BUDGET = 3
/** Rounds that share a stage, so that all cores are busy even with one table. */
const ROUNDS_TOGETHER = 2

/**
 * @param {Plan} plan
 * @returns {Step[][]}
 */
export function stagesOf (plan) {
  const stages = plan.groups ? groupStages(plan) : tableStages(plan)
  const http = serverScenarios(plan.scenarios)
  return stages.flatMap(steps => sideBySide(steps, http))
}

/**
 * Splits a stage into steps that may run side by side and steps that share the machine with none.
 *
 * @param {Step[]} steps
 * @param {Set<string>} http  Names of scenarios.
 * @returns {Step[][]}
 */
export function sideBySide (steps, http) {
  const isExclusive = (/** @type {Step} */ { kind, cells: [{ scenario }] }) =>
    kind === 'profile' || (kind !== 'count' && http.has(scenario))
  const exclusive = steps.filter(isExclusive).map(step => ({ ...step, isExclusive: true }))
  return [steps.filter(step => !isExclusive(step)), ...exclusive.map(step => [step])].filter(steps => steps.length > 0)
}

/** @param {Plan} plan */
function tableStages (plan) {
  const {
    settings: { rounds, budgetSeconds }
  } = plan
  const first = Math.min(rounds, budgetSeconds === null ? FIRST_ROUNDS : FIRST_ROUNDS_IN_BUDGET)
  const measured = Array.from({ length: rounds }, (_, round) => roundSteps(plan, round))
  // A queue that hangs in the first heat of its table is not measured again meanwhile.
  const [round = [], ...others] = measured
  return [
    round,
    others.slice(0, first - 1).flat(),
    aloneSteps(plan),
    countSteps(plan),
    ...chunk(others.slice(first - 1), ROUNDS_TOGETHER).map(rounds => rounds.flat())
  ]
}

/**
 * @param {Plan} plan
 * @param {number} round
 */
function roundSteps (plan, round) {
  const {
    cells,
    scenarios,
    settings: { rounds, seed }
  } = plan
  // Cells that share no heat are measured alone as often as the others are in heats.
  const unshared = orderRounds(
    cells.filter(cell => scenarioOf(scenarios, cell).usesAllCores),
    { rounds, seed }
  )
  return [
    ...heatSteps(planHeats(plan, round)),
    ...singleSteps(
      'alone',
      unshared.filter(step => step.round === round)
    )
  ]
}

/** @param {Plan} plan */
function aloneSteps ({ cells, scenarios, settings: { windows = 1, seed, micro } }) {
  const shown = cells.filter(cell => {
    const { kind, usesAllCores, isTimed } = scenarioOf(scenarios, cell)
    return !usesAllCores && isTimed !== false && (kind === 'http' || (kind === 'micro' && micro.tailMs > 0))
  })
  return singleSteps('alone', orderRounds(shown, { rounds: windows, seed }))
}

/** @param {Plan} plan */
function countSteps ({ cells, queues, scenarios, settings: { micro } }) {
  if (micro.exactLimitMs === 0) return []
  const builtIn = new Set(queues.filter(({ origin }) => origin === 'built-in').map(({ name }) => name))
  const counted = cells.filter(cell => scenarioOf(scenarios, cell).isCounted && !builtIn.has(cell.queue))
  return singleSteps(
    'count',
    counted.map(cell => ({ cell, round: 0 }))
  )
}

/** @param {Plan} plan */
function groupStages (plan) {
  const rounds = Array.from({ length: roundsOf(plan.groups ?? []) }, (_, round) =>
    groupsIn(plan, round).flatMap(({ kind, cells, id }) =>
      id === undefined ? singleSteps(kind, [{ cell: cells[0], round }]) : [{ kind, cells, id, round }]
    )
  )
  return [
    rounds.flat().filter(({ kind }) => kind === 'count'),
    ...rounds.map(steps => steps.filter(({ kind }) => kind !== 'count'))
  ]
}

/**
 * @param {{id: string, cells: Cell[], round: number}[]} heats
 * @returns {Step[]}
 */
const heatSteps = heats => heats.map(({ id, cells, round }) => ({ kind: 'heat', id, cells, round }))

/**
 * @param {Kind} kind
 * @param {{cell: Cell, round: number}[]} cells
 * @returns {Step[]}
 */
const singleSteps = (kind, cells) =>
  cells.map(({ cell, round }) => ({ kind, id: singleId(kind, cell.id, round), cells: [cell], round }))

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

/**
 * @param {PlannedScenario[]} scenarios
 * @param {Cell} cell
 */
const scenarioOf = (scenarios, { scenario }) =>
  /** @type {PlannedScenario} */ (scenarios.find(({ name }) => name === scenario))
