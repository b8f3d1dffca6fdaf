/** Plans of a gate: base against head of queues in a repository, or counts against a baseline file. */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { rooms } from '../../harness/index.js'
import { MeasurementError, UsageError } from '../../harness/model/errors.js'
import { DEFAULT_QUEUES, GATE, GATE_BUDGET_SECONDS } from '../presets.js'
import { GATED_FILE, resolveQueues, resolveScenarios } from './catalogue.js'
import { chooseParts, planOf } from './plan.js'

/** @import { Baseline, Counted } from '../../harness/gate/baseline.js' */
/** @import { GatePlan } from '../../harness/gate/gate-plan.js' */
/** @import { Plan, PlannedQueue } from '../../harness/plan/plan.js' */
/** @import { Request } from './request.js' */

/** @typedef {Request & {base: string}} GateRequest */

const { assertBudget, createGatePlan, isInCommit, repositoryRoot, resolveCommit, SIDE_URL } = await rooms.gate()

/** Counts of different days are compared, so their workload stays the same. */
const BASELINE_SEED = 1
/** Counting 200 000 timers never ends for a queue with a linear operation, which a gate leaves out. */
const BASELINE_SCENARIOS = GATE.scenarios.filter(name => name !== 'crowd')
/** Options that a baseline file does not keep. */
const NOT_FOR_BASELINES = /** @type {const} */ ({ runtime: '--runtime', nodeFlags: '--node-flags', sweep: '--sweep', trace: '--trace' })
/** Built-in timers have no file to compare. */
const GATED_QUEUES = DEFAULT_QUEUES.filter(name => name !== 'node')

/** @param {GateRequest} request @returns {Promise<GatePlan>} @throws {UsageError} */
export async function planGate (request) {
  const { base, budget = GATE_BUDGET_SECONDS, selfCheck, floor, margin, alpha } = request
  const root = repositoryRoot(process.cwd())
  const baseCommit = resolveCommit(root, base)
  const { queues, ...parts } = await chooseGated(request)
  const gated = queues.map(queue => ({ ...queue, url: SIDE_URL, file: fileWithin(root, queue, request.queue !== undefined) }))
  const known = gated.filter(({ file }) => isInCommit(root, baseCommit, file))
  const newQueues = gated.filter(queue => !known.includes(queue)).map(queue => ({ ...queue, reason: `${queue.file} is not in ${base}: nothing to compare with` }))
  if (known.length === 0) throw new MeasurementError(newQueues[0].reason)
  const gate = { root, baseRef: base, baseCommit, rules: { floor, margin, alpha }, budgetSeconds: budget, ...(selfCheck && { isSelfCheck: true }) }
  const plan = createGatePlan({ ...parts, queues: known }, gate, newQueues)
  if (request.rounds === undefined) assertBudget(plan)
  return plan
}

/**
 * Plans to count the queues, scenarios and sizes that the user names, or else those of the baseline.
 *
 * @param {GateRequest} request
 * @param {Baseline | null} baseline  null: the file does not exist yet.
 * @returns {Promise<{plan: Plan, chosen: Counted['chosen']}>}
 * @throws {UsageError}
 */
export async function planBaseline (request, baseline) {
  const { base: file, update } = request
  const refused = /** @type {(keyof typeof NOT_FOR_BASELINES)[]} */ (Object.keys(NOT_FOR_BASELINES)).find(name => request[name] !== undefined)
  if (refused) {
    throw new UsageError(`${NOT_FOR_BASELINES[refused]} is not for a baseline file: this Node counts queues, scenarios and sizes only (compare with a revision: --base main)`)
  }
  const known = baseline?.chosen ?? { queue: GATED_QUEUES, scenario: BASELINE_SCENARIOS, size: null }
  const {
    queue = resolveQueues(known.queue),
    scenario = resolveScenarios(known.scenario),
    size = known.size?.map(Number),
    seed = baseline?.seed ?? BASELINE_SEED
  } = request
  const { settings, ...parts } = await chooseGated({ ...request, queue, scenario, size, seed })
  const plan = planOf({ ...parts, settings: { ...settings, countSeed: seed } })
  const server = plan.scenarios.find(({ kind }) => kind === 'http')
  if (server) throw new UsageError(`${server.name} is a server, which is timed and not counted (for a baseline file name other scenarios, or compare with a revision: --base main)`)
  if (baseline && baseline.seed !== seed && !update) {
    throw new UsageError(`${file} was counted with --seed ${baseline.seed}, got ${seed}: another workload has other counts (--update counts it again)`)
  }
  return { plan, chosen: { queue: queue.map(({ spec }) => spec), scenario: scenario.map(({ spec }) => spec), size: size?.map(String) ?? null } }
}

/** A parameter not chosen has its largest value only: heats are better spent on one cell than on two. @param {Partial<Request>} request */
async function chooseGated (request) {
  const { scenarios, ...timing } = GATE
  const parts = await chooseParts(request, { name: 'gate', timing: { ...timing, budgetSeconds: null }, queues: GATED_QUEUES, scenarios, sizes: 'ci' })
  const chosen = new Set([...(request.size ? ['size'] : []), ...Object.keys(request.sweep ?? {})])
  const largest = (/** @type {Record<string, number[]>} */ values) =>
    Object.fromEntries(Object.entries(values).map(([name, alternatives]) => [name, chosen.has(name) ? alternatives : [Math.max(...alternatives)]]))
  return { ...parts, scenarios: parts.scenarios.map(scenario => ({ ...scenario, values: largest(scenario.values) })) }
}

/** @param {string} root @param {PlannedQueue} queue @param {boolean} isNamed  By the user. */
function fileWithin (root, { name, origin, url }, isNamed) {
  const file = path.relative(root, fileURLToPath(url))
  if (!file.startsWith('..') && !path.isAbsolute(file) && !file.startsWith('node_modules') && origin !== 'built-in') return file
  throw new UsageError(isNamed
    ? `--queue must name files of the repository ${root}, got ${name} (try --queue ${GATED_FILE})`
    : `gate needs --queue: a file of this repository (${GATED_FILE})`)
}
