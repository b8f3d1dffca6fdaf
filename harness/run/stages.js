/**
 * The steps of a run, a recommendation, and a program's run, in stages.
 *
 *   the first rounds of heats    cells that are compared run at the same time
 *   alone                        a server's throughput, latency, lateness and collections; a queue's slowest calls
 *   counts                       the same every time; nothing is timed meanwhile
 *   more rounds of heats         until a stop rule ends them
 */
import { chunk } from 'simple-statistics'
import { instrumentsOf } from '../measure/instruments.js'
import { FEWEST_HEATS } from '../model/heats.js'
import { shuffle } from '../model/random.js'
import { orderRounds, planHeats, randomOf } from '../plan/plan.js'
import { ROUNDS_TOGETHER, singleStep, splitExclusive } from '../plan/steps.js'
/** @import { Cell } from '../model/cell.js' */
/** @import { Plan } from '../plan/plan.js' */
/** @import { Kind, Step } from '../plan/steps.js' */

/** Rounds measured first without a budget: one heat shows no spread. Under a budget, an interval comes first. */
const FIRST_ROUNDS = 2

/**
 * @param {Plan} plan
 * @returns {Step[][]}
 */
export function stagesOf (plan) {
  const { end: { rounds, budgetSeconds } } = plan
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
  const { cells, settings: { seed } } = plan
  const isMeasured = measuredBy(plan)
  // Cells that share no heat are measured alone as often as the others are in heats.
  const unshared = cells.filter(cell => isMeasured(cell, 'alone') && !isMeasured(cell, 'heat'))
  const heats = planHeats(plan, round).map(heat => ({ ...heat, kind: /** @type {const} */ ('heat') }))
  return [...heats, ...shuffle(unshared, randomOf(seed, round)).map(cell => singleStep('alone', cell, round))]
}

/** @param {Plan} plan */
function aloneSteps (plan) {
  const { cells, scenarios, settings: { windows = 1, seed, micro } } = plan
  const isMeasured = measuredBy(plan)
  const used = scenarios.filter(scenario => instrumentsOf('alone', scenario, micro).length > 0).map(({ name }) => name)
  const shown = cells.filter(cell =>
    isMeasured(cell, 'alone') && isMeasured(cell, 'heat') && used.includes(cell.scenario)
  )
  return orderRounds(shown, { rounds: windows, seed }).map(({ cell, round }) => singleStep('alone', cell, round))
}

/** @param {Plan} plan */
function countSteps (plan) {
  const { cells, queues, settings: { micro } } = plan
  if (micro.exactLimitMs === 0) return []
  const isMeasured = measuredBy(plan)
  const builtIn = new Set(queues.filter(({ origin }) => origin === 'built-in').map(({ name }) => name))
  const counted = cells.filter(cell => isMeasured(cell, 'count') && !builtIn.has(cell.queue))
  return counted.map(cell => singleStep('count', cell))
}

/**
 * @param {Plan} plan
 * @returns {(cell: Cell, kind: Kind) => boolean}
 */
function measuredBy ({ scenarios }) {
  const steps = new Map(scenarios.map(({ name, steps }) => [name, steps]))
  return ({ scenario }, kind) => steps.get(scenario)?.includes(kind) ?? false
}
