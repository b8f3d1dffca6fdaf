/**
 * timerq for programs: the commands without a command line.
 *
 *     import { run } from 'timerq'
 *
 *     const { cells } = await
 *     run({ queues: ['lazy-wheel', './my-queue.js'], scenarios: ['start-cancel'], parameters: { size: [1000] } })
 *     for (const { queue, metrics } of cells) console.log(queue, metrics.nsPerOp.median)
 *
 * `timerq/conformance` checks a queue and loads less; `timerq/queues/lazy-wheel` is a queue to use.
 */
import path from 'node:path'
import { readResults, rooms, runId, startRun, summarise } from '../harness/index.js'
import { UsageError } from '../harness/model/errors.js'
import { withAnswer } from '../reports/answer.js'
import { scenarios } from '../scenarios/index.js'
import { presets } from './presets.js'
import { resolveQueues, resolveScenarios, resolveTried } from './request/catalogue.js'
import { planRun } from './request/plan.js'
import { planTry } from './request/try-plan.js'
import { didYouMean } from './request/suggest.js'
import { integer, oneOf, SEEDS } from './request/values.js'

const { compareQueues, compareRuns, DEFAULT_RULES } = await rooms.compare()
const { checkQueue } = await rooms.conformance()

export { queues } from '../queues/index.js'
export { checkQueue, scenarios }

/** @import { Progress } from '../harness/run/progress.js' */

/**
 * @typedef {import('../queues/contract.js').TimerQueue} TimerQueue
 *
 * @typedef {import('../queues/contract.js').Timer} Timer
 *
 * @typedef {import('../queues/contract.js').QueueMeta} QueueMeta
 *
 * @typedef {import('../queues/index.js').QueueEntry} QueueEntry
 *
 * @typedef {import('../scenarios/index.js').ScenarioEntry} ScenarioEntry
 *
 * @typedef {import('../scenarios/contract.js').MicroScenario} MicroScenario
 *
 * @typedef {import('../scenarios/contract.js').HttpScenario} HttpScenario
 *
 * @typedef {import('../scenarios/contract.js').CodeScenario} CodeScenario
 *
 * @typedef {ReturnType<typeof withAnswer>} Summary
 *
 * @typedef {import('../harness/judge/compare.js').ComparisonRecord} Comparison
 *
 * @typedef {import('../harness/judge/verdict.js').Rules} Rules
 *
 * @typedef {object} RunOptions  Defaults are those of `timerq run`.
 * @property {string[]} [queues]  Names, './files.js' or 'npm:packages'.
 * @property {string[]} [scenarios]  Names or './files.js'.
 * @property {Record<string, number[]>} [parameters] Values to measure: size, connections and so on. Scenarios without
 *   such a parameter ignore it.
 * @property {'quick' | 'documented' | 'ci'} [preset]
 * @property {number} [rounds]
 * @property {number} [seed]  Seed of all random draws.
 * @property {string} [directory]  New results directory. Default: results/<time>.
 * @property {AbortSignal} [signal]  Ends the run; finished samples are kept.
 * @property {(progress: Progress) => void} [onProgress]
 */

/**
 * @typedef {object} TryOptions  Defaults are those of `timerq try`.
 * @property {string[]} command  Starts the program in the present folder: ['node', 'server.js'].
 * @property {string[]} [queues] Names, './files.js' or 'npm:packages', beside Node's own timers. Default:
 *   timerq-timers, the package.
 * @property {string} [path]  Of the requests.
 * @property {number} [connections]  Of the load of each copy.
 * @property {number} [port]  The one that the program asks for, of several.
 * @property {'wrk' | 'autocannon'} [load]
 * @property {string} [loadCommand]  A client of another protocol, with {url} or {port}, {connections} and {seconds}.
 * @property {number} [budget]  Seconds.
 * @property {number} [timeLimit]  Seconds until the program must answer.
 * @property {number} [seed]
 * @property {string} [directory]  New results directory. Default: results/try-<time>.
 * @property {AbortSignal} [signal]
 * @property {(progress: Progress) => void} [onProgress]
 */

/** @type {Record<keyof TryOptions, true>} */
const TRY_OPTIONS = {
  command: true,
  queues: true,
  path: true,
  connections: true,
  port: true,
  load: true,
  loadCommand: true,
  budget: true,
  timeLimit: true,
  seed: true,
  directory: true,
  signal: true,
  onProgress: true
}

/**
 * @typedef {object} GateOptions  Defaults are those of `timerq gate`.
 * @property {string} [base]  Revision to compare the working tree with.
 * @property {string[]} [command]  Starts a server, whose base and head are compared under load: ['node', 'server.js'].
 * @property {string} [path]  Of the requests to it.
 * @property {number} [connections]  Of the load of each side.
 * @property {string} [loadCommand]
 * @property {string[]} [runtimes]  In its place: two versions or paths of Node, the second of which may be slower.
 * @property {string[]} [queues]  './files.js' of the repository.
 * @property {string[]} [scenarios]  Names, or './files.js', which may need no queue.
 * @property {Record<string, number[]>} [parameters]
 * @property {number} [rounds]
 * @property {number} [budget]  Seconds.
 * @property {Partial<Rules>} [rules]
 * @property {number} [seed]
 * @property {string} [directory]  New results directory. Default: results/gate-<time>.
 * @property {AbortSignal} [signal]
 */

/** @type {Record<keyof GateOptions, true>} */
const GATE_OPTIONS = {
  base: true,
  command: true,
  path: true,
  connections: true,
  loadCommand: true,
  runtimes: true,
  queues: true,
  scenarios: true,
  parameters: true,
  rounds: true,
  budget: true,
  rules: true,
  seed: true,
  directory: true,
  signal: true
}
/** @type {Record<keyof RunOptions, true>} */
const RUN_OPTIONS = {
  queues: true,
  scenarios: true,
  parameters: true,
  preset: true,
  rounds: true,
  seed: true,
  directory: true,
  signal: true,
  onProgress: true
}

/**
 * Measures queues on scenarios, each in fresh processes. Cells that failed are in `skipped`.
 *
 * @param {RunOptions} [options]
 * @returns {Promise<Summary>} the object that `timerq run --json` prints
 * @throws {UsageError} for unknown names and invalid values
 */
export async function run (options = {}) {
  const { directory = path.join('results', runId(new Date())), signal, onProgress } = options
  assertKnown('run', options, RUN_OPTIONS)
  const plan = await planRun(requestOf(options))
  return withAnswer(
    summarise(await startRun(plan, { directory, command: ['node', ...process.argv.slice(1)], signal, onProgress }))
  )
}

/**
 * Puts other timers under the sockets of a program that is a server, and loads copies of it at the same time. `worth`
 * of the summary is the verdict.
 *
 * @param {TryOptions} options
 * @returns {Promise<Summary>} the object that `timerq try --json` prints
 * @throws {UsageError} for unknown names and invalid values
 * @throws {MeasurementError} when the program cannot be measured
 */
export async function tryProgram (options) {
  const {
    command,
    path: url,
    queues,
    directory = path.join('results', `try-${runId(new Date())}`),
    signal,
    onProgress,
    ...rest
  } = options
  assertKnown('tryProgram', options, TRY_OPTIONS)
  const plan = await planTry({ program: command, path: url, queue: queues && resolveTried(queues), ...rest })
  return withAnswer(
    summarise(await startRun(plan, { directory, command: ['node', ...process.argv.slice(1)], signal, onProgress }))
  )
}

/**
 * Compares the working tree with a revision, or one Node with another, in common heats.
 *
 * @param {GateOptions} options
 * @returns {Promise<Comparison>} the object that `timerq gate --json` prints; its `verdict` is pass, regression,
 *   inconclusive or invalid
 * @throws {UsageError} for unknown names and invalid values
 */
export async function gate (options) {
  assertKnown('gate', options, GATE_OPTIONS)
  const {
    base,
    command,
    path: url,
    connections,
    loadCommand,
    runtimes: runtime,
    budget,
    rules,
    directory = path.join('results', `gate-${runId(new Date())}`),
    signal
  } = options
  if ((base === undefined) === (runtime === undefined)) throw new UsageError('gate: give either base or runtimes')
  const [{ startGate }, { planGate, planProgramGate, planRuntimeGate }] = await Promise.all([
    rooms.gate(),
    import('./request/gate-plan.js')
  ])
  const request = { ...requestOf(options), budget, ...rules }
  if (command && base === undefined) throw new UsageError('gate: a program is compared with a revision, so give base')
  const plan = await (base === undefined
    ? planRuntimeGate({ ...request, runtime })
    : command
      ? planProgramGate({ ...request, base, path: url, connections, loadCommand }, command)
      : planGate({ ...request, base }))
  return startGate(plan, { directory, command: ['node', ...process.argv.slice(1)], signal })
}

/**
 * @param {string} directory  Results of a run.
 * @returns {Summary}
 * @throws {UsageError} when it holds no results
 */
export function readSummary (directory) {
  return withAnswer(summarise(readResults(directory)))
}

/**
 * Compares two runs, or two queues of one run. Only counts decide between two runs, since they were not measured at the
 * same time; times decide between two queues of one run, too.
 *
 * @param {string} baseline  Results directory.
 * @param {string | {from: string, to: string}} candidate  Another results directory, or two queues of the baseline.
 * @param {Partial<Rules>} [rules]
 * @returns {Comparison} the object that `timerq compare --json` prints
 * @throws {UsageError} when there is nothing to compare
 */
export function compare (baseline, candidate, rules = {}) {
  const base = readResults(baseline)
  const options = { rules: { ...DEFAULT_RULES, ...rules }, command: ['node', ...process.argv.slice(1)] }
  return typeof candidate === 'string'
    ? compareRuns(base, readResults(candidate), options)
    : compareQueues(base, candidate.from, candidate.to, options)
}

/**
 * @param {string} name  Of the function.
 * @param {object} options
 * @param {object} known
 */
function assertKnown (name, options, known) {
  const unknown = Object.keys(options).find(option => !(option in known))
  if (unknown !== undefined) {
    throw new UsageError(`${name}: unknown option "${unknown}"${didYouMean(unknown, Object.keys(known))}`)
  }
}

/** @param {RunOptions} options */
function requestOf (options) {
  const { queues, scenarios: names, parameters = {}, preset = 'quick', rounds, seed } = options
  oneOf(Object.keys(presets))('preset', preset)
  for (const [name, values] of Object.entries(parameters)) values.forEach(value => integer(name, String(value), 0))
  return {
    preset,
    queue: queues && resolveQueues(queues),
    scenario: names && resolveScenarios(names),
    sweep: Object.keys(parameters).length > 0 ? parameters : undefined,
    rounds: rounds && integer('rounds', String(rounds), 1),
    seed: seed === undefined ? undefined : integer('seed', String(seed), 0, SEEDS - 1)
  }
}
