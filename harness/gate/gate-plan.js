/**
 * The plan of a gate, whose cells have sides (plan/rows.js): of which files each side runs its own copy, which rows can
 * be compared, how many rounds the budget affords, and at which rounds the gate looks.
 */
import { realpathSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { hasLinear } from '../conformance/complexity.js'
import { createCell, placeOfCell, SIDES } from '../model/cell.js'
import { UsageError } from '../model/errors.js'
import { groupBy } from '../model/group-by.js'
import { FEWEST_PAIRS } from '../model/heats.js'
import { kindIn, kinds } from '../model/kinds.js'
import { enumerate, formatCount } from '../model/numbers.js'
import { createPlan, SIDE_URL } from '../plan/plan.js'
import { PROCESSES_PER_HEAT, rowId, timedIn, timedRowsOf } from '../plan/rows.js'
import { heatSeconds, refuseShort } from '../plan/step-seconds.js'
import { choosePins } from '../processes/pinning.js'
import { posixOf } from './paths.js'
import { isInCommit } from './revisions.js'
import { lostAmong } from './wanted.js'

/** @import { Cell, CellPlace } from '../model/cell.js' */
/** @import { ComparisonRecord, Look, Rules } from '../judge/records.js' */
/** @import { Side } from '../model/cell.js' */
/** @import { Plan, PlannedQueue, PlannedScenario, Settings, Sides } from '../plan/plan.js' */
/** @import { Expected } from './wanted.js' */

/**
 * @typedef {object} HeatTimes
 * @property {Pick<Settings, 'micro' | 'httpWarmupMs' | 'httpHeat'>} settings
 * @property {{gate: {loadSeconds?: number}}} [of]
 *
 * @typedef {Plan & {of: {gate: GateSettings}, sides?: Sides}} GatePlan  Its cells have sides.
 *
 * @typedef {object} InFolders
 * @property {{gate: {root: string, baseCommit: string}}} of
 * @property {Record<Side, {folder: string, cwd: string}>} sides
 *
 * @typedef {GatePlan & InFolders} SidedPlan  Plan of a gate of revisions, whose sides are folders.
 *
 * @typedef {object} GateSettings
 * @property {string} baseRef  Revision as the user named it.
 * @property {number} [behind]  Commits of the branch of the base since the head left it.
 * @property {string} [headRef]  Default: the working tree.
 * @property {string} [baseCommit]  Commit of a gate of revisions.
 * @property {string} [root]  Folder of their repository.
 * @property {Sides} [sides]  Sides of a gate of runtimes, which needs no repository.
 * @property {Rules} rules
 * @property {Expected[]} [expect]  Results that rows must show. Default: not slower.
 * @property {Look[]} looks
 * @property {number} budgetSeconds
 * @property {number} [leastSeconds]  The budget grows from this with the rows: the user has chosen none.
 * @property {number} mostRounds  Heats of a row, at most.
 * @property {number} [fits]  Rows that the budget affords.
 * @property {number} [loadSeconds]  CPU time in which a process loads its file.
 * @property {boolean} [isSelfCheck]  Head and base are the same commit.
 * @property {boolean} [isUncounted]  Counts of the two sides cannot be compared.
 * @property {{base: string, head: string}} [trees]  Git's hashes of the sides, once their folders are there.
 * @property {string} [headCommit]  Commit of the head, if it has no changes that are not committed.
 * @property {ComparisonRecord['unmatched']} unmatched  Rows whose queue or scenario the base does not have.
 * @property {string[]} [warnings]  Differences between base and working tree that both sides share.
 * @property {string[]} [unmeasured]  Changes that cannot be measured, as both sides run the same code.
 * @property {string[]} [shared]  Code outside of the repository, and benchmark files, that both sides run.
 * @property {string[]} [unrun]  Changed functions and modules that no task runs.
 * @property {'touched' | 'all'} [measure]  Default: rows that a change may have touched.
 * @property {CellPlace[]} [untouched]  Rows that run nothing that has changed.
 * @property {ComparisonRecord['touched']} [touched]  Missing where all rows are measured.
 * @property {CellPlace[]} [notFitting]  Rows for which the budget has no time.
 * @property {string[]} [commands]  Commands of the user that completed the sides.
 */

/**
 * @typedef {object} Missing  Queue or scenario that the base does not have.
 * @property {string} [queue]
 * @property {string} [scenario]
 * @property {string} reason
 */

/** Looks, in parts of the rounds. An early look decides clear rows and leaves their time to the others. */
const LOOKS = [1 / 5, 1 / 2, 1]
/**
 * Looks of a gate of one row before its first part is measured: rounds, and the share of alpha that is spent by then.
 * The first spends just enough to show a change that all of its heats agree on (2^-8 is below 0.08 of an alpha of
 * 0.05), and too little to exclude one. At the second, most neutral changes pass; a budget of two minutes would first
 * look after 20 heats, 3 s later.
 */
const EARLY_LOOKS = [
  [FEWEST_PAIRS, 0.08],
  [12, 0.14]
]
/** Part of the budget that a count may take on each side, and again to be sure: a slow task leaves time to others. */
const SHARE_OF_A_COUNT = 1 / 16
const OTHER_COUNTS = 'only its counts could be compared, and they depend on the version of V8'
const SLOW_TO_COUNT = 'an operation is declared linear, and counting would take hours'
/** Time to load a file that every estimate includes. */
const USUAL_LOAD_SECONDS = 0.2
/** Longest budget that the user has not chosen. */
const MOST_SECONDS = 1800
/** Part of the planned heats that is measured: early looks decide most rows. */
const SHARE_MEASURED = 0.5

/**
 * @typedef {object} GatedFiles
 * @property {PlannedScenario[]} scenarios
 * @property {PlannedQueue[]} queues
 * @property {Missing[]} missing  Files that the base does not have.
 */

/**
 * Tells the files of queues, of workloads without a queue, and of servers from modules that both sides share.
 *
 * @param {Pick<Plan, 'scenarios' | 'queues'>} parts
 * @param {object} options
 * @param {string} options.root  Root of the repository.
 * @param {string} options.baseRef
 * @param {string} options.baseCommit
 * @param {boolean} [options.isSelfCheck]
 * @param {string[] | null} options.servers  URLs of the user's servers, if servers are compared, not queues.
 * @param {boolean} options.isNamed  The user named the queues.
 * @returns {GatedFiles}
 * @throws {UsageError} when a file lies outside of the repository
 */
export function gateFiles (parts, { root, baseRef, baseCommit, isSelfCheck, servers, isNamed }) {
  /** @type {PlannedScenario[]} */
  const scenarios = parts.scenarios.map(scenario => {
    const { kind, url, steps } = scenario
    const { isCode } = kinds[kind]
    if (!isCode && !servers?.includes(url)) return scenario
    const file = fileIn(root, url)
    if (file !== undefined) {
      const taken = isCode ? steps : steps.filter(step => step !== 'count')
      return { ...scenario, url: SIDE_URL, file, steps: taken }
    }
    throw new UsageError(`--scenario must name files of the repository ${root}, got ${fileURLToPath(url)}`)
  })
  /** @type {PlannedQueue[]} */
  const queues = parts.queues.map(queue => {
    const { name, origin, url } = queue
    const isBuiltIn = origin === 'built-in'
    if ((isBuiltIn && servers) || url === SIDE_URL) return queue
    const file = isBuiltIn ? undefined : fileIn(root, url)
    if (file !== undefined) return { ...queue, url: SIDE_URL, file }
    if (origin === 'code') return queue
    throw new UsageError(
      isNamed
        ? `--queue must name files of the repository ${root}, got ${name} (try --queue ./src/my-queue.js)`
        : 'gate needs --queue: a file of this repository (./src/my-queue.js); or --scenario: a file that needs no queue'
    )
  })
  // Both sides run the head's workloads. In a self-check, the base is the head.
  const given = scenarios.flatMap(({ kind, file }) => (kinds[kind].isCode && !isSelfCheck ? file : []))
  const named = [
    ...scenarios.map(({ name, file }) => ({ scenario: name, file })),
    ...queues.map(({ name, file }) => ({ queue: name, file }))
  ]
  const missing = named.flatMap(({ file, ...place }) =>
    file === undefined || given.includes(file) || isInCommit(root, baseCommit, file)
      ? []
      : { ...place, reason: `${file} is not in ${baseRef}: nothing to compare with` }
  )
  return { scenarios, queues, missing }
}

/**
 * Relative to the root; undefined outside of the repository, in its packages, and for a module whose URL has a query.
 *
 * @param {string} root
 * @param {string} url
 */
function fileIn (root, url) {
  if (new URL(url).search) return
  const named = fileURLToPath(url)
  // The path may lead through a link.
  const real = path.join(realpathSync(path.dirname(named)), path.basename(named))
  return [named, real]
    .map(file => path.relative(root, file))
    .find(file => !file.startsWith('..') && !path.isAbsolute(file) && !file.split(path.sep).includes('node_modules'))
}

/**
 * Scenarios of each benchmark file, relative to the root, with slashes: a file has one for each of its tables.
 *
 * @param {Pick<SidedPlan, 'scenarios'>} plan
 */
export const benchmarksIn = ({ scenarios }) =>
  groupBy(scenarios.filter(({ kind, file }) => kinds[kind].isCode && file), ({ file = '' }) => posixOf(file))

/**
 * @param {Omit<Plan, 'cells'>} parts  `end.rounds` limits the heats of a row, as does the budget.
 * @param {Omit<GateSettings, 'looks' | 'unmatched' | 'mostRounds'>} gate
 * @param {Missing[]} [missing]
 * @returns {GatePlan}
 * @throws {UsageError} when an expectation names no row
 */
export function createGatePlan (parts, gate, missing = []) {
  const { end, queues } = parts
  const isTimed = timedIn(parts)
  const slow = new Set(queues.filter(({ meta }) => hasLinear(meta.complexity)).map(({ name }) => name))
  const planned = cellsOf(parts, gate).map(cell => {
    const lacking = missing.find(({ queue, scenario }) => queue === cell.queue || scenario === cell.scenario)
    const uncounted = gate.isUncounted ? OTHER_COUNTS : slow.has(cell.queue) ? SLOW_TO_COUNT : undefined
    return { cell, reason: lacking?.reason ?? (isTimed(cell) ? undefined : uncounted) }
  })
  const cells = planned.flatMap(({ cell, reason }) => (reason === undefined ? [cell] : []))
  const [lost] = cells.length > 0 ? lostAmong(cells, gate.expect) : []
  if (lost) {
    const names = [...new Set(cells.flatMap(({ scenario, queue }) => [scenario, queue]))]
    throw new UsageError(
      `--expect ${lost.change}:${lost.rows} names no scenario and no queue of this gate (there are ${enumerate(names)})`
    )
  }
  const unmatched = planned.flatMap(({ cell, reason }) => (reason ? { ...placeOfCell(cell), reason } : []))
  return inBudget({
    ...parts,
    queues: queues.filter(({ name }) => cells.some(({ queue }) => queue === name)),
    cells: cells.flatMap(cell => SIDES.map(side => createCell({ ...cell, side }))),
    of: { ...parts.of, gate: { ...gate, looks: [], unmatched, mostRounds: end.rounds } }
  })
}

/**
 * The plan without rows that cannot be compared, or that the change cannot have touched.
 *
 * @template {GatePlan} P
 * @param {P} plan
 * @returns {P}
 */
export function keepRows (plan) {
  const { unmatched, untouched = [] } = plan.of.gate
  const left = new Set(untouched.map(rowId))
  const isKept = (/** @type {Cell} */ cell) =>
    !left.has(rowId(cell)) &&
    unmatched.every(row => row.scenario !== cell.scenario || row.queue !== cell.queue)
  return inBudget({ ...plan, cells: plan.cells.filter(isKept) })
}

/**
 * Chooses the rounds that the budget affords, and the looks. A budget that the user has not chosen grows with the rows.
 *
 * @template {GatePlan} P
 * @param {P} plan
 * @returns {P}
 */
function inBudget (plan) {
  const { settings, end, of, of: { gate } } = plan
  const rows = countRows(timedRowsOf(plan), plan)
  const usual = Math.ceil(FEWEST_PAIRS * roundSeconds(plan, rows))
  const { leastSeconds } = gate
  const budgetSeconds = leastSeconds ? Math.min(MOST_SECONDS, Math.max(leastSeconds, usual)) : gate.budgetSeconds
  const measured = rowsWithin(plan, rows, budgetSeconds)
  const fits = measured.servers + measured.others
  const rounds = Math.min(gate.mostRounds, affordableRounds(plan, measured, budgetSeconds))
  const looks = planLooks(rounds, fits)
  const exactLimitMs = Math.min(settings.micro.exactLimitMs, 1000 * SHARE_OF_A_COUNT * budgetSeconds)
  const limited = { ...settings, micro: { ...settings.micro, exactLimitMs } }
  const paced = { ...gate, budgetSeconds, looks, fits }
  return { ...plan, settings: limited, end: { ...end, rounds }, of: { ...of, gate: paced } }
}

/**
 * Rows whose verdicts the budget affords, servers first.
 *
 * @param {HeatTimes} plan
 * @param {{servers: number, others: number}} rows
 * @param {number} budgetSeconds
 */
function rowsWithin (plan, { servers, others }, budgetSeconds) {
  const seconds = budgetSeconds / FEWEST_PAIRS
  const heat = secondsOfHeats(plan)
  const fitting = Math.min(servers, Math.floor(seconds / heat.server))
  const left = fitting < servers ? 0 : seconds - servers * heat.server
  return { servers: fitting, others: Math.min(others, choosePins().cores.length * Math.floor(left / heat.other)) }
}

/**
 * @param {Omit<Plan, 'cells'>} parts
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
 * Testing several times while pairs come in gives chance several tries. Each planned look may therefore spend only its
 * share of alpha: as much of it as it brings new pairs. A look is tested at what it may spend, without counting on its
 * correlation with earlier looks: a little cautious, and exact for any test.
 *
 * Sources: K. K. G. Lan and D. L. DeMets, "Discrete sequential boundaries for clinical trials", Biometrika 70(3), 1983;
 * K. Kim and D. L. DeMets, "Design and analysis of group sequential tests based on the type I error spending rate
 * function", Biometrika 74(1), 1987: the power family with exponent 1.
 *
 * @param {number} rounds
 * @param {number} [rows]  Timed rows. Adjusted for several, so few heats show nothing.
 * @returns {Look[]}
 */
export function planLooks (rounds, rows = Infinity) {
  const later = LOOKS.map(part => Math.ceil(rounds * part)).filter(
    (look, i) => i === LOOKS.length - 1 || (look >= FEWEST_PAIRS && look < rounds)
  )
  const early = rows > 1 || later.length === 1 ? [] : EARLY_LOOKS.filter(([look]) => look < later[0])
  const looks = [...early, ...later.map(look => [look, look / rounds])]
  return looks.map(([rounds, spent], i) => ({ rounds, share: spent - (looks[i - 1]?.[1] ?? 0) }))
}

/**
 * @param {CellPlace[]} rows
 * @param {Pick<Plan, 'scenarios'>} plan
 */
function countRows (rows, plan) {
  const kindOf = kindIn(plan)
  const servers = rows.filter(row => kindOf(row).isServer).length
  return { servers, others: rows.length - servers }
}

/**
 * Rounds to plan for. The stop rule enforces the budget.
 *
 * @param {HeatTimes} plan
 * @param {{servers: number, others: number}} rows
 * @param {number} budgetSeconds
 * @param {number} [cores]  Cores that run micro heats at the same time.
 */
export function affordableRounds (plan, rows, budgetSeconds, cores) {
  return Math.max(1, Math.floor(budgetSeconds / (SHARE_MEASURED * roundSeconds(plan, rows, cores))))
}

/**
 * About the seconds of a round that measures every row.
 *
 * @param {HeatTimes} plan
 * @param {{servers: number, others: number}} rows
 * @param {number} [cores]  Cores that run micro heats at the same time.
 */
function roundSeconds (plan, { servers, others }, cores = choosePins().cores.length) {
  const heat = secondsOfHeats(plan)
  return servers * heat.server + Math.ceil(others / cores) * heat.other
}

/** @param {HeatTimes} plan */
function secondsOfHeats ({ settings, of }) {
  const cells = PROCESSES_PER_HEAT
  const slowness = Math.max(0, (of?.gate.loadSeconds ?? 0) - USUAL_LOAD_SECONDS)
  return {
    server: heatSeconds(settings, { isServer: true, cells }),
    other: heatSeconds(settings, { cells }) + cells * slowness
  }
}

/**
 * @param {GatePlan} plan
 * @param {{isLimited?: boolean}} [options]  `isLimited`: the user has limited the rounds, and a single heat will do.
 * @throws {UsageError} when the budget allows too few heats for the verdict of a row, before it is spent
 */
export function assertBudget (plan, { isLimited = false } = {}) {
  const { budgetSeconds: budget } = plan.of.gate
  const { servers, others } = countRows(timedRowsOf(plan), plan)
  if (servers + others === 0) return
  const heat = secondsOfHeats(plan)
  const seconds = others === 0 ? heat.server : heat.other
  if (isLimited) return refuseShort(budget, seconds, 'without --budget')
  if (budget >= FEWEST_PAIRS * seconds) return
  throw new UsageError(
    `--budget ${budget}s is enough for about ${formatCount(Math.floor(budget / seconds), 'heat')} of one cell, and ` +
      `most verdicts take ${FEWEST_PAIRS} or more (try --budget ${Math.ceil(FEWEST_PAIRS * seconds)}s)`
  )
}
