/**
 * The experiment on one page: how a plan becomes samples.
 *
 *   open the results directory     the plan with hashes of all files, the command line, the machine
 *   prepare                        does a user's queue keep the contract? does a program answer?
 *   for every step of the plan     execute.js: in their order, while the stop rule wants one of their cells
 *     measure it                   measure/measure.js: in fresh processes, pinned to a core
 *     store its samples            store/results.js: a line each, at once
 *     show them to the stop rule   stop-rules.js: failed, time is up, known well enough; gates have their own
 *   close the results
 *
 * A stopped run is opened again, and goes on with the steps that it lacks.
 */
import { pathToFileURL } from 'node:url'
import { lookUp } from '../measure/look-up.js'
import { MeasurementError, SideError } from '../model/errors.js'
import { groupBy } from '../model/group-by.js'
import { kindIn, usesServers } from '../model/kinds.js'
import { stepIdOf } from '../plan/steps.js'
import { captureEnvironment, hashOf } from '../processes/environment.js'
import { describeLacks } from '../processes/lacks.js'
import { assertOpenFiles } from '../processes/open-files.js'
import { choosePins } from '../processes/pinning.js'
import { createResults } from '../store/results.js'
import { Budget } from './budget.js'
import { execute } from './execute.js'
import { RunProgress } from './progress.js'
import { stagesOf } from './stages.js'
import { allOf, failures, knownWithin, timeIsUp } from './stop-rules.js'
/** @import { Trial } from '../measure/program/try-out.js' */
/** @import { End, Plan, PlannedQueue, Sides } from '../plan/plan.js' */
/** @import { Step } from '../plan/steps.js' */
/** @import { Results, Store } from '../store/results.js' */
/** @import { ExecuteOptions, StopRule } from './execute.js' */
/** @import { Runtime } from '../processes/child.js' */
/** @import { Progress } from './progress.js' */

/**
 * @typedef {object} RunOptions
 * @property {(progress: Progress) => void} [onProgress]
 * @property {AbortSignal} [signal]  Ends the run; finished samples stay in its directory.
 * @property {StopRule} [stopRule]  Extra rule of the question; failures, time and precision end every run.
 * @property {Step[][]} [stages]  All steps of the question. Default: those of a run.
 * @property {ExecuteOptions['order']} [order]  Default: `stages`.
 * @property {ExecuteOptions['profile']} [profile]  Records a profile, in plans with such steps.
 * @property {number} [startedMs]  Start of the time budget, by performance.now().
 * @property {(note: string) => void} [onNote]
 *
 * @typedef {object} ResumeOptions
 * @property {Plan} plan  Plan of the run's command line, made again.
 * @property {(end: End) => Partial<End>} [change]  Changes when the run ends.
 */

/**
 * @param {Plan} plan
 * @param {{directory: string, command: string[]} & RunOptions} options  `directory` must not hold results yet.
 * @returns {Promise<Results>}
 */
export async function startRun (plan, { directory, command, stages = stagesOf(plan), ...options }) {
  const prepare = (/** @type {Store} */ store) => checkSubjects(store, options.signal)
  const store = await openRun(plan, { directory, command, onNote: options.onNote, stages, prepare })
  await carryOut(store, { ...options, stages, stopRule: stopRuleOf(store, options) })
  return store.end()
}

/**
 * Takes the samples that a stopped run still lacks, by the same plan.
 *
 * @param {Results} stopped
 * @param {ResumeOptions & RunOptions} options
 * @returns {Promise<Results>}
 * @throws {UsageError} when its samples could not be compared with those that are there, or another process takes them
 */
export async function resumeRun (stopped, { plan: planned, onNote, change = () => ({}), ...options }) {
  const { continueRun } = await import('./continuation.js')
  const store = await continueRun(stopped, { plan: withHashes(planned), onNote })
  const plan = { ...store.run.plan, end: { ...store.run.plan.end, ...change(store.run.plan.end) } }
  store.update({ ended: null, plan })
  await carryOut(store, { ...options, stages: options.stages ?? stagesOf(plan), stopRule: stopRuleOf(store, options) })
  return store.end()
}

/**
 * Begins a results directory that has no samples yet.
 *
 * @param {Plan} plan
 * @param {object} options
 * @param {string} options.directory
 * @param {string[]} options.command
 * @param {boolean} [options.isResumable]  The command has a --resume, which messages may name.
 * @param {RunOptions['onNote']} [options.onNote]
 * @param {Step[][]} options.stages
 * @param {(store: Store) => Promise<void>} [options.prepare]  Completes the plan. The directory goes if this fails:
 *   without samples it cannot be resumed, and would only block the next attempt.
 * @returns {Promise<Store>}
 */
export async function openRun (plan, { directory, command, isResumable, onNote, stages, prepare = async () => {} }) {
  assertOpenFiles(plan)
  const loadGenerator = usesServers(plan) ? await readyServers(plan, stages) : 'none'
  const started = new Date().toISOString()
  const pins = choosePins()
  const environment = captureEnvironment({ pinning: pins.note, loadGenerator })
  const store = createResults(directory, { command, started, environment, plan: withHashes(plan) }, { isResumable })
  try {
    const lacks = describeLacks(pins)
    if (lacks) onNote?.(lacks)
    await prepare(store)
    return store
  } catch (error) {
    store.discard()
    throw error
  }
}

/**
 * A plan with the hashes of its files.
 *
 * @template {Plan} P
 * @param {P} plan
 * @returns {P}
 */
function withHashes (plan) {
  const withHash = (/** @type {any} */ module) => ({ ...module, sha256: hashOf(module) })
  const { trace } = plan.of
  return {
    ...plan,
    of: {
      ...plan.of,
      ...(trace && { trace: { ...trace, sha256: hashOf({ url: pathToFileURL(trace.file).href }) } })
    },
    queues: plan.queues.map(withHash),
    scenarios: plan.scenarios.map(withHash)
  }
}

/**
 * The loop of every run.
 *
 * @param {Store} store
 * @param {object} options
 * @param {StopRule} options.stopRule
 * @param {Plan & {sides?: Sides}} [options.plan]  The stored plan, with the folders of a gate's sides.
 * @param {RunOptions['onProgress']} [options.onProgress]
 * @param {Step[][]} options.stages
 * @param {RunOptions['order']} [options.order]
 * @param {RunOptions['profile']} [options.profile]
 * @param {AbortSignal} [options.signal]
 */
export async function carryOut (
  store,
  { plan = store.run.plan, stopRule, onProgress = () => {}, stages, order = stages, profile, signal }
) {
  const finished = [...store.samples]
  const progress = new RunProgress(plan, { finished, stages, stopRule })
  for (const samples of groupBy(finished, stepIdOf).values()) stopRule.see(samples)
  const onStep = (/** @type {Step} */ step) => onProgress(progress.at(step))
  for await (const samples of execute(plan, stopRule, { finished, order, profile, signal, onStep })) {
    store.append(samples)
    stopRule.see(samples)
    progress.see(samples)
  }
}

/**
 * @param {Store} store
 * @param {Pick<RunOptions, 'stopRule' | 'startedMs'>} options
 */
function stopRuleOf ({ run: { plan } }, { stopRule: ofQuestion, startedMs }) {
  const { budgetSeconds, until, enough } = plan.end
  const within = until ?? enough
  return allOf([
    failures(),
    budgetSeconds === null ? [] : timeIsUp(plan, new Budget(budgetSeconds, { startedMs })),
    within === undefined ? [] : knownWithin(plan, within),
    ofQuestion ?? []
  ].flat())
}

/**
 * Refuses ports that are taken. The servers of a heat have one each.
 *
 * @param {Plan} plan
 * @param {Step[][]} stages
 * @returns {Promise<string>} the load generator, for the record
 */
async function readyServers (plan, stages) {
  const { assertFreePort } = await import('../measure/load/free-port.js')
  const { describeLoadGenerator } = await import('../measure/load/load-generator.js')
  const { load } = plan.of
  const kindOf = kindIn(plan)
  const heats = stages.flat().filter(({ cells: [cell] }) => kindOf(cell).isServer)
  await assertFreePort(load.port, Math.max(1, ...heats.map(({ cells }) => cells.length)), load.listen)
  return describeLoadGenerator(load)
}

/**
 * Checks each of the user's queues briefly: figures of a queue that breaks the contract are marked. Tries the user's
 * program out.
 *
 * @param {Store} store
 * @param {AbortSignal} [signal]
 */
async function checkSubjects (store, signal) {
  const { plan, plan: { of } } = store.run
  const queues = await Promise.all(plan.queues.map(queue => checkQueue(queue, { runtime: plan.runtimes[0], signal })))
  const program = of.program && { ...of.program, ...(await tryOutProgram(plan, signal)) }
  store.update({ plan: { ...plan, queues, of: { ...of, ...(program && { program }) } } })
}

/**
 * timerq's own queues are checked in tests.
 *
 * @param {PlannedQueue} queue
 * @param {{runtime: Runtime, signal?: AbortSignal}} options
 */
async function checkQueue (queue, options) {
  if (queue.origin !== 'user') return queue
  const { checkBriefly } = await import('../conformance/index.js')
  const breaks = await checkBriefly(queue.url, options)
  return breaks.length > 0 ? { ...queue, breaks } : queue
}

const REMEDY = ' (each side contains only files that git tracks, and node_modules; --prepare builds others)'

/**
 * Measures the program briefly, each side of a gate by itself.
 *
 * @param {Plan & {sides?: Sides}} plan
 * @param {AbortSignal} [signal]
 * @returns {Promise<Trial>} stored with the plan, since timers that are measured as they are shipped count nothing. A
 *   program uses timers if a side does; the slower side says how many requests are to be expected
 * @throws {MeasurementError} when it cannot be measured
 */
export async function tryOutProgram (plan, signal) {
  const { tryOut } = await import('../measure/program/try-out.js')
  const trials = []
  for (const [side, [cell]] of groupBy(plan.cells, ({ side }) => side)) {
    if (side === 'control') continue
    const { httpJob, runtime } = lookUp(plan, cell)
    const trial = await tryOut(httpJob, runtime, signal).catch(error => {
      if (!(error instanceof MeasurementError) || !side) throw error
      throw new SideError(side, error.message, REMEDY)
    })
    trials.push(trial)
  }
  const [{ askedPort }] = trials
  return {
    ...(askedPort && { askedPort }),
    usesTimers: trials.some(({ usesTimers }) => usesTimers),
    requestsPerSecond: Math.min(...trials.map(({ requestsPerSecond }) => requestsPerSecond))
  }
}
