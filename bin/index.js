/**
 * timerq for programs: the commands without a command line.
 *
 *     import { run } from 'timerq'
 *
 *     const { cells } = await run({
 *       queues: ['lazy-wheel', './my-queue.js'],
 *       scenarios: ['start-cancel'],
 *       parameters: { size: [1000] }
 *     })
 *     for (const { queue, metrics } of cells) console.log(queue, metrics.nsPerOp.median)
 *
 * `timerq/conformance` checks a queue and loads less; `timerq/queues/lazy-wheel` is a queue to use; `timerq/test` fails
 * tests when code becomes slower.
 */
import { claimDirectory, readResults, rooms, startRun, summarise } from '../harness/index.js'
import { MeasurementError, UsageError } from '../harness/model/errors.js'
import { withAnswer } from '../reports/answer.js'
import { scenarios } from '../scenarios/index.js'
import { withGateAnswer } from './gate-answer.js'
import { planTry } from './plans/program.js'
import { planRun } from './plans/run.js'
import { LEAST_BUDGET_SECONDS, presets } from './presets.js'
import { againIn } from './request/again.js'
import { resolveQueues, resolveScenarios, resolveTried } from './request/catalogue.js'
import { didYouMean } from './request/suggest.js'
import { expectations, integer, oneOf, rulesOf, seconds, SEEDS } from './request/values.js'

const { compareQueues, compareRuns } = await rooms.compare()
const { DEFAULT_RULES } = await rooms.verdict()
const { checkQueue } = await rooms.conformance()

export { queues } from '../queues/index.js'
export { checkQueue, scenarios }

/** @import { Plan } from '../harness/plan/plan.js' */
/** @import { Progress } from '../harness/run/progress.js' */
/** @import { Results } from '../harness/store/results.js' */
/** @import { GateAnswer } from './gate-answer.js' */
/** @import { Budget } from './request/values.js' */

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
 */

/**
 * @typedef {object} RunOptions  Defaults are those of `timerq run`.
 * @property {string[]} [queues]  Names, './files.js' or 'npm:packages'.
 * @property {string[]} [scenarios]  Names or './files.js'.
 * @property {Record<string, number[]>} [parameters]  Values to measure: size, connections and so on. Scenarios without
 *   such a parameter ignore it.
 * @property {'quick' | 'documented' | 'ci'} [preset]  How much to measure. Default: quick.
 * @property {number} [rounds]  Rounds to measure, at most: each measures every cell, in fresh processes.
 * @property {number} [seed]  Seed of all random draws. Default: random.
 * @property {string} [directory]  New results directory. Default: results/<time>.
 * @property {AbortSignal} [signal]  Stops the run; finished samples are kept.
 * @property {(progress: Progress) => void} [onProgress]  Called before every step.
 */

/**
 * @typedef {object} TryOptions  Defaults are those of `timerq try`.
 * @property {string[]} command  Command that starts the program in the present folder: ['node', 'server.js'].
 * @property {string[]} [queues]  Timers to try beside Node's own: 'timerq-timers' (the package, default), names of
 *   queues, './files.js' or 'npm:packages'.
 * @property {string} [path]  Path of the requests. Default: /.
 * @property {number} [connections]  Open connections to each copy of the program.
 * @property {number} [port]  Port that the server to load asks for, if the program has several servers.
 * @property {'wrk' | 'autocannon'} [load]  Load generator. Default: wrk if it is on PATH.
 * @property {string} [loadCommand]  Client of another protocol, with {url} or {port}, {connections} and {seconds}.
 * @property {Budget} [budget]  Time to spend, at most: seconds, or '2m'.
 * @property {number} [timeLimit]  Seconds until the program must answer.
 * @property {number} [seed]  Seed of all random draws. Default: random.
 * @property {string} [directory]  New results directory. Default: results/try-<time>.
 * @property {AbortSignal} [signal]  Stops the measurement; finished samples are kept.
 * @property {(progress: Progress) => void} [onProgress]  Called before every step.
 */

/**
 * @typedef {object} GateOptions  Defaults are those of `timerq gate`.
 * @property {string} [base]  Revision to compare the working tree with.
 * @property {string[]} [runtimes]  In place of a base: two versions or paths of Node. The second may be slower.
 * @property {string[]} [command]  Command that starts a server, whose base and head are loaded: ['node', 'server.js'].
 * @property {string} [path]  Path of the requests to the server. Default: /.
 * @property {number} [connections]  Open connections to each side of the server.
 * @property {string} [loadCommand]  Client of another protocol, with {url} or {port}, {connections} and {seconds}.
 * @property {string[]} [queues]  './files.js' of the repository.
 * @property {string[]} [scenarios]  Names, or './files.js', which may need no queue.
 * @property {Record<string, number[]>} [parameters]  Values to measure. Default: the largest of preset ci.
 * @property {number} [rounds]  Rounds to measure, at most.
 * @property {Budget} [budget]  Time to spend, at most: seconds, or '5m'.
 * @property {Partial<Rules>} [rules]  What counts as slower. Default: floor 0.02, margin 0.05, alpha 0.05.
 * @property {string | string[]} [expect]  What times must show: 'not-slower' (default), 'faster', 'faster=5%', 'level',
 *   with rows after a colon: 'faster:parse*'.
 * @property {number} [attempt]  Number of this try to be faster: each spends its share of alpha.
 * @property {number} [seed]  Seed of all random draws. Default: random.
 * @property {string | false} [install]  Command that installs the packages of each side, if base and head ask for other
 *   ones. Default: that of the lock file. false: both sides share the packages that are installed now.
 * @property {string} [prepare]  Command to run in each side, which makes files that git ignores.
 * @property {string} [directory]  New results directory. Default: results/gate-<time>.
 * @property {AbortSignal} [signal]  Stops the gate; finished samples are kept.
 */

/** @type {(keyof RunOptions)[]} */
const RUN_OPTIONS = [
  'queues',
  'scenarios',
  'parameters',
  'preset',
  'rounds',
  'seed',
  'directory',
  'signal',
  'onProgress'
]
/** @type {(keyof TryOptions)[]} */
const TRY_OPTIONS = [
  'command',
  'queues',
  'path',
  'connections',
  'port',
  'load',
  'loadCommand',
  'budget',
  'timeLimit',
  'seed',
  'directory',
  'signal',
  'onProgress'
]
/** @type {(keyof GateOptions)[]} */
const GATE_OPTIONS = [
  'base',
  'runtimes',
  'command',
  'path',
  'connections',
  'loadCommand',
  'queues',
  'scenarios',
  'parameters',
  'rounds',
  'budget',
  'rules',
  'expect',
  'attempt',
  'seed',
  'install',
  'prepare',
  'directory',
  'signal'
]

/**
 * Measures queues on scenarios, each in fresh processes. Cells that failed are in `skipped`.
 *
 * @param {RunOptions} [options]
 * @returns {Promise<Summary>} the object that `timerq run --json` prints
 * @throws {UsageError} for unknown names and invalid values
 */
export async function run (options = {}) {
  assertKnown('run', options, RUN_OPTIONS)
  const { directory, signal, onProgress } = options
  const plan = await planRun(requestOf(options))
  return summaryOf(await startRun(plan, { ...recordIn(directory), signal, onProgress }))
}

/**
 * Puts other timers under the sockets of a program that is a server, and loads copies of it at the same time. `worth`
 * of the summary is the verdict.
 *
 * @param {Partial<TryOptions>} [options]
 * @returns {Promise<Summary>} the object that `timerq try --json` prints
 * @throws {UsageError} for unknown names and invalid values
 * @throws {MeasurementError} when the program cannot be measured
 */
export async function tryProgram (options = {}) {
  assertKnown('tryProgram', options, TRY_OPTIONS)
  const { command: program, queues, budget, directory, signal, onProgress, ...others } = options
  const plan = await planTry({
    ...others,
    program,
    queue: given(queues, resolveTried),
    budget: given(budget, time => seconds('budget', time, LEAST_BUDGET_SECONDS))
  })
  return summaryOf(await startRun(plan, { ...recordIn(directory, 'try-'), signal, onProgress }))
}

/**
 * Compares the working tree with a revision, or one Node with another, in common heats.
 *
 * @param {GateOptions} [options]
 * @returns {Promise<Comparison & {answer: GateAnswer}>} the object that `timerq gate --json` prints; its `verdict` is
 *   pass, regression, missed, inconclusive or invalid
 * @throws {UsageError} for unknown names and invalid values
 */
export async function gate (options = {}) {
  assertKnown('gate', options, GATE_OPTIONS)
  const { base, command: program, runtimes: runtime, path, connections, loadCommand } = options
  const { budget, rules, expect, attempt, directory, signal, install, prepare } = options
  if ((base === undefined) === (runtime === undefined)) throw new UsageError('gate: give either base or runtimes')
  const [{ startGate }, { planGate }] = await Promise.all([rooms.gate(), import('./plans/gate.js')])
  const plan = await planGate({
    ...requestOf(options),
    base,
    program,
    runtime,
    path,
    connections,
    loadCommand,
    budget: given(budget, time => seconds('budget', time)),
    rules: rulesOf({ ...DEFAULT_RULES, ...rules }),
    expect: given(expect, words => expectations('expect', [words].flat())),
    attempt: given(attempt, count => integer('attempt', String(count), 1))
  })
  if (plan.cells.length === 0) throw new MeasurementError(plan.gate.unmatched[0].reason)
  const record = await startGate(plan, { ...recordIn(directory, 'gate-'), signal, setup: { install, prepare } })
  return withGateAnswer(record, { budgetSeconds: plan.gate.budgetSeconds })
}

/**
 * Reads what `run` or `tryProgram` measured.
 *
 * @param {string} directory  Results directory.
 * @returns {Summary}
 * @throws {UsageError} when it holds no results
 */
export function readSummary (directory) {
  return summaryOf(readResults(directory))
}

/**
 * Compares two runs, or two queues of one run. Only counts decide between two runs, since they were not measured at the
 * same time; times decide between two queues of one run, too.
 *
 * @param {string} baseline  Results directory.
 * @param {string | {from: string, to: string}} candidate  Another results directory, or two queues of the baseline.
 * @param {Partial<Rules>} [rules]  What counts as slower. Default: floor 0.02, margin 0.05, alpha 0.05.
 * @returns {Comparison} the object that `timerq compare --json` prints
 * @throws {UsageError} when there is nothing to compare
 */
export function compare (baseline, candidate, rules) {
  const base = readResults(baseline)
  const options = { rules: rulesOf({ ...DEFAULT_RULES, ...rules }), command: commandOf() }
  return typeof candidate === 'string'
    ? compareRuns(base, readResults(candidate), options)
    : compareQueues(base, candidate.from, candidate.to, options)
}

/** Command of the program that calls timerq, for the record. */
const commandOf = () => ['node', ...process.argv.slice(1)]

/** @type {(directory?: string, prefix?: string) => {directory: string, command: string[]}} */
const recordIn = (directory, prefix = '') => ({
  directory: directory ?? claimDirectory(prefix),
  command: commandOf()
})

/** @param {Results} results */
const summaryOf = results => withAnswer(summarise(results), againIn(results))

/**
 * @param {string} name  Name of the function.
 * @param {object} options
 * @param {string[]} known
 */
function assertKnown (name, options, known) {
  if (typeof options !== 'object' || options === null) throw new UsageError(`${name}: options must be an object`)
  const unknown = Object.keys(options).find(option => !known.includes(option))
  if (unknown !== undefined) throw new UsageError(`${name}: unknown option "${unknown}"${didYouMean(unknown, known)}`)
}

/**
 * @template T, R
 * @param {T | undefined} value
 * @param {(value: T) => R} check
 */
const given = (value, check) => (value === undefined ? undefined : check(value))

/** @param {RunOptions} options */
function requestOf ({ queues, scenarios, parameters, preset = 'quick', rounds, seed }) {
  oneOf(Object.keys(presets))('preset', preset)
  for (const [name, values] of Object.entries(parameters ?? {})) {
    for (const value of values) integer(name, String(value), 0)
  }
  return {
    preset,
    queue: given(queues, names => resolveQueues(names)),
    scenario: given(scenarios, resolveScenarios),
    sweep: parameters,
    rounds: given(rounds, count => integer('rounds', String(count), 1)),
    seed: given(seed, number => integer('seed', String(number), 0, SEEDS - 1))
  }
}
