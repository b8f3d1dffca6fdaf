/** Plans of requests: modules are loaded and checked, and presets fill in what the user did not ask for. */
import path from 'node:path'
import {
  createPlan,
  loadOwnMeta,
  loadOwnScenario,
  MOST_ROUNDS,
  planScenario,
  resolveRuntime,
  rooms,
  shardPlan
} from '../../harness/index.js'
import { UsageError } from '../../harness/model/errors.js'
import { enumerate } from '../../harness/model/numbers.js'
import {
  CONTROL,
  DEFAULT_QUEUES,
  DEFAULT_SCENARIOS,
  GATE,
  presets,
  REPRODUCE_BUDGET_SECONDS,
  UNTIL_BUDGET_SECONDS
} from '../presets.js'
import { resolveQueues, resolveScenarios } from './catalogue.js'
import { PROFILE_SECONDS } from './options.js'
import { describeScenarios } from './user-scenarios.js'
import { SEEDS } from './values.js'

/** @import { ScenarioDescription } from '../../harness/subject/modules/describe-scenario.js' */
/** @import { Plan, PlannedQueue, PlannedScenario, Settings } from '../../harness/plan/plan.js' */
/** @import { Named } from '../../harness/run/continuation.js' */
/** @import { ResolvedQueue } from './catalogue.js' */
/** @import { Request as FullRequest } from './request.js' */

/**
 * @typedef {Partial<FullRequest>} Request
 *
 * @typedef {Pick<Settings, 'rounds' | 'budgetSeconds' | 'until'>} StopRule  Settings that end a run.
 *
 * @typedef {Omit<Settings, 'preset' | 'seed' | 'load' | 'port' | 'trace' | 'control'>} Timing
 *
 * @typedef {object} Defaults  Choices of a command where the request makes none.
 * @property {string} name  Name of the preset, for the record.
 * @property {Timing} timing  Its budget holds only if the request chooses nothing.
 * @property {string[]} queues
 * @property {string[]} scenarios
 * @property {keyof typeof presets} sizes  Preset whose parameter values the scenarios take.
 * @property {Record<string, number[]>} [values]  Other values, for scenarios that have these parameters.
 */

/** A recorded program is replayed as a whole, however long its trace is. */
const REPLAY_LIMIT_MS = 60_000
/**
 * Measured on the trace of a fastify server (test/fixtures/traces): lazy-wheel costs 0.67 of duration-lists after 110
 * ms of warm-up,
 * 0.62 after 60 ms, and 0.449, 0.448 and 0.448 after 300, 300 and 1000 ms with turns of 4, 10 and 10 ms. In the lead,
 * queues of many timers return to the caches.
 */
const REPLAY_MICRO = {
  ...GATE.micro,
  warmupMs: 300,
  leadMs: 10,
  limitMs: REPLAY_LIMIT_MS,
  exactLimitMs: REPLAY_LIMIT_MS
}
/** Counts use one seed in all runs, so that they can be compared. */
const COUNT_SEED = 1
/** Enough for the slowest queue of a finding: a list that is searched from one end. */
const FINDING_LIMITS_MS = { quick: 8000, documented: 300_000 }
/**
 * Claims whose limit is far away are decided in two or three rounds; one that is undecided after this many lies on its
 * limit.
 */
const FINDING_ROUNDS = 40
const FINDING_BUDGET_SECONDS = { quick: REPRODUCE_BUDGET_SECONDS, documented: null }

/**
 * @param {keyof typeof presets} [preset]
 * @returns {Defaults}
 */
const defaultsOf = (preset = 'quick') => ({
  name: preset,
  timing: presets[preset],
  queues: DEFAULT_QUEUES,
  scenarios: DEFAULT_SCENARIOS,
  sizes: preset
})

/**
 * The control joins a user's queue, which would have no ratio without it.
 *
 * @param {Request} request
 */
export const planRun = request =>
  request.trace !== undefined && (request.preset ?? 'quick') === 'quick'
    ? planReplay(request)
    : planFrom(request, defaultsOf(request.preset), addControls)

/**
 * Plans one profile of each server, longer than a quick run's samples.
 *
 * @param {Request} request
 */
export function planProfile ({ seconds, connections, ...request }) {
  const { timing, ...defaults } = defaultsOf(request.preset)
  const sweep = { ...request.sweep, ...(seconds && { seconds: [seconds] }), ...(connections && { connections }) }
  return planFrom(
    { ...request, sweep },
    {
      ...defaults,
      timing: { ...timing, rounds: 1, budgetSeconds: null },
      scenarios: ['keep-alive'],
      values: defaults.name === 'quick' ? { seconds: [PROFILE_SECONDS] } : {}
    }
  )
}

/** @param {Request} request  With the trace of a program. */
export function planReplay (request) {
  const { timing, ...defaults } = defaultsOf()
  return planFrom(
    request,
    { ...defaults, scenarios: ['trace'], timing: { ...timing, micro: REPLAY_MICRO } },
    addControls
  )
}

/**
 * @param {Omit<Plan, 'cells'>} parts
 * @returns {Promise<Omit<Plan, 'cells'>>}
 */
async function addControls (parts) {
  const { queues } = parts
  const names = queues.some(({ origin }) => origin === 'user')
    ? new Set(parts.scenarios.flatMap(({ kind }) => (kind === 'code' ? [] : CONTROL[kind])))
    : []
  const missing = [...names].filter(control => !queues.some(({ name }) => name === control))
  return { ...parts, queues: [...queues, ...(await declared(resolveQueues(missing)))] }
}

/**
 * Settings of all plans of `timerq reproduce`; each finding names its own cells.
 *
 * @param {{preset: 'quick' | 'documented', rounds?: number, budget?: number, seed: number}} request
 * @returns {Promise<Settings>}
 */
export async function settingsOfFindings ({ preset, budget, ...request }) {
  const { micro, ...timing } = presets[preset]
  const limits = { limitMs: FINDING_LIMITS_MS[preset], exactLimitMs: FINDING_LIMITS_MS[preset] }
  const settings = await settingsOf(
    request,
    preset,
    { ...timing, rounds: FINDING_ROUNDS, budgetSeconds: null, micro: { ...micro, ...limits } },
    true
  )
  return { ...settings, budgetSeconds: budget ?? FINDING_BUDGET_SECONDS[preset] }
}

/**
 * @param {Request} request
 * @param {Defaults} defaults
 * @param {(parts: Omit<Plan, 'cells'>) => Promise<Omit<Plan, 'cells'>>} [complete]
 */
async function planFrom (request, defaults, complete = async parts => parts) {
  const { shard, seed } = request
  const plan = planOf(await complete(await chooseParts(request, defaults)))
  if (shard === undefined) return plan
  if (seed === undefined) {
    throw new UsageError('--shard needs --seed: all shards must measure the same workloads (try --seed 1 for each)')
  }
  return shardPlan(plan, shard)
}

/** @param {Omit<Plan, 'cells'>} parts */
export function planOf (parts) {
  const plan = createPlan(parts)
  if (plan.cells.length === 0) {
    throw new UsageError(
      "nothing to measure: node stands for Node's own timers, which only HTTP scenarios can measure (add another queue)"
    )
  }
  return plan
}

/**
 * Users' queues and scenarios are loaded in another process and checked. timerq's own have tests.
 *
 * @param {Request} request
 * @param {Defaults} defaults
 */
export async function chooseParts (request, { name, timing, ...defaults }) {
  const { runtime, nodeFlags } = request
  const { scenarios, subjects } = await chooseScenarios(request, defaults)
  return {
    settings: await settingsOf(
      request,
      name,
      timing,
      scenarios.some(({ kind }) => kind === 'http')
    ),
    queues: [...(await chooseQueues(request, { scenarios, subjects, queues: defaults.queues })), ...subjects],
    scenarios,
    runtimes: await resolveRuntimes(runtime, nodeFlags)
  }
}

/**
 * @param {ResolvedQueue[]} queues
 * @returns {Promise<PlannedQueue[]>}
 */
export const declared = queues =>
  Promise.all(
    queues.map(async ({ name, origin, url, meta }) => ({
      name,
      origin,
      url,
      meta: meta ?? (await (origin === 'user' ? (await rooms.userModules()).declarationOf(url) : loadOwnMeta(url)))
    }))
  )

/**
 * @param {Request} request
 * @param {{scenarios: PlannedScenario[], subjects: PlannedQueue[], queues: string[]}} options
 * @returns {Promise<PlannedQueue[]>}
 */
async function chooseQueues ({ queue }, { scenarios, subjects, queues }) {
  if (scenarios.every(({ kind }) => kind === 'code')) {
    if (queue) {
      throw new UsageError(
        `--queue: ${enumerate(scenarios.map(({ name }) => name))} ${scenarios.length === 1 ? 'measures' : 'measure'} no queue (leave it out)`
      )
    }
    return []
  }
  const chosen = queue ?? resolveQueues(queues)
  const clash = subjects.find(({ name }) => chosen.some(queue => queue.name === name))
  if (clash) {
    throw new UsageError(
      `${clash.name} is both a queue and measured by ${enumerate(clash.scenarios ?? [])}: make two runs, or give it another name`
    )
  }
  return declared(chosen)
}

/**
 * Every runtime, a version or path, with each combination of flags.
 *
 * @param {string[]} [specs]
 * @param {string[][]} [combinations]
 */
export const resolveRuntimes = (specs = [process.execPath], combinations = [[]]) =>
  Promise.all(specs.flatMap(spec => combinations.map(flags => resolveRuntime(spec, flags))))

/**
 * @param {Request} request
 * @param {Pick<Defaults, 'scenarios' | 'sizes' | 'values'>} defaults
 */
async function chooseScenarios ({ scenario, size, sweep, trace }, { sizes, values: otherValues = {}, ...defaults }) {
  const names = trace === undefined ? defaults.scenarios : ['trace']
  /** @type {Record<string, number[]>} */
  const chosenValues = { ...sweep, ...(size && { size }) }
  const described = await describeScenarios(scenario ?? resolveScenarios(names))
  const chosen = await Promise.all(
    described.map(async ({ url, description }) => {
      const loaded = description ?? (await loadOwnScenario(url))
      const { name, parameters, presets } = loaded
      if ('needsTrace' in loaded && loaded.needsTrace && trace === undefined) {
        throw new UsageError(`scenario ${name} needs --trace: a file from timerq record`)
      }
      const known = Object.entries({ ...otherValues, ...chosenValues }).filter(([parameter]) =>
        Object.hasOwn(parameters, parameter)
      )
      for (const [parameter, values] of known) {
        const { minimum = 0 } = parameters[parameter]
        const low = values.find(value => value < minimum)
        if (low !== undefined) throw new UsageError(`${parameter} must be at least ${minimum}, got ${low}`)
      }
      return planScenario(loaded, url, { ...presets[/** @type {'quick'} */ (sizes)], ...Object.fromEntries(known) })
    })
  )
  const unknown = Object.keys(chosenValues).find(
    parameter => !chosen.some(({ values }) => Object.hasOwn(values, parameter))
  )
  if (unknown !== undefined) {
    throw new UsageError(`no scenario of this run has a parameter "${unknown}" (timerq list shows what each has)`)
  }
  return { scenarios: chosen, subjects: subjectsOf(described) }
}

/**
 * What workloads without a queue measure: their alternatives, which several may share, or themselves.
 *
 * @param {{url: string, description?: ScenarioDescription}[]} described
 * @returns {PlannedQueue[]}
 */
function subjectsOf (described) {
  /** @type {Map<string, PlannedQueue & {scenarios: string[]}>} */
  const subjects = new Map()
  for (const { url: ownUrl, description } of described) {
    if (description?.kind !== 'code') continue
    const { name: scenario, title, alternatives = { [scenario]: ownUrl } } = description
    for (const [name, url] of Object.entries(alternatives)) {
      const known = subjects.get(name)
      if (known && known.url !== url) {
        throw new UsageError(
          `${name} is measured by ${known.scenarios[0]} and ${scenario}, from two files: give one another name`
        )
      }
      if (known) known.scenarios.push(scenario)
      else {
        subjects.set(name, {
          name,
          origin: 'code',
          url,
          scenarios: [scenario],
          meta: /** @type {any} */ ({ name, title: description.alternatives ? name : title })
        })
      }
    }
  }
  return [...subjects.values()]
}

/** @type {(request: Request, preset: string, timing: Timing, usesServers: boolean) => Promise<Settings>} */
export async function settingsOf (request, preset, { enough, ...timing }, usesServers) {
  const {
    queue,
    scenario,
    size,
    sweep,
    rounds,
    until,
    budget,
    load,
    port = 0,
    trace,
    seed = Math.floor(Math.random() * SEEDS)
  } = request
  const { loadCommand, listen, target, timeLimit, memoryLimit } = request
  // A file that is no trace is refused now.
  if (trace !== undefined) (await rooms.trace()).readTrace(trace)
  if (target === undefined && (listen === '0.0.0.0' || listen === '::')) {
    throw new UsageError(`--listen ${listen} is every address: say with --target which of them the load generator uses`)
  }
  const isInBudget =
    timing.budgetSeconds !== null && [queue, scenario, size, sweep, rounds].every(value => value === undefined)
  const limitMs = 1000 * (timeLimit ?? 0)
  return {
    ...timing,
    // Workloads that are not counted stay uncounted.
    ...(timeLimit !== undefined && {
      micro: { ...timing.micro, limitMs, exactLimitMs: timing.micro.exactLimitMs > 0 ? limitMs : 0 },
      serverLimitMs: limitMs
    }),
    ...(memoryLimit !== undefined && { memoryMb: memoryLimit }),
    preset,
    seed,
    countSeed: COUNT_SEED,
    ...stopRuleOf(request, isInBudget ? { ...timing, rounds: MOST_ROUNDS } : { ...timing, budgetSeconds: null }),
    ...(isInBudget && until === undefined && budget === undefined && enough && { enough }),
    load: usesServers ? await (await rooms.servers()).chooseLoadGenerator(load) : (load ?? 'wrk'),
    ...(loadCommand !== undefined && { loadCommand: await splitLoadCommand(loadCommand) }),
    ...(listen !== undefined && { listen }),
    ...(target !== undefined && { target }),
    port,
    trace: trace === undefined ? null : path.resolve(trace),
    control: CONTROL
  }
}

/**
 * With precision or time, rounds are no limit.
 *
 * @type {(request: Request, otherwise: StopRule) => StopRule}
 */
export function stopRuleOf ({ rounds, until, budget }, otherwise) {
  const isOpenEnded = until !== undefined || budget !== undefined
  return {
    rounds: rounds ?? (isOpenEnded ? MOST_ROUNDS : otherwise.rounds),
    budgetSeconds: budget ?? (until === undefined ? otherwise.budgetSeconds : UNTIL_BUDGET_SECONDS),
    ...((until ?? otherwise.until) && { until: until ?? otherwise.until })
  }
}

/**
 * A resumed run starts nothing that only run.json names.
 *
 * @type {(request: Request) => Promise<Named>}
 */
export async function allowedBy ({ queue = [], scenario = [], runtime, nodeFlags, loadCommand, listen, program }) {
  const described = await describeScenarios(scenario)
  return {
    runtimes: await resolveRuntimes(runtime, nodeFlags),
    modules: [...queue, ...described, ...subjectsOf(described)].map(({ url }) => url),
    loadCommand: loadCommand === undefined ? undefined : await splitLoadCommand(loadCommand),
    listen,
    program
  }
}

/** @param {string} text */
async function splitLoadCommand (text) {
  const servers = await rooms.servers()
  return servers.splitLoadCommand(text)
}
