/**
 * The plan of a gate, whose cells have sides. A row is a cell without its side. Base and head of a row share a heat,
 * and in one heat of four the control joins them. The seed determines the order of all steps and their seeds.
 */
import { hasLinear } from '../conformance/complexity.js'
import { spendAlpha } from '../judge/statistics/alpha-spending.js'
import { cellId, createCell, placeOfCell, serverScenarios, SIDES } from '../model/cell.js'
import { UsageError } from '../model/errors.js'
import { groupBy } from '../model/group-by.js'
import { formatCount } from '../model/numbers.js'
import { shuffle } from '../model/random.js'
import { createPlan, randomOf } from '../plan/plan.js'
import { sideBySide, stepIdOf } from '../plan/steps.js'
import { choosePins } from '../processes/pinning.js'
import { heatSeconds } from '../plan/step-seconds.js'

/**
 * @import { Look, Rules } from '../judge/verdict.js'
 * @import { ComparisonRecord } from '../judge/compare.js'
 * @import { Cell, CellPlace, Side } from '../model/cell.js'
 * @import { Plan, PlannedQueue, PlannedScenario, Settings } from '../plan/plan.js'
 * @import { Step } from '../plan/steps.js'
 *
 * @typedef {Pick<Settings, 'micro' | 'httpWarmupMs' | 'httpHeat'>} Timing
 *
 * @typedef {PlannedQueue & {file?: string}} GatedQueue `file` is relative to the root of the repository; absent: common
 *   to all sides.
 *
 * @typedef {PlannedScenario & {file?: string}} GatedScenario
 *
 * @typedef {object} GateSettings
 * @property {string} baseRef  As the user named it.
 * @property {string} [headRef]  Default: the working tree.
 * @property {string} [baseCommit]  Of a gate of revisions.
 * @property {string} [root]  Of their repository.
 * @property {Record<Side, SideChoice>} [sides]  Of a gate of runtimes or files, which needs no repository.
 * @property {Rules} rules
 * @property {Look[]} looks
 * @property {number} budgetSeconds
 * @property {boolean} [isSelfCheck]  Head and base are the same commit.
 * @property {boolean} [isUncounted]  Counts of the two sides cannot be compared.
 * @property {{base: string, head: string}} [trees]  Git's hashes of the sides, once their folders are there.
 * @property {ComparisonRecord['unmatched']} unmatched  Rows whose queue or scenario the base does not have.
 * @property {string[]} [warnings]  Differences between base and working tree that both sides share.
 *
 * @typedef {{runtime?: string, url?: string}} SideChoice  Name of its runtime; URL of the module that is gated.
 *
 * @typedef {{queue?: string, scenario?: string, reason: string}} Missing Name of a queue or scenario that the base does
 *   not have.
 *
 * @typedef {Omit<Plan, 'queues' | 'scenarios'> & {queues: GatedQueue[], scenarios: GatedScenario[], gate: GateSettings}}
 *   GatePlan
 */

/** Looks, in parts of the rounds. An early look decides clear rows and leaves their time to the others. */
const LOOKS = [1 / 5, 1 / 2, 1]
/** A look at fewer heats decides almost nothing, so its share of alpha would be wasted. */
export const FEWEST_HEATS = 8
export const HEATS_PER_CONTROL = 4
/** On average. */
export const PROCESSES_PER_HEAT = 2 + 1 / HEATS_PER_CONTROL
/** Stands in a plan for the URL of a queue whose sides each have a copy. */
export const SIDE_URL = ''
/** Part of the planned heats that is measured: early looks decide most rows. */
const SHARE_MEASURED = 0.5
/**
 * @param {Omit<GatePlan, 'cells' | 'gate'>} parts  `settings.rounds` limits the heats of a row, as does the budget.
 * @param {Omit<GateSettings, 'looks' | 'unmatched'>} gate
 * @param {Missing[]} [missing]
 * @returns {GatePlan}
 */
export function createGatePlan (parts, gate, missing = []) {
  const { settings, scenarios, queues } = parts
  const isTimed = timedIn(parts)
  const slow = new Set(queues.filter(({ meta }) => hasLinear(meta.complexity)).map(({ name }) => name))
  const reasonOf = (/** @type {Cell} */ cell) =>
    missing.find(({ queue, scenario }) => queue === cell.queue || scenario === cell.scenario)?.reason ??
    (isTimed(cell) ? undefined : reasonNotToCount(slow.has(cell.queue), gate))
  const planned = cellsOf(parts, gate)
  const cells = planned.filter(cell => reasonOf(cell) === undefined)
  const rounds = Math.min(
    settings.rounds,
    affordableRounds(settings, countRows(cells.filter(isTimed), scenarios), gate.budgetSeconds)
  )
  return {
    ...parts,
    queues: queues.filter(({ name }) => cells.some(({ queue }) => queue === name)),
    settings: { ...settings, rounds },
    cells: cells.flatMap(cell => SIDES.map(side => createCell({ ...cell, side }))),
    gate: {
      ...gate,
      looks: planLooks(rounds),
      unmatched: planned
        .flatMap(cell => ({ ...placeOfCell(cell), reason: reasonOf(cell) ?? '' }))
        .filter(({ reason }) => reason !== '')
    }
  }
}

/**
 * @param {boolean} isSlow
 * @param {Pick<GateSettings, 'isUncounted'>} gate
 */
function reasonNotToCount (isSlow, { isUncounted }) {
  if (isUncounted) return 'it is only counted, and these two versions of V8 count differently'
  return isSlow ? 'an operation is declared linear, and counting would take hours' : undefined
}

/**
 * @param {Omit<GatePlan, 'cells' | 'gate'>} parts
 * @param {Pick<GateSettings, 'sides'>} gate
 * @returns {Cell[]} by queue
 */
function cellsOf (parts, { sides }) {
  const {
    base: { runtime: before },
    head: { runtime: after }
  } = sides ?? { base: {}, head: {} }
  // A row of two runtimes has both names.
  const runtimes = before === undefined ? parts.runtimes : [{ ...parts.runtimes[0], name: `${before} to ${after}` }]
  const { cells } = createPlan({ ...parts, runtimes })
  return parts.queues.flatMap(({ name }) => cells.filter(({ queue }) => queue === name))
}

/**
 * @param {Pick<GatePlan, 'cells'>} plan
 * @returns {CellPlace[]}
 */
export function rowsOf ({ cells }) {
  return cells.filter(({ side }) => side === 'head').map(rowOf)
}

/**
 * Rows whose time decides; the work of all others is only counted.
 *
 * @param {Pick<GatePlan, 'cells' | 'scenarios'>} plan
 * @returns {CellPlace[]}
 */
export function timedRowsOf (plan) {
  const isTimed = timedIn(plan)
  return rowsOf(plan).filter(isTimed)
}

/**
 * @param {Pick<GatePlan, 'scenarios'>} plan
 * @returns {(cell: Pick<CellPlace, 'scenario'>) => boolean}
 */
function timedIn ({ scenarios }) {
  const counted = new Set(scenarios.filter(({ isTimed }) => isTimed === false).map(({ name }) => name))
  return ({ scenario }) => !counted.has(scenario)
}

/** @param {CellPlace} cell */
export const rowOf = cell => placeOfCell({ ...cell, side: undefined })

/** @param {CellPlace} cell */
export const rowId = cell => cellId({ ...cell, side: undefined })

/**
 * Counts come first: they take seconds and may show that a side cannot be measured.
 *
 * @param {GatePlan} plan
 * @returns {Step[][]}
 */
export function stagesOf (plan) {
  const counted = plan.gate.isUncounted ? [] : plan.cells.filter(({ side }) => side !== 'control')
  const counts = counted.map(cell => ({
    kind: /** @type {const} */ ('count'),
    id: stepIdOf({ kind: 'count', cell: cell.id, round: 0 }),
    cells: [cell],
    round: 0
  }))
  const servers = serverScenarios(plan.scenarios)
  const rounds = Array.from({ length: plan.settings.rounds }, (_, round) => heatsOf(plan, round))
  return [counts, ...rounds].flatMap(steps => sideBySide(steps, servers))
}

/**
 * @param {GatePlan} plan
 * @param {number} round
 * @returns {Step[]} of every row, in the order of this round
 */
export function heatsOf (plan, round) {
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

/** @param {number} rounds */
export function planLooks (rounds) {
  const early = LOOKS.slice(0, -1)
    .map(part => Math.ceil(rounds * part))
    .filter(look => look >= FEWEST_HEATS && look < rounds)
  const looks = [...early, rounds]
  const shares = spendAlpha(looks.map(look => look / rounds))
  return looks.map((look, i) => ({ rounds: look, share: shares[i] }))
}

/**
 * @param {CellPlace[]} rows
 * @param {Plan['scenarios']} scenarios
 */
function countRows (rows, scenarios) {
  const servers = rows.filter(row =>
    scenarios.some(({ name, kind }) => name === row.scenario && kind === 'http')
  ).length
  return { servers, others: rows.length - servers }
}

/**
 * Rounds to plan for. The stop rule enforces the budget.
 *
 * @param {Timing} settings
 * @param {{servers: number, others: number}} rows
 * @param {number} budgetSeconds
 * @param {number} [cores]  That run micro heats at the same time.
 */
export function affordableRounds (settings, rows, budgetSeconds, cores) {
  return Math.max(1, Math.floor(budgetSeconds / (SHARE_MEASURED * roundSeconds(settings, rows, cores))))
}

/**
 * About the seconds of a round that measures every row.
 *
 * @param {Timing} settings
 * @param {{servers: number, others: number}} rows
 * @param {number} [cores]  That run micro heats at the same time.
 */
function roundSeconds (settings, { servers, others }, cores = choosePins().cores.length) {
  const secondsOf = (/** @type {boolean} */ isHttp) => heatSeconds(settings, { isHttp, cells: PROCESSES_PER_HEAT })
  return servers * secondsOf(true) + Math.ceil(others / cores) * secondsOf(false)
}

/**
 * @param {GatePlan} plan
 * @throws {UsageError} when the budget allows too few heats for most verdicts, before it is spent
 */
export function assertBudget (plan) {
  const {
    settings,
    scenarios,
    gate: { budgetSeconds: budget }
  } = plan
  const rows = timedRowsOf(plan)
  const seconds = roundSeconds(settings, countRows(rows, scenarios))
  if (budget >= FEWEST_HEATS * seconds) return
  throw new UsageError(
    `with fewer than ${FEWEST_HEATS} heats of each of ${formatCount(rows.length, 'cell')}, few rows can be decided on time, and --budget ${budget}s is enough for about ${Math.floor(budget / seconds)} ` +
      `(try --budget ${Math.ceil(FEWEST_HEATS * seconds)}s, or fewer cells: --queue, --scenario)`
  )
}
