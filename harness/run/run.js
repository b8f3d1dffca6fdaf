/**
 * A run from beginning to end: a plan is executed, samples are stored as they come, and stop rules decide when it ends.
 * A stopped run is continued by the same plan.
 */
import { lookUp } from '../measure/look-up.js'
import { groupBy } from '../model/group-by.js'
import { stepIdOf } from '../plan/steps.js'
import { captureEnvironment, hashOf } from '../processes/environment.js'
import { assertOpenFiles } from '../processes/open-files.js'
import { choosePins } from '../processes/pinning.js'
import { createResults } from '../store/results.js'
import { execute } from './execute.js'
import { RunProgress } from './progress.js'
import { allOf, failures, hopeless, knownWithin, timeIsUp } from './stop-rules.js'
/** @import { Plan, PlannedQueue, Settings } from '../plan/plan.js' */
/** @import { Results, Store } from '../store/results.js' */
/** @import { Kind, Named } from './continuation.js' */
/** @import { ExecuteOptions, StopRule } from './execute.js' */
/** @import { Progress } from './progress.js' */

/**
 * @typedef {object} RunOptions
 * @property {(progress: Progress) => void} [onProgress]
 * @property {AbortSignal} [signal]  Ends the run; finished samples stay in its directory.
 * @property {boolean} [isResumable]  The command has a --resume, which messages may name.
 * @property {StopRule} [stopRule]  Of the command, beside failures, time and precision.
 * @property {ExecuteOptions['profile']} [profile]  Records a profile, in plans with such steps.
 * @property {number} [startedMs]  Start of its time budget, by performance.now().
 *
 * @typedef {object} ResumeOptions
 * @property {Named} [named]  Programs and modules that the run may start.
 * @property {(note: string) => void} [onNote]
 * @property {Kind} [kind]  Of the results. Default: those of a run.
 * @property {(settings: Settings) => Partial<Settings>} [change] New settings that say when the run ends; others would
 *   make its samples incomparable.
 */

/**
 * @param {Plan} plan
 * @param {{directory: string, command: string[]} & RunOptions} options  `directory` must not hold results yet.
 * @returns {Promise<Results>}
 */
export async function startRun (plan, { directory, command, ...options }) {
  const queues = await checkQueues(plan.queues, options.signal)
  const settings = await tryOutProgram(plan, options.signal)
  const { isResumable } = options
  return finishRun(await openRun({ ...plan, settings, queues }, { directory, command, isResumable }), options)
}

/**
 * What was seen stands in the settings, since timers that are measured as they are shipped count nothing.
 *
 * @param {Plan} plan
 * @param {AbortSignal} [signal]
 */
async function tryOutProgram (plan, signal) {
  const {
    settings,
    settings: { program }
  } = plan
  if (!program) return settings
  const { tryOut } = await import('../measure/program/try-out.js')
  const { httpTask, runtime } = lookUp(plan, plan.cells[0])
  return { ...settings, program: { ...program, usesTimers: await tryOut(httpTask, runtime, signal) } }
}

/**
 * Checks each of the user's queues briefly, unless that is done: figures of a queue that breaks the contract are
 * marked. timerq's queues are checked in tests.
 *
 * @param {PlannedQueue[]} queues
 * @param {AbortSignal} [signal]
 */
function checkQueues (queues, signal) {
  return Promise.all(
    queues.map(async ({ breaks: known, ...queue }) => {
      if (queue.origin !== 'user') return queue
      const { checkBriefly } = await import('../conformance/index.js')
      const breaks = known ?? (await checkBriefly(queue.url, { signal }))
      return breaks.length > 0 ? { ...queue, breaks } : queue
    })
  )
}

/**
 * Begins a results directory that has no samples yet.
 *
 * @param {Plan} plan
 * @param {{directory: string, command: string[], isResumable?: boolean}} options
 * @returns {Promise<Store>}
 */
export async function openRun (plan, { directory, command, isResumable }) {
  assertOpenFiles(plan)
  const usesServers = plan.scenarios.some(({ kind }) => kind === 'http')
  const loadGenerator = usesServers ? await readyServers(plan) : 'none'
  const started = new Date().toISOString()
  const environment = captureEnvironment({ pinning: choosePins().note, loadGenerator })
  const withHash = (/** @type {any} */ module) => ({ ...module, sha256: hashOf(module) })
  const hashed = { ...plan, queues: plan.queues.map(withHash), scenarios: plan.scenarios.map(withHash) }
  return createResults(directory, { command, started, environment, plan: hashed }, { isResumable })
}

/**
 * Refuses a port that is taken.
 *
 * @param {Plan} plan
 * @returns {Promise<string>} the load generator, for the record
 */
async function readyServers ({ settings, queues }) {
  const { assertFreePort } = await import('../measure/load/free-port.js')
  const { describeLoadGenerator } = await import('../measure/load/load-generator.js')
  await assertFreePort(settings.port, queues.length, settings.listen)
  return describeLoadGenerator(settings)
}

/**
 * Takes the samples that a stopped run still lacks, by the same plan.
 *
 * @param {string} directory
 * @param {ResumeOptions & RunOptions} options
 * @returns {Promise<Results>}
 * @throws {UsageError} when its samples could not be compared with those that are there, or another process takes them
 */
export async function resumeRun (directory, { kind = 'run', named, onNote, change = () => ({}), ...options }) {
  const { continueRun, readStopped } = await import('./continuation.js')
  const store = await continueRun(readStopped(directory, kind), { named, onNote })
  const {
    plan,
    plan: { settings }
  } = store.run
  store.update({ ended: null, plan: { ...plan, settings: { ...settings, ...change(settings) } } })
  return finishRun(store, options)
}

/**
 * Names a results directory.
 *
 * @param {Date} started
 */
export function runId (started) {
  return started.toISOString().slice(0, 19).replaceAll(':', '-')
}

/**
 * @param {Store} store
 * @param {RunOptions} options
 */
async function finishRun (
  store,
  { onProgress = () => {}, signal, stopRule: commandRule, profile, startedMs = performance.now() }
) {
  const {
    run: { plan },
    samples: finished
  } = store
  const { budgetSeconds, until, enough } = plan.settings
  const within = until ?? enough
  const precision = within === undefined ? undefined : knownWithin(plan, within)
  const time = budgetSeconds === null ? undefined : timeIsUp(plan, budgetSeconds, startedMs)
  const slow = plan.settings.hopeless === undefined ? undefined : hopeless(plan, plan.settings.hopeless)
  const stopRule = allOf([failures(), time, precision, slow, commandRule].flatMap(rule => rule ?? []))
  const progress = new RunProgress(plan, { finished, startedMs, precision })
  for (const samples of groupBy(finished, stepIdOf).values()) stopRule.see(samples)
  for await (const samples of execute(plan, stopRule, {
    finished: [...finished],
    profile,
    signal,
    onStep: step => onProgress(progress.at(step))
  })) {
    store.append(samples)
    stopRule.see(samples)
    progress.see(samples)
  }
  return store.end()
}
