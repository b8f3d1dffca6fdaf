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
 * `timerq/conformance` checks a queue and loads less; `timerq/queues/lazy-wheel` is a queue to use.
 */
import { claimDirectory, readResults, rooms, startRun, summarise } from '../harness/index.js'
import { UsageError } from '../harness/model/errors.js'
import { withAnswer } from '../reports/answers/run.js'
import { scenarios } from '../scenarios/index.js'
import { commands } from './commands/index.js'
import { withGateAnswer } from './gate-answer.js'
import { planTry } from './plans/program.js'
import { planRun } from './plans/run.js'
import { againOf, wordsOf } from './request/again.js'
import { optionsOf } from './request/options.js'
import { parse } from './request/request.js'
import { didYouMean } from './request/suggest.js'
import { precision, rulesWithin } from './request/values.js'

const { compareQueues, compareRuns } = await rooms.compare()
const { checkQueue } = await rooms.conformance()

export { queues } from '../queues/index.js'
export { checkQueue, scenarios }

/** @import { Plan } from '../harness/plan/plan.js' */
/** @import { Progress } from '../harness/run/progress.js' */
/** @import { Results } from '../harness/store/results.js' */
/** @import { GateAnswer } from './gate-answer.js' */
/** @import { ProgramOptions } from './plans/program.js' */
/** @import { Request } from './request/request.js' */
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
 * @typedef {import('../harness/judge/records.js').ComparisonRecord} Comparison
 */

/**
 * @typedef {'base' | 'measure' | 'preset' | 'rounds' | 'loadCommand' | 'seed' | 'install' | 'prepare'} Shared
 *
 * @typedef {Partial<Pick<Request, Shared>> & ProgramOptions & OwnOptions} Options  Those of the command of the same
 *   name. Defaults are those of the command.
 *
 * @typedef {object} OwnOptions
 * @property {string[]} [runtimes]  Versions or paths of Node. A gate compares two, in place of a base: the second may
 *   be slower.
 * @property {string[]} [command]  Command that starts a server in the present folder: ['node', 'server.js'].
 * @property {string[]} [queues]  Names, './files.js' or 'npm:packages'. To try: also 'timerq-timers', the package. To
 *   gate: './files.js' of the repository.
 * @property {string[]} [scenarios]  Names, or './files.js', which may need no queue.
 * @property {Record<string, number[]>} [parameters]  Values to measure: size, connections and so on. Scenarios without
 *   such a parameter ignore it.
 * @property {Budget} [budget]  Time to spend, at most: seconds, or '5m'.
 * @property {string} [margin]  Slowdown to rule out: '5%' is the default.
 * @property {string | string[]} [expect]  What times must show: 'not-slower' (default), 'faster', 'faster=5%', 'level',
 *   with rows after a colon: 'faster:parse*'.
 * @property {string} [directory]  New results directory. Default: results/<time>, with the command before the time.
 * @property {AbortSignal} [signal]  Stops the measurement; finished samples are kept.
 * @property {(progress: Progress) => void} [onProgress]  Called before every step.
 *
 * @typedef {Omit<Options, 'command' | 'path' | 'connections' | Judged>} RunOptions
 *
 * @typedef {Omit<Options, 'runtimes' | 'scenarios' | 'parameters' | 'preset' | Judged>} TryOptions
 *
 * @typedef {Omit<Options, 'preset'>} GateOptions
 *
 * @typedef {'base' | 'measure' | 'margin' | 'expect' | 'install' | 'prepare'} Judged  Options of a verdict.
 */

/** Options that are no option of the command line, with the one that a command must have for them. */
const OWN = { command: 'path', signal: 'directory', onProgress: 'directory' }

/**
 * Measures queues on scenarios, each in fresh processes. Cells that failed are in `skipped`.
 *
 * @param {RunOptions} [options]
 * @returns {Promise<Summary>} the object that `timerq run --json` prints
 * @throws {UsageError} for unknown names and invalid values
 */
export const run = (options = {}) => measure(run, options, planRun)

/**
 * Puts other timers under the sockets of a program that is a server, and loads copies of it at the same time. `worth`
 * of the summary is the verdict.
 *
 * @param {TryOptions} [options]
 * @returns {Promise<Summary>} the object that `timerq try --json` prints
 * @throws {UsageError} for unknown names and invalid values
 * @throws {MeasurementError} when the program cannot be measured
 */
export const tryProgram = (options = {}) => measure(tryProgram, options, planTry)

/**
 * @param {(options: any) => unknown} called  Function of the library.
 * @param {Options} options
 * @param {(request: Request) => Promise<Plan>} planOf
 */
async function measure (called, options, planOf) {
  const request = requestOf(called, options)
  return summaryOf(await startRun(await planOf(request), measuringOf(request, options)))
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
  const request = requestOf(gate, options)
  const [{ startGate }, { planGate }] = await Promise.all([rooms.gate(), import('./plans/gate.js')])
  const plan = await planGate(request)
  const { install, prepare } = request
  const measuring = measuringOf(request, options)
  const record = await startGate(plan, { ...measuring, setup: { install, prepare } })
  return withGateAnswer(record, { budgetSeconds: plan.of.gate.budgetSeconds, directory: measuring.directory })
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
 * @param {Pick<Options, 'margin'>} [options]
 * @returns {Comparison} the object that `timerq compare --json` prints
 * @throws {UsageError} when there is nothing to compare
 */
export function compare (baseline, candidate, { margin = '5%' } = {}) {
  const base = readResults(baseline)
  // The command of the program that calls timerq, for the record.
  const options = { rules: rulesWithin(precision('margin', margin)), command: ['node', ...process.argv.slice(1)] }
  return typeof candidate === 'string'
    ? compareRuns(base, readResults(candidate), options)
    : compareQueues(base, candidate.from, candidate.to, options)
}

/**
 * Options for the harness.
 *
 * @param {Request} request
 * @param {Options} options
 */
const measuringOf = ({ command, commandLine }, { directory = claimDirectory(command.name), signal, onProgress }) => ({
  directory,
  command: commandLine,
  signal,
  onProgress
})

/** @param {Results} results */
const summaryOf = results => withAnswer(summarise(results), againOf(results.run.command))

/**
 * The request of the command line that asks for the same, which is recorded: by it a stopped run goes on.
 *
 * @param {(options: any) => unknown} called  Function of the library.
 * @param {Options} options
 * @returns {Request}
 */
function requestOf ({ name }, options) {
  const command = commands.find(({ library }) => library === name)
  if (!command) throw new UsageError(`${name}: this timerq has no such command`)
  if (typeof options !== 'object' || options === null) throw new UsageError(`${name}: options must be an object`)
  const rows = new Map(optionsOf(command).flatMap(({ library, name }) => (library ? [[library, name]] : [])))
  const own = Object.entries(OWN).flatMap(([name, needed]) => (rows.has(needed) ? name : []))
  const known = [...rows.keys(), ...own]
  const unknown = Object.keys(options).find(option => !known.includes(option))
  if (unknown !== undefined) {
    throw new UsageError(`${name}: unknown option "${unknown}"${didYouMean(unknown, known)}`)
  }
  const { command: program, parameters = {} } = options
  // A program may pass anything.
  if (program !== undefined && !Array.isArray(program)) {
    throw new UsageError(`command must be a list of words, got ${JSON.stringify(program)} (try ['node', 'server.js'])`)
  }
  const sweeps = Object.entries(parameters).map(([name, numbers]) => `${name}=${numbers}`)
  const given = /** @type {Record<string, any>} */ ({ ...options, parameters: sweeps })
  const texts = Object.fromEntries([...rows].map(([library, name]) => [name, given[library]]))
  const words = wordsOf(command, texts, program).slice(1)
  return /** @type {Request} */ (parse(words, { nameOf: ({ library = '' }) => library }).request)
}
