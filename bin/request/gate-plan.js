/**
 * Plans of a gate: base against head of files in a repository, one Node against another, or counts against a baseline
 * file.
 */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadOwnScenario, rooms, SIDE_URL, v8Of } from '../../harness/index.js'
import { MeasurementError, UsageError } from '../../harness/model/errors.js'
import { CONTROL, DEFAULT_QUEUES, GATE, GATE_BUDGET_SECONDS, TRY } from '../presets.js'
import { GATED_FILE, resolveQueues, resolveScenarios } from './catalogue.js'
import { chooseParts, declared, planOf } from './plan.js'
import { partsOfProgram } from './try-plan.js'
import { describeScenarios } from './user-scenarios.js'

/** @import { Baseline, Counted } from '../../harness/gate/baseline.js' */
/** @import { Missing } from '../../harness/gate/gate-plan.js' */
/** @import { GatedQueue, GatedScenario, GatePlan, GateSettings, Plan, PlannedQueue, PlannedScenario } from '../../harness/plan/plan.js' */
/** @import { Runtime } from '../../harness/processes/child.js' */
/** @import { ResolvedScenario } from './catalogue.js' */
/** @import { Request } from './plan.js' */
/** @import { ProgramRequest } from './try-plan.js' */

/** @typedef {Request & {base: string}} GateRequest */

const { assertBudget, createGatePlan, isInCommit, repositoryRoot, resolveCommit, v8Series } =
  await rooms.gate()
const { DEFAULT_RULES } = await rooms.compare()

/** Counts of different days are compared, so their workload stays the same. */
const BASELINE_SEED = 1
/** Counting 200 000 timers never ends for a queue with a linear operation, which a gate leaves out. */
const BASELINE_SCENARIOS = GATE.scenarios.filter(name => name !== 'crowd')
/** Options that a baseline file does not keep. */
const NOT_FOR_BASELINES = /** @type {const} */ ({
  runtime: '--runtime',
  nodeFlags: '--node-flags',
  sweep: '--sweep',
  trace: '--trace'
})
/** Built-in timers have no file to compare. */
const GATED_QUEUES = DEFAULT_QUEUES.filter(name => name !== 'node')

/**
 * Base against head of queues, or of files that need no queue: workloads without one, and servers.
 *
 * @param {GateRequest} request
 * @returns {Promise<GatePlan>}
 * @throws {UsageError}
 */
export async function planGate (request) {
  const { base } = request
  const root = repositoryRoot(process.cwd())
  const baseCommit = resolveCommit(root, base)
  const kinds = await kindsOf(request)
  const servers = request.queue === undefined && isEvery(kinds, ['code', 'http']) ? ['node'] : undefined
  const parts = await chooseGated(request, servers ?? GATED_QUEUES)
  const isGated = (/** @type {PlannedScenario} */ { url, kind }) =>
    kind === 'code' ||
    (servers !== undefined && request.scenario?.some(scenario => scenario.isUsers && scenario.url === url))
  /** @type {GatedScenario[]} */
  const scenarios = parts.scenarios.map(scenario =>
    isGated(scenario)
      ? gated(scenario, fileOfScenario(root, scenario), { isCounted: scenario.kind === 'code' })
      : scenario
  )
  /** @type {GatedQueue[]} */
  const queues = parts.queues.map(queue => {
    if (queue.origin === 'built-in' && servers) return queue
    const file =
      queue.origin === 'code' ? fileIn(root, queue.url) : fileWithin(root, queue, request.queue !== undefined)
    return file === undefined ? queue : gated(queue, file)
  })
  const isNew = (/** @type {{file?: string}} */ { file }) => file !== undefined && !isInCommit(root, baseCommit, file)
  const reasonOf = (/** @type {{file?: string}} */ { file }) => `${file} is not in ${base}: nothing to compare with`
  const missing = [
    ...scenarios.filter(isNew).map(scenario => ({ scenario: scenario.name, reason: reasonOf(scenario) })),
    ...queues.filter(isNew).map(queue => ({ queue: queue.name, reason: reasonOf(queue) }))
  ]
  return createChecked(
    request,
    { ...parts, scenarios, queues },
    { root, baseRef: base, baseCommit, ...(request.selfCheck && { isSelfCheck: true }) },
    missing
  )
}

/**
 * Base against head of a program under load, each started in the folder of its side.
 *
 * @param {Omit<GateRequest, 'connections'> & ProgramRequest} request
 * @param {string[]} program
 * @returns {Promise<GatePlan>}
 * @throws {UsageError}
 */
export async function planProgramGate (request, program) {
  const { base, selfCheck, floor, margin, alpha, ...chosen } = request
  const named = /** @type {const} */ (['queue', 'scenario', 'runtime', 'size', 'sweep', 'trace']).find(
    name => chosen[name] !== undefined
  )
  if (named) {
    throw new UsageError(
      `--${named} cannot be combined with a program, which is gated as it is (leave one of them out)`
    )
  }
  const root = repositoryRoot(process.cwd())
  const baseCommit = resolveCommit(root, base)
  const { scenarios: _, ...timing } = GATE
  const parts = await partsOfProgram(program, { ...chosen, budget: undefined }, 'gate', {
    ...timing,
    ...TRY.timing,
    rounds: GATE.rounds,
    budgetSeconds: null
  })
  const queues = await declared(resolveQueues([CONTROL.http]))
  return createChecked(
    request,
    { ...parts, queues },
    { root, baseRef: base, baseCommit, isUncounted: true, ...(selfCheck && { isSelfCheck: true }) }
  )
}

/**
 * The first Node against the second: the same queues and scenarios in one heat.
 *
 * @param {Request} request
 * @returns {Promise<GatePlan>}
 * @throws {UsageError}
 */
export async function planRuntimeGate (request) {
  const { runtime = [], nodeFlags = [[]] } = request
  if (request.selfCheck) throw new UsageError('--self-check compares a revision with itself (try --base main)')
  if (runtime.length !== 2 || nodeFlags.length > 1) {
    throw new UsageError(
      `gate without --base compares two versions of Node, got ${runtime.length * nodeFlags.length} (try --runtime 24,26)`
    )
  }
  const kinds = await kindsOf(request)
  const parts = await chooseGated(request, isEvery(kinds, ['code', 'http']) ? ['node'] : GATED_QUEUES)
  const runtimes = distinct(parts.runtimes, runtime)
  const [before, after] = runtimes
  const [v8Before, v8After] = await Promise.all(runtimes.map(v8Of))
  const isUncounted = v8Series(v8Before) !== v8Series(v8After)
  const sides = { base: { runtime: before.name }, head: { runtime: after.name }, control: { runtime: before.name } }
  const warnings = isUncounted
    ? [`work is not compared: V8 ${v8Series(v8Before)} and V8 ${v8Series(v8After)} count blocks differently`]
    : []
  return createChecked(
    request,
    { ...parts, runtimes },
    { baseRef: before.name, headRef: after.name, sides, warnings, ...(isUncounted && { isUncounted }) }
  )
}

/**
 * Two files with a workload without a queue: `scenario` of the request against the base.
 *
 * @param {Request} request
 * @param {ResolvedScenario} base
 * @returns {Promise<GatePlan>}
 * @throws {UsageError}
 */
export async function planFileGate (request, base) {
  const [head] = request.scenario ?? []
  const described = await Promise.all([base, head].map(async file => (await describeScenarios([file]))[0]))
  const other = described.find(({ description }) => description?.kind !== 'code' || description.alternatives)
  if (other) {
    throw new UsageError(
      `${other.spec} must be a scenario of kind code without alternatives, got kind ${other.description?.kind}${other.description?.alternatives ? ' with alternatives' : ''}`
    )
  }
  const parts = await chooseGated(request, [])
  const own = (/** @type {any} */ module) => ({ ...module, url: SIDE_URL })
  const sides = { base: { url: base.url }, head: { url: head.url }, control: { url: base.url } }
  return createChecked(
    request,
    { ...parts, queues: parts.queues.map(own), scenarios: parts.scenarios.map(own) },
    { baseRef: base.spec, headRef: head.spec, sides }
  )
}

/**
 * @param {Pick<Request, 'budget' | 'rounds' | 'floor' | 'margin' | 'alpha'>} request
 * @param {Omit<GatePlan, 'cells' | 'gate'>} parts
 * @param {Omit<GateSettings, 'rules' | 'budgetSeconds' | 'looks' | 'unmatched'>} gate
 * @param {Missing[]} [missing]
 */
function createChecked (request, parts, gate, missing) {
  const {
    budget = GATE_BUDGET_SECONDS,
    floor = DEFAULT_RULES.floor,
    margin = DEFAULT_RULES.margin,
    alpha = DEFAULT_RULES.alpha
  } = request
  const plan = createGatePlan(parts, { ...gate, rules: { floor, margin, alpha }, budgetSeconds: budget }, missing)
  if (plan.cells.length === 0) throw new MeasurementError(missing?.[0]?.reason ?? 'nothing to measure')
  if (request.rounds === undefined) assertBudget(plan)
  return plan
}

/**
 * Two Node binaries of one version are told apart by their paths.
 *
 * @param {Runtime[]} runtimes
 * @param {string[]} specs
 */
function distinct (runtimes, specs) {
  const [before, after] = runtimes
  if (before.path === after.path) {
    throw new UsageError(
      `--runtime names one Node twice: ${before.path} (to see the noise of this machine: --base main --self-check)`
    )
  }
  return before.name === after.name
    ? runtimes.map((runtime, i) => ({ ...runtime, name: `${runtime.name} (${specs[i]})` }))
    : runtimes
}

/**
 * Kinds of the user's scenarios, or else those of timerq's.
 *
 * @param {Request} request
 * @returns {Promise<string[]>} none: the default ones
 */
async function kindsOf ({ scenario = [] }) {
  const described = await describeScenarios(scenario)
  return Promise.all(described.map(async ({ url, description }) => (description ?? (await loadOwnScenario(url))).kind))
}

/**
 * @param {string[]} kinds
 * @param {string[]} allowed
 */
const isEvery = (kinds, allowed) => kinds.length > 0 && kinds.every(kind => allowed.includes(kind))

/** @type {<T extends {url: string}>(module: T, file: string, changed?: object) => T & {file: string}} */
const gated = (module, file, changed) => ({ ...module, ...changed, url: SIDE_URL, file })

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
  const refused = /** @type {(keyof typeof NOT_FOR_BASELINES)[]} */ (Object.keys(NOT_FOR_BASELINES)).find(
    name => request[name] !== undefined
  )
  if (refused) {
    throw new UsageError(
      `${NOT_FOR_BASELINES[refused]} is not for a baseline file: this Node counts queues, scenarios and sizes only (compare with a revision: --base main)`
    )
  }
  const known = baseline?.chosen ?? { queue: GATED_QUEUES, scenario: BASELINE_SCENARIOS, size: null }
  const {
    scenario = resolveScenarios(known.scenario),
    size = known.size?.map(Number),
    seed = baseline?.seed ?? BASELINE_SEED
  } = request
  const isCode = isEvery(await kindsOf({ scenario }), ['code'])
  const queue = request.queue ?? (isCode ? undefined : resolveQueues(known.queue))
  const { settings, ...parts } = await chooseGated({ ...request, queue, scenario, size, seed }, GATED_QUEUES)
  const plan = planOf({ ...parts, settings: { ...settings, countSeed: seed } })
  const server = plan.scenarios.find(({ kind }) => kind === 'http')
  if (server) {
    throw new UsageError(
      `${server.name} is a server, which is timed and not counted (for a baseline file name other scenarios, or compare with a revision: --base main)`
    )
  }
  if (baseline && baseline.seed !== seed && !update) {
    throw new UsageError(
      `${file} was counted with --seed ${baseline.seed}, got ${seed}: another workload has other counts (--update counts it again)`
    )
  }
  return {
    plan,
    chosen: {
      queue: queue?.map(({ spec }) => spec) ?? [],
      scenario: scenario.map(({ spec }) => spec),
      size: size?.map(String) ?? null
    }
  }
}

/**
 * A parameter not chosen has its largest value only: heats are better spent on one cell than on two.
 *
 * @param {Partial<Request>} request
 * @param {string[]} queues  If the request names none.
 */
async function chooseGated (request, queues) {
  const { scenarios, ...timing } = GATE
  const parts = await chooseParts(request, {
    name: 'gate',
    timing: { ...timing, budgetSeconds: null },
    queues,
    scenarios,
    sizes: 'ci'
  })
  const chosen = new Set([...(request.size ? ['size'] : []), ...Object.keys(request.sweep ?? {})])
  const largest = (/** @type {Record<string, number[]>} */ values) =>
    Object.fromEntries(
      Object.entries(values).map(([name, alternatives]) => [
        name,
        chosen.has(name) ? alternatives : [Math.max(...alternatives)]
      ])
    )
  return { ...parts, scenarios: parts.scenarios.map(scenario => ({ ...scenario, values: largest(scenario.values) })) }
}

/**
 * @param {string} root
 * @param {PlannedQueue} queue
 * @param {boolean} isNamed  By the user.
 */
function fileWithin (root, { name, origin, url }, isNamed) {
  const file = origin === 'built-in' ? undefined : fileIn(root, url)
  if (file !== undefined) return file
  throw new UsageError(
    isNamed
      ? `--queue must name files of the repository ${root}, got ${name} (try --queue ${GATED_FILE})`
      : `gate needs --queue: a file of this repository (${GATED_FILE}); or --scenario: a file that needs no queue`
  )
}

/**
 * @param {string} root
 * @param {PlannedScenario} scenario
 */
function fileOfScenario (root, { url }) {
  const file = fileIn(root, url)
  if (file !== undefined) return file
  throw new UsageError(`--scenario must name files of the repository ${root}, got ${fileURLToPath(url)}`)
}

/**
 * Relative to the root; undefined outside of the repository and in its packages.
 *
 * @param {string} root
 * @param {string} url
 */
function fileIn (root, url) {
  const file = path.relative(root, fileURLToPath(url))
  return file.startsWith('..') || path.isAbsolute(file) || file.split(path.sep).includes('node_modules')
    ? undefined
    : file
}
