/**
 * A gate is a run that measures every queue three times: the base, the head, and as a control the base again, sent through
 * the steps of a head. All arms of a cell run in one heat. Which heat is measured when, from which folders and with which
 * seed follows from the seed of the gate alone.
 */
import { createPlan, randomOf } from '../plan/plan.js'
import { shuffle } from '../model/random.js'
import { spendAlpha } from '../judge/statistics/alpha-spending.js'

/**
 * @typedef {'base' | 'head' | 'again'} Arm  `again`: a sham head, the base once more in a folder of its own.
 *
 * @typedef {object} GatedQueue
 * @property {string} name
 * @property {string} file  Relative to the root of the repository.
 * @property {import('../plan/plan.js').PlannedQueue['origin']} origin
 * @property {import('../../queues/contract.js').QueueMeta} meta
 *
 * @typedef {object} GateSettings
 * @property {string} baseRef  As the user named it.
 * @property {string} baseCommit
 * @property {GatedQueue[]} queues
 * @property {import('../judge/verdict.js').Rules} rules
 * @property {import('../judge/verdict.js').Look[]} looks
 * @property {number} budgetSeconds
 * @property {boolean} [isSelfCheck]  The head is the base, too: can this machine tell that they are the same?
 * @property {number} controlsPerRound
 * @property {import('../judge/compare.js').ComparisonRecord['unmatched']} unmatched  Cells whose queue the base does not have.
 * @property {string} [root]  Of the repository; known once the gate has started.
 * @property {string[]} [warnings]  What base and head share though it may have changed.
 *
 * @typedef {import('../plan/plan.js').Plan & {gate: GateSettings}} GatePlan
 *
 * @typedef {object} PlannedPair  Samples that are measured at the same time, in one heat.
 * @property {import('../judge/verdict.js').RowCell} cell
 * @property {number} round
 * @property {Arm[]} order  In which the arms start.
 * @property {number} seed  Of the heat: layout and hashes are drawn from it, the same for all arms.
 */

/**
 * When a gate looks at its rows, in parts of its rounds. The first look decides what is clearly the same or clearly slower
 * and leaves that time to the others. Each look spends the share of alpha that its new pairs are of all: a fifth, three
 * tenths, a half.
 */
const LOOKS = [1 / 5, 1 / 2, 1]
/** An early look after fewer could decide next to nothing: its share of alpha would be wasted. */
export const FEWEST_HEATS = 8
/** One heat of so many has a control. */
export const HEATS_PER_CONTROL = 4
/** Processes in a heat, on average. */
export const PROCESSES_PER_HEAT = 2 + 1 / HEATS_PER_CONTROL
/** The arms of a gate have no file of their own in its plan: each runs the copy in its folder. */
export const ARM_URL = ''
/** Seeds of heats are 32 bit. */
const SEEDS = 2 ** 31

/**
 * @param {Omit<import('../plan/plan.js').Plan, 'cells' | 'queues'>} parts  `settings.rounds` is the most pairs a cell.
 * @param {Omit<GateSettings, 'looks' | 'controlsPerRound'>} gate
 * @returns {GatePlan}
 */
export function createGatePlan (parts, gate) {
  const arms = /** @type {Arm[]} */ (['base', 'head', 'again'])
  const plan = createPlan({ ...parts, queues: gate.queues.flatMap(queue => arms.map(arm => ({ ...queue, name: armName(queue.name, arm), url: ARM_URL }))) })
  const cells = plan.cells.length / arms.length
  return { ...plan, gate: { ...gate, looks: planLooks(parts.settings.rounds), controlsPerRound: Math.ceil(cells / HEATS_PER_CONTROL) } }
}

/**
 * The same gate with other rounds: its looks are planned again.
 *
 * @param {GatePlan} plan
 * @param {number} rounds  At most.
 * @returns {GatePlan}
 */
export function withRounds ({ settings, gate, ...plan }, rounds) {
  return { ...plan, settings: { ...settings, rounds }, gate: { ...gate, looks: planLooks(rounds) } }
}

/**
 * @param {string} queue
 * @param {Arm} arm
 */
export function armName (queue, arm) {
  return `${queue}@${arm}`
}

/**
 * What is compared: the cells of the plan, once each, under the queue's own name.
 *
 * @param {GatePlan} plan
 * @returns {import('../judge/verdict.js').RowCell[]}
 */
export function gatedCells ({ cells, gate }) {
  return gate.queues.flatMap(({ name }) => cells.filter(({ queue }) => queue === armName(name, 'head'))
    .map(({ scenario, params, runtime }) => ({ scenario, params, queue: name, runtime })))
}

/**
 * @param {GatePlan} plan
 * @param {number} round
 * @returns {PlannedPair[]} of every cell, in the order of this round
 */
export function orderPairs (plan, round) {
  const random = randomOf(plan.settings.seed, round)
  const cells = gatedCells(plan)
  const { controlsPerRound } = plan.gate
  const withControl = new Set(shuffle(cells, random).slice(0, controlsPerRound))
  const pairs = cells.map(cell => {
    /** @type {Arm[]} */
    const arms = withControl.has(cell) ? ['base', 'head', 'again'] : ['base', 'head']
    return { cell, round, order: shuffle(arms, random), seed: random(SEEDS) }
  })
  return shuffle(pairs, random)
}

/**
 * Every round the arms change folders: over three rounds each is measured in each folder.
 *
 * @param {number} round
 */
export const turnOf = round => round % 3

/** @param {number} rounds */
export function planLooks (rounds) {
  const early = LOOKS.slice(0, -1).map(part => Math.ceil(rounds * part)).filter(look => look >= FEWEST_HEATS && look < rounds)
  const looks = [...early, rounds]
  const shares = spendAlpha(looks.map(look => look / rounds))
  return looks.map((look, i) => ({ rounds: look, share: shares[i] }))
}
