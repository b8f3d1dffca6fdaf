/**
 * Parts of every plan: what a request chooses, completed by the defaults of its command. Other processes load and check
 * the modules of users; timerq's own have tests.
 */
import path from 'node:path'
import {
  assertTimeForHeat,
  chooseTasks,
  createPlan,
  faultyFile,
  loadOwnMeta,
  loadOwnScenario,
  MOST_ROUNDS,
  planScenarios,
  planSubjects,
  resolveRuntime,
  rooms,
  toldApart
} from '../../harness/index.js'
import { FileError, UsageError } from '../../harness/model/errors.js'
import { groupBy } from '../../harness/model/group-by.js'
import { kinds, usesServers } from '../../harness/model/kinds.js'
import { enumerate, formatCount } from '../../harness/model/numbers.js'
import { scenarios as ownScenarios } from '../../scenarios/index.js'
import { CONTROL, REPLAYED, UNTIL_BUDGET_SECONDS } from '../presets.js'
import { resolveQueues, resolveScenarios } from '../request/catalogue.js'
import { SEEDS } from '../request/values.js'

/** @import { Described, ScenarioDescription } from '../../harness/subject/describe/describe-scenario.js' */
/** @import { End, Plan, PlannedQueue, PlannedScenario } from '../../harness/plan/plan.js' */
/** @import { OnRead } from '../../harness/run/progress.js' */
/** @import { Preset, presets } from '../presets.js' */
/** @import { ResolvedQueue, ResolvedScenario } from '../request/catalogue.js' */
/** @import { Request } from '../request/request.js' */

/** So many files are read at once, or nearly. */
export const FEW_FILES = 5
const TOLD_EVERY_MS = 800
/** Registering tasks takes less. */
const SLOW_MS = 8000
const IS_SLOW =
  'is still running after 8 s: a benchmark file registers tasks and ends, but a script that times itself cannot be ' +
  'measured (timerq new --scenario makes a file that can)'
/** Files that a process may read. */
const MOST_AT_ONCE = 20

/**
 * @typedef {Partial<Request>} Choices  Request of a command, or of a program that calls timerq.
 *
 * @typedef {Choices & Pick<Request, 'command'>} Asked
 *
 * @typedef {ResolvedScenario & {declared: ScenarioDescription}} DescribedScenario
 *
 * @typedef {object} Defaults  Choices of a command where the request makes none.
 * @property {string} name  Name of the preset, for the record.
 * @property {Preset} preset  Rounds and times. Its budget holds only if the request chooses nothing.
 * @property {string[]} queues
 * @property {keyof typeof presets} sizes  Preset whose parameter values the scenarios take.
 * @property {Record<string, number[]>} [values]  Other values, for scenarios that have these parameters.
 * @property {boolean} [isLargestOnly]  A parameter that is not chosen has its largest value only.
 */

/**
 * @param {Asked} request
 * @param {Defaults} defaults
 * @param {DescribedScenario[] & {leftOut?: string[]}} described
 * @returns {Promise<Omit<Plan, 'cells'>>}
 */
export async function chooseParts (request, defaults, described) {
  const { name, preset, queues, ...values } = defaults
  const { size, sweep, trace, task } = request
  const chosenValues = { ...sweep, ...(size && { size }) }
  const scenarios = planScenarios(described, { ...values, chosen: chosenValues, hasTrace: trace !== undefined })
  const subjects = planSubjects(described)
  const faults = new Set(described.flatMap(({ declared }) => declared.fault ?? []))
  const chosen = chooseQueues(request, scenarios, queues)
  const clash = subjects.find(({ name }) => chosen.some(queue => queue.name === name))
  if (clash) {
    throw new UsageError(
      `${clash.name} is both a queue and measured by ${enumerate(clash.scenarios)}: ` +
        'make two runs, or give it another name'
    )
  }
  const hasFiles = request.scenario?.some(({ isUsers }) => isUsers)
  const { of, ...measured } = await measuredBy(request, name, preset, usesServers({ scenarios }))
  return {
    question: request.command.name,
    ...measured,
    queues: [...(await declared(chosen, request)), ...subjects],
    scenarios,
    runtimes: await resolveRuntimes(request),
    of: { ...of, ...(hasFiles && { benchmarks: { task, leftOut: described.leftOut ?? [], faults: [...faults] } }) }
  }
}

/** @param {Omit<Plan, 'cells'>} parts */
export function planOf (parts) {
  const plan = createPlan(parts)
  if (plan.cells.length > 0) {
    assertTimeForHeat(plan)
    return plan
  }
  throw new UsageError(
    "nothing to measure: node stands for Node's own timers, which only HTTP scenarios can measure (add another queue)"
  )
}

/**
 * @typedef {object} Reading
 * @property {AbortSignal} [signal]  Ends the processes that read files.
 * @property {OnRead} [onRead]
 * @property {(note: string) => void} [onNote]
 */

/**
 * Scenarios of a request, or else of its command.
 *
 * @param {Choices} request
 * @param {string[]} names
 * @param {Reading} [reading]
 */
export async function describeChosen ({ scenario, trace, task, ...request }, names, reading) {
  const chosen = scenario ?? resolveScenarios(trace === undefined ? names : REPLAYED)
  const described = await describeScenarios(chosen, request, reading)
  return task === undefined ? described : Object.assign(chooseTasks(described, task), { leftOut: described.leftOut })
}

/**
 * Scenarios with what they declare. For a user's scenario this starts a process, so a request does it once.
 *
 * @param {ResolvedScenario[]} chosen
 * @param {Choices} request  A file may need its runtime.
 * @param {Reading} [reading]
 * @returns {Promise<DescribedScenario[] & {leftOut: string[]}>}
 * @throws {UsageError}
 */
async function describeScenarios (chosen, request, reading) {
  const files = chosen.filter(({ isUsers }) => isUsers)
  const found = files.length > 0 ? await readFiles(files, request, reading) : new Map()
  /** @type {string[]} */
  const leftOut = []
  const notes = new Set([...found.values()].flatMap(one => (one instanceof FileError ? [] : (one.notes ?? []))))
  let without = 0
  const each = chosen.map(async scenario => {
    const { isUsers, isUncertain, pattern, spec, url } = scenario
    if (!isUsers) return [{ ...scenario, declared: /** @type {any} */ (await loadOwnScenario(url)) }]
    /** @type {Described | FileError} */
    const own = found.get(scenario)
    const isFault = own instanceof FileError
    if (isUncertain && (isFault || !own.descriptions)) {
      without++
      return []
    }
    if (isFault && !pattern) throw own
    if (!isFault && !own.descriptions) {
      if (!pattern) throw (await rooms.userModules()).refused(url, own)
      leftOut.push(`${spec} is left out: ${own.leftOut}`)
    }
    const descriptions = isFault ? [faultyFile(spec, own)] : (own.descriptions ?? [])
    return descriptions.map(declared => ({ ...scenario, declared }))
  })
  const described = toldApart((await Promise.all(each)).flat())
  const refusals = described.flatMap(({ declared }) => declared.refusal ?? [])
  if (refusals.length === described.length && refusals.length > 0) throw refusals[0]
  if (without > 0) leftOut.push(`${formatCount(without, 'file')} in folders for benchmarks without a task`)
  if (described.length === 0 && leftOut.length > 0) throw new FileError(leftOut[0])
  const named = groupBy(described, ({ declared }) => declared.name)
  for (const [name, [{ spec, isUsers }, ...others]] of named) {
    if (isUsers && ownScenarios.some(own => own.name === name)) {
      throw new UsageError(`scenario ${spec}: timerq has a scenario named ${name} (give it another name)`)
    }
    if (others.length > 0) {
      const specs = [spec, ...others.map(other => other.spec)].join(', ')
      throw new UsageError(
        `scenarios must have different names, but ${specs} are all named ${name} (leave out all but one)`
      )
    }
  }
  return Object.assign(described, { leftOut: [...notes, ...leftOut.sort()] })
}

/**
 * Describes files in a process for each core, as far as memory allows, which reads several where it can.
 *
 * @param {ResolvedScenario[]} files
 * @param {Choices} request
 * @param {Reading} [reading]
 * @returns {Promise<Map<ResolvedScenario, Described | FileError>>}
 */
async function readFiles (files, { budget: budgetSeconds, ...request }, { signal, onRead, onNote } = {}) {
  const [userModules, { keepAnew, keepFiles }] = await Promise.all([rooms.userModules(), rooms.kept()])
  const { describeFirst, LOADING_AT_ONCE: atOnce } = userModules
  keepAnew()
  keepFiles(files.map(({ url }) => url))
  const [runtime] = await resolveRuntimes(request)
  const most = Math.min(MOST_AT_ONCE, Math.ceil(files.length / atOnce / 2))
  const left = [...files]
  const found = new Map()
  const read = async () => {
    while (left.length > 0) {
      const own = left.splice(0, most)
      // Of many, the first transforms modules for all.
      const slow = setTimeout(() => own.length === 1 && onNote?.(`${own[0].spec} ${IS_SLOW}`), SLOW_MS)
      const described = await describeFirst(own.map(({ url }) => url), { runtime, budgetSeconds, signal }).finally(() =>
        clearTimeout(slow)
      )
      for (const [i, one] of described.entries()) found.set(own[i], one)
      left.unshift(...own.slice(described.length))
    }
  }
  const told = setInterval(() => onRead?.(found.size, files.length), TOLD_EVERY_MS)
  await Promise.all(Array.from({ length: atOnce }, read)).finally(() => clearInterval(told))
  return found
}

/**
 * Queues with what they declare.
 *
 * @param {ResolvedQueue[]} queues
 * @param {Choices} [request]  A file may need its runtime.
 * @returns {Promise<PlannedQueue[]>}
 */
export async function declared (queues, request = {}) {
  const { declarationOf } = await rooms.userModules()
  const [runtime] = queues.some(({ origin }) => origin === 'user') ? await resolveRuntimes(request) : []
  const load = (/** @type {ResolvedQueue} */ { origin, url }) =>
    origin === 'user' ? declarationOf(url, { runtime }) : loadOwnMeta(url)
  return Promise.all(
    queues.map(async queue => {
      const { name, origin, url, meta = await load(queue) } = queue
      return { name, origin, url, meta }
    })
  )
}

/**
 * @param {Choices} request
 * @param {PlannedScenario[]} scenarios
 * @param {string[]} names  Queues of the command.
 */
function chooseQueues ({ queue }, scenarios, names) {
  if (scenarios.some(({ kind }) => !kinds[kind].isCode)) return queue ?? resolveQueues(names)
  if (!queue) return []
  const workloads = enumerate(scenarios.map(({ name }) => name))
  throw new UsageError(
    `--queue: ${workloads} ${scenarios.length === 1 ? 'measures' : 'measure'} no queue (leave it out)`
  )
}

/** @param {Choices} request */
export const resolveRuntimes = ({ runtime = [process.execPath] }) =>
  Promise.all(runtime.map(spec => resolveRuntime(spec, [])))

/**
 * The parts of a plan that say how to measure, and when to end.
 *
 * @type {(request: Choices, name: string, preset: Preset, hasServers: boolean) =>
 *   Promise<Pick<Plan, 'settings' | 'end' | 'of'>>}
 */
export async function measuredBy (request, name, preset, hasServers) {
  const { queue, scenario, size, sweep, rounds, until, budget } = request
  const { trace, timeLimit, memoryLimit, seed = Math.floor(Math.random() * SEEDS) } = request
  // A file that is no trace is refused now.
  if (trace !== undefined) (await rooms.trace()).readTrace(trace)
  const { end: { enough, ...end }, ...times } = preset
  const { micro } = times
  const isInBudget =
    end.budgetSeconds !== null && [queue, scenario, size, sweep, rounds].every(choice => choice === undefined)
  const isBriefed = isInBudget && until === undefined && budget === undefined
  const limitMs = timeLimit && 1000 * timeLimit
  return {
    settings: {
      ...times,
      // Workloads that are not counted stay uncounted.
      micro: limitMs ? { ...micro, limitMs, exactLimitMs: micro.exactLimitMs > 0 ? limitMs : 0 } : micro,
      serverLimitMs: limitMs,
      memoryMb: memoryLimit,
      preset: name,
      seed,
      control: CONTROL
    },
    end: {
      ...endOf(request, isInBudget ? { ...end, rounds: MOST_ROUNDS } : { ...end, budgetSeconds: null }),
      ...(isBriefed && { enough })
    },
    of: {
      ...(hasServers && { load: await chooseLoad(request) }),
      ...(trace !== undefined && { trace: { file: path.resolve(trace) } })
    }
  }
}

/** @param {Choices} request */
async function chooseLoad ({ loadCommand, listen, port = 0 }) {
  const { chooseLoadGenerator, splitLoadCommand } = await rooms.load()
  if (listen === '0.0.0.0' || listen === '::') {
    throw new UsageError(`--listen ${listen} is every address: name the one that the load generator uses`)
  }
  const command = loadCommand === undefined ? undefined : splitLoadCommand(loadCommand)
  return { generator: await chooseLoadGenerator(), command, listen, port }
}

/**
 * The end of a run. Rounds do not limit it when a precision or a time does.
 *
 * @type {(request: Choices, otherwise: End) => End}
 */
export function endOf ({ rounds, until, budget }, otherwise) {
  const isOpenEnded = until !== undefined || budget !== undefined
  return {
    rounds: rounds ?? (isOpenEnded ? MOST_ROUNDS : otherwise.rounds),
    budgetSeconds: budget ?? (until === undefined ? otherwise.budgetSeconds : UNTIL_BUDGET_SECONDS),
    ...((until ?? otherwise.until) && { until: until ?? otherwise.until })
  }
}
