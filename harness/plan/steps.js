/**
 * The steps of a plan, in stages. The steps of a stage may run side by side; a stage begins when the one before has
 * ended.
 *
 *   the first rounds of heats    cells that are compared run at the same time
 *   alone                        a server's throughput, latency, lateness and collections; a queue's slowest calls
 *   counts                       the same every time; nothing is timed meanwhile
 *   more rounds of heats         until a stop rule ends them
 */
import { chunk } from 'simple-statistics'
import { serverScenarios } from '../model/cell.js'
import { FEWEST_HEATS } from '../model/heats.js'
import { shuffle } from '../model/random.js'
import { orderRounds, planHeats, randomOf } from './plan.js'
/** @import { Cell } from '../model/cell.js' */
/** @import { Plan, PlannedScenario } from './plan.js' */

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

/** Rounds measured first without a budget: one heat shows no spread. Under a budget, an interval comes first. */
const FIRST_ROUNDS = 2
/** Rounds that share a stage, so that all cores are busy even with one table or row. */
export const ROUNDS_TOGETHER = 2

/**
 * Splits each stage into steps that may run side by side and steps that share the machine with none.
 *
 * @param {Step[][]} stages
 * @param {Pick<Plan, 'scenarios'>} plan
 * @returns {Step[][]}
 */
export function splitExclusive (stages, { scenarios }) {
  const http = serverScenarios(scenarios)
  const isExclusive = (/** @type {Step} */ { kind, cells: [{ scenario }] }) =>
    kind === 'profile' || (kind !== 'count' && http.has(scenario))
  return stages.flatMap(steps => {
    const exclusive = steps.filter(isExclusive).map(step => ({ ...step, isExclusive: true }))
    const others = steps.filter(step => !isExclusive(step))
    return [...(others.length > 0 ? [others] : []), ...exclusive.map(step => [step])]
  })
}

/**
 * The steps of a run: every cell of a table shares its heats. A gate and a reproduction plan their own steps.
 *
 * @param {Plan} plan
 * @returns {Step[][]}
 */
export function stagesOf (plan) {
  const {
    settings: { rounds, budgetSeconds }
  } = plan
  const first = Math.min(rounds, budgetSeconds === null ? FIRST_ROUNDS : FEWEST_HEATS)
  const measured = Array.from({ length: rounds }, (_, round) => roundSteps(plan, round))
  // No second round begins while a queue hangs in the first heat of its table.
  const [round = [], ...others] = measured
  const stages = [
    round,
    others.slice(0, first - 1).flat(),
    aloneSteps(plan),
    countSteps(plan),
    ...chunk(others.slice(first - 1), ROUNDS_TOGETHER).map(rounds => rounds.flat())
  ]
  return splitExclusive(stages, plan)
}

/**
 * @param {Plan} plan
 * @param {number} round
 */
function roundSteps (plan, round) {
  const { cells, scenarios, settings: { seed } } = plan
  // Cells that share no heat are measured alone as often as the others are in heats.
  const unshared = cells.filter(cell => scenarioOf(scenarios, cell).usesAllCores)
  const heats = planHeats(plan, round).map(heat => ({ ...heat, kind: /** @type {const} */ ('heat') }))
  return [...heats, ...shuffle(unshared, randomOf(seed, round)).map(cell => singleStep('alone', cell, round))]
}

/** @param {Plan} plan */
function aloneSteps ({ cells, scenarios, settings: { windows = 1, seed, micro } }) {
  const shown = cells.filter(cell => {
    const { kind, usesAllCores, isTimed } = scenarioOf(scenarios, cell)
    return !usesAllCores && isTimed !== false && (kind === 'http' || (kind === 'micro' && micro.tailMs > 0))
  })
  return orderRounds(shown, { rounds: windows, seed }).map(({ cell, round }) => singleStep('alone', cell, round))
}

/** @param {Plan} plan */
function countSteps ({ cells, queues, scenarios, settings: { micro } }) {
  if (micro.exactLimitMs === 0) return []
  const builtIn = new Set(queues.filter(({ origin }) => origin === 'built-in').map(({ name }) => name))
  const counted = cells.filter(cell => scenarioOf(scenarios, cell).isCounted && !builtIn.has(cell.queue))
  return counted.map(cell => singleStep('count', cell))
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

/**
 * @param {PlannedScenario[]} scenarios
 * @param {Cell} cell
 */
const scenarioOf = (scenarios, { scenario }) =>
  /** @type {PlannedScenario} */ (scenarios.find(({ name }) => name === scenario))
