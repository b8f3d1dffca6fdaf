/** Builds the plan of a request: modules are loaded and checked, and presets fill in what the user did not ask for. */
import path from 'node:path'
import { splitLoadCommand } from '../../harness/measure/http/load-command.js'
import { chooseLoadGenerator } from '../../harness/measure/http/load-generator.js'
import { loadQueueMeta } from '../../harness/measure/modules/load-queue.js'
import { loadScenario } from '../../harness/measure/modules/load-scenario.js'
import { UsageError } from '../../harness/model/errors.js'
import { createPlan, MOST_ROUNDS, planScenario, shardPlan } from '../../harness/plan/plan.js'
import { readTrace } from '../../harness/trace/trace-format.js'
import { resolveRuntime } from '../../harness/processes/runtimes.js'
import { declarationOf } from '../../harness/measure/modules/user-queue.js'
import { scenarios } from '../../scenarios/index.js'
import { CONTROL, DEFAULT_QUEUES, DEFAULT_SCENARIOS, GATE, presets, REPRODUCE_BUDGET_SECONDS, UNTIL_BUDGET_SECONDS } from '../presets.js'
import { pickByName, resolveQueues } from './catalogue.js'
import { PROFILE_SECONDS, SEEDS } from './options.js'

/**
 * @typedef {import('./options.js').MeasureRequest} MeasureRequest
 * @typedef {import('./options.js').PlanRequest} PlanRequest
 * @typedef {import('../../harness/plan/plan.js').Plan} Plan
 * @typedef {import('../../harness/plan/plan.js').Settings} Settings
 * @typedef {Omit<Settings, 'preset' | 'seed' | 'load' | 'port' | 'trace' | 'control'>} Timing
 *
 * @typedef {object} Defaults  What a command measures, and for how long, unless the request says otherwise.
 * @property {string} name  Of the preset, for the record.
 * @property {Timing} timing  Its budget holds only while everything is measured by default.
 * @property {string[]} queues
 * @property {string[]} scenarios
 * @property {keyof typeof presets} sizes  The preset whose parameter values the scenarios take.
 * @property {Record<string, number[]>} [values]  Other values, for scenarios that have these parameters.
 */

/** A recorded program is replayed whole, however long its trace is. */
const REPLAY_LIMIT_MS = 60_000
/** Whatever a run draws for its times. */
const COUNT_SEED = 1
/** However many timers a program has, a queue gets them back into the caches. */
const REPLAY_LEAD_MS = 10
/** Enough for the slowest queue that a finding is about: lists that are searched from one end. */
const FINDING_LIMITS_MS = { quick: 8000, documented: 300_000 }
/** Fewer decide nothing. */
const FINDING_ROUNDS = { quick: 5, documented: presets.documented.rounds }
const FINDING_BUDGET_SECONDS = { quick: REPRODUCE_BUDGET_SECONDS, documented: null }

/**
 * @param {PlanRequest} request
 * @returns {Promise<Plan>}
 * @throws {UsageError}
 */
export function planRun (request) {
  return planFrom(request, defaultsOf(request.preset))
}

/**
 * A profile takes one sample of each server, longer than a quick run's.
 *
 * @param {PlanRequest & {seconds?: number, connections?: number[]}} request
 */
export function planProfile ({ seconds, connections, ...request }) {
  const { timing, ...defaults } = defaultsOf(request.preset)
  const sweep = { ...request.sweep, ...(seconds && { seconds: [seconds] }), ...(connections && { connections }) }
  return planFrom({ ...request, sweep }, {
    ...defaults,
    timing: { ...timing, rounds: 1, budgetSeconds: null },
    scenarios: ['keep-alive'],
    values: request.preset === 'quick' ? { seconds: [PROFILE_SECONDS] } : {}
  })
}

/**
 * A recorded program, replayed through queues.
 *
 * @param {MeasureRequest & {trace: string, queue: import('./catalogue.js').ResolvedQueue[]}} request
 */
export function planReplay (request) {
  const { timing, ...defaults } = defaultsOf('quick')
  const micro = { ...GATE.micro, leadMs: REPLAY_LEAD_MS, limitMs: REPLAY_LIMIT_MS, exactLimitMs: REPLAY_LIMIT_MS }
  return planFrom(request, { ...defaults, timing: { ...timing, micro } })
}

/**
 * Settings of `timerq reproduce`: each finding names its own cells.
 *
 * @param {{preset: 'quick' | 'documented', rounds?: number, budget?: number, seed: number}} request
 * @returns {Promise<Settings>}
 */
export async function settingsOfFindings ({ preset, budget, ...request }) {
  const { micro, ...timing } = presets[preset]
  const limits = { limitMs: FINDING_LIMITS_MS[preset], exactLimitMs: FINDING_LIMITS_MS[preset] }
  const settings = await settingsOf(request, { name: preset, timing: { ...timing, rounds: FINDING_ROUNDS[preset], budgetSeconds: null, micro: { ...micro, ...limits } }, usesServers: true })
  return { ...settings, budgetSeconds: budget ?? FINDING_BUDGET_SECONDS[preset] }
}

/**
 * Queues, scenarios, runtimes and settings: everything that a plan is made of.
 *
 * @param {MeasureRequest} request
 * @param {Defaults} defaults
 */
export async function chooseParts (request, defaults) {
  const { queue = resolveQueues(defaults.queues), runtime = [process.execPath], nodeFlags = [[]] } = request
  const chosen = await chooseScenarios(request, defaults)
  return {
    settings: await settingsOf(request, { ...defaults, usesServers: chosen.some(({ kind }) => kind === 'http') }),
    queues: await loadQueues(queue),
    scenarios: chosen,
    runtimes: await resolveRuntimes(runtime, nodeFlags)
  }
}

/**
 * @param {Omit<Plan, 'cells'>} parts
 * @returns {Plan}
 */
export function planOf (parts) {
  const plan = createPlan(parts)
  if (plan.cells.length === 0) throw new UsageError('nothing to measure: node is Node\'s own timers, which only HTTP scenarios can measure')
  return plan
}

/**
 * @param {string[]} specs  Versions or paths.
 * @param {string[][]} combinations  Of flags; every runtime is measured with each.
 */
export function resolveRuntimes (specs, combinations) {
  return Promise.all(specs.flatMap(spec => combinations.map(flags => resolveRuntime(spec, flags))))
}

/**
 * @param {MeasureRequest} request
 * @param {Defaults} defaults
 */
async function planFrom (request, defaults) {
  const { shard, seed } = request
  const plan = planOf(await chooseParts(request, defaults))
  if (shard === undefined) return plan
  if (seed === undefined) throw new UsageError('--shard needs --seed, the same for all shards: they must measure the same workloads')
  return shardPlan(plan, shard)
}

/**
 * @param {keyof typeof presets} preset
 * @returns {Defaults}
 */
function defaultsOf (preset) {
  return { name: preset, timing: presets[preset], queues: DEFAULT_QUEUES, scenarios: DEFAULT_SCENARIOS, sizes: preset }
}

/**
 * @param {MeasureRequest} request
 * @param {{name: string, timing: Timing, usesServers: boolean}} how
 * @returns {Promise<Settings>}
 */
async function settingsOf (request, { name, timing, usesServers }) {
  const { queue, scenario, size, sweep, rounds, until, budget, load, port = 0, trace, seed = Math.floor(Math.random() * SEEDS) } = request
  const isByDefault = [queue, scenario, size, sweep, rounds].every(asked => asked === undefined)
  const { enough, ...always } = timing
  const isInBudget = isByDefault && timing.budgetSeconds !== null
  if (trace !== undefined) readTrace(trace)
  return {
    ...limit(always, request),
    preset: name,
    seed,
    countSeed: COUNT_SEED,
    ...endOf(request, isInBudget ? { ...timing, rounds: MOST_ROUNDS } : { ...timing, budgetSeconds: null }),
    ...(isInBudget && until === undefined && budget === undefined && enough && { enough }),
    load: usesServers ? await chooseLoadGenerator(load) : load ?? 'wrk',
    port,
    ...loadFromElsewhere(request),
    trace: trace === undefined ? null : path.resolve(trace),
    control: CONTROL
  }
}

/**
 * When a run ends: after so many rounds, as soon as ratios are known well enough, or when its time is used up. Who asks for one of
 * the latter two gets as many rounds as it takes.
 *
 * @param {Pick<MeasureRequest, 'rounds' | 'until' | 'budget'>} request
 * @param {Pick<Settings, 'rounds' | 'budgetSeconds' | 'until'>} otherwise
 * @returns {Pick<Settings, 'rounds' | 'budgetSeconds' | 'until'>}
 */
export function endOf ({ rounds, until, budget }, otherwise) {
  const isOpenEnded = until !== undefined || budget !== undefined
  return {
    rounds: rounds ?? (isOpenEnded ? MOST_ROUNDS : otherwise.rounds),
    budgetSeconds: budget ?? (until === undefined ? otherwise.budgetSeconds : UNTIL_BUDGET_SECONDS),
    ...((until ?? otherwise.until) && { until: until ?? otherwise.until })
  }
}

/**
 * @param {Timing} timing
 * @param {MeasureRequest} request
 * @returns {Timing}
 */
function limit (timing, { timeLimit, memoryLimit }) {
  const limitMs = 1000 * (timeLimit ?? 0)
  // What is not counted stays so.
  const micro = { ...timing.micro, limitMs, exactLimitMs: timing.micro.exactLimitMs > 0 ? limitMs : 0 }
  return {
    ...timing,
    ...(timeLimit !== undefined && { micro, serverLimitMs: limitMs }),
    ...(memoryLimit !== undefined && { memoryMb: memoryLimit })
  }
}

/**
 * timerq's own queues and adapters have tests; a user's is loaded elsewhere, and checked before it is measured.
 *
 * @param {import('./catalogue.js').ResolvedQueue[]} queues
 */
function loadQueues (queues) {
  return Promise.all(queues.map(async ({ name, origin, url }) =>
    ({ name, origin, url, meta: await (origin === 'user' ? declarationOf(url) : loadQueueMeta(url)) })))
}

/**
 * @param {MeasureRequest} request
 * @param {Defaults} defaults
 */
async function chooseScenarios ({ scenario, size, sweep, trace }, defaults) {
  const names = trace === undefined ? defaults.scenarios : ['trace']
  const entries = scenario ?? names.map(name => pickByName('scenario', scenarios, name))
  /** @type {Record<string, number[]>} */
  const asked = { ...sweep, ...(size && { size }) }
  const chosen = await Promise.all(entries.map(async ({ url }) => {
    const loaded = await loadScenario(url)
    const { name, parameters } = loaded
    if ('needsTrace' in loaded && loaded.needsTrace && trace === undefined) {
      throw new UsageError(`scenario ${name} needs --trace: a file that timerq record wrote`)
    }
    return planScenario(loaded, url, {
      ...loaded.presets[/** @type {'quick'} */ (defaults.sizes)],
      ...withParameters(defaults.values ?? {}),
      ...withParameters(asked)
    })

    /** @param {Record<string, number[]>} values  Those of this scenario are returned. */
    function withParameters (values) {
      const own = Object.entries(values).filter(([parameter]) => Object.hasOwn(parameters, parameter))
      for (const [parameter, alternatives] of own) assertMinimum(parameter, alternatives, parameters[parameter].minimum ?? 0)
      return Object.fromEntries(own)
    }
  }))
  const unknown = Object.keys(asked).find(parameter => !chosen.some(({ values }) => Object.hasOwn(values, parameter)))
  if (unknown !== undefined) throw new UsageError(`no scenario of this run has a parameter "${unknown}" (timerq list shows what each has)`)
  return chosen
}

/**
 * @param {string} parameter
 * @param {number[]} values
 * @param {number} minimum
 */
function assertMinimum (parameter, values, minimum) {
  const low = values.find(value => value < minimum)
  if (low !== undefined) throw new UsageError(`${parameter} must be at least ${minimum}, got ${low}`)
}

/**
 * @param {MeasureRequest} request
 * @returns {Pick<Settings, 'loadCommand' | 'listen' | 'target'>}
 */
function loadFromElsewhere ({ loadCommand, listen, target }) {
  if (target === undefined && (listen === '0.0.0.0' || listen === '::')) throw new UsageError(`--listen ${listen} is every address: say with --target which of them the load generator is to use`)
  return {
    ...(loadCommand !== undefined && { loadCommand: splitLoadCommand(loadCommand) }),
    ...(listen !== undefined && { listen }),
    ...(target !== undefined && { target })
  }
}
