/**
 * A run from beginning to end: a plan is executed, samples are stored as they come, and stop rules decide when it ends. Stopped runs are
 * continued by the same plan.
 */
import { checkBriefly } from '../conformance/index.js'
import { assertContinuable, hashOf } from './continuation.js'
import { captureEnvironment } from '../processes/environment.js'
import { assertFreePort } from '../measure/http/free-port.js'
import { describeLoadGenerator } from '../measure/http/load-generator.js'
import { lockResults } from '../store/lock.js'
import { UsageError } from '../model/errors.js'
import { assertOpenFiles } from '../processes/open-files.js'
import { choosePins } from '../processes/pinning.js'
import { appendSamples, createResults, dropUnfinished, readResults, RUN_FORMAT, writeRun } from '../store/results.js'
import { execute } from './execute.js'
import { RunProgress } from './progress.js'
import { allOf, failures, knownWithin, timeIsUp } from './stop-rules.js'
/** @import { Plan, PlannedQueue, Settings } from '../plan/plan.js' */
/** @import { Results, Run, Sample } from '../store/results.js' */
/** @import { Named } from './continuation.js' */
/** @import { Progress } from './progress.js' */

/**
 * @typedef {object} RunOptions
 * @property {(progress: Progress) => void} [onProgress]
 * @property {AbortSignal} [signal]  Ends the run; finished samples stay in its directory.
 * @property {boolean} [isResumable]  The command has a --resume, which messages may name.
 * @property {number} [startedMs]  Start of its time budget, by performance.now().
 *
 * @typedef {object} ResumeOptions
 * @property {Named} [named]  Programs and modules that the run may start.
 * @property {(note: string) => void} [onNote]
 * @property {(settings: Settings) => Partial<Settings>} [change]  New settings that say when the run ends; others would make its samples
 *   incomparable.
 */

/**
 * @param {Plan} plan
 * @param {{directory: string, command: string[]} & RunOptions} options  `directory` must not hold results yet.
 * @returns {Promise<Results>}
 */
export async function startRun (plan, { directory, command, ...options }) {
  const queues = await checkQueues(plan.queues, options.signal)
  return finishRun(directory, await openRun({ ...plan, queues }, { directory, command }), [], options)
}

/**
 * Checks each of the user's queues briefly: figures of a queue that breaks the contract are marked. timerq's queues are checked in tests.
 *
 * @param {PlannedQueue[]} queues
 * @param {AbortSignal} [signal]
 */
function checkQueues (queues, signal) {
  return Promise.all(queues.map(async queue => {
    const breaks = queue.origin === 'user' ? await checkBriefly(queue.url, { signal }) : []
    return breaks.length > 0 ? { ...queue, breaks } : queue
  }))
}

/**
 * Begins a results directory that has no samples yet.
 *
 * @param {Plan} plan
 * @param {{directory: string, command: string[]}} options
 * @returns {Promise<Run>}
 */
export async function openRun (plan, { directory, command }) {
  const { port, listen } = plan.settings
  const usesServers = plan.scenarios.some(({ kind }) => kind === 'http')
  assertOpenFiles(plan)
  if (usesServers) await assertFreePort(port, plan.queues.length, listen)
  const started = new Date()
  /** @type {Run} */
  const run = {
    format: RUN_FORMAT,
    id: runId(started),
    command,
    started: started.toISOString(),
    ended: null,
    environment: captureEnvironment({
      pinning: choosePins().note,
      loadGenerator: usesServers ? await describeLoadGenerator(plan.settings) : 'none'
    }),
    plan: {
      ...plan,
      queues: plan.queues.map(queue => ({ ...queue, sha256: hashOf(queue) })),
      scenarios: plan.scenarios.map(scenario => ({ ...scenario, sha256: hashOf(scenario) }))
    }
  }
  createResults(directory, run)
  return run
}

/**
 * Takes the samples that a stopped run still lacks, by the same plan.
 *
 * @param {string} directory
 * @param {ResumeOptions & RunOptions} options
 * @returns {Promise<Results>}
 * @throws {UsageError} when its samples could not be compared with those that are there, or another process takes them
 */
export async function resumeRun (directory, { named, onNote = () => {}, change = () => ({}), ...options }) {
  const stopped = readResults(directory)
  if ('gate' in stopped.run.plan) throw new UsageError(`${directory} holds a gate, not a run: continue it with timerq gate --resume ${directory}`)
  await assertContinuable(stopped, named)
  assertOpenFiles(stopped.run.plan)
  const dead = lockResults(directory)
  if (dead) onNote(`the run of process ${dead.pid}, begun ${dead.since}, was killed: continuing it`)
  const { run, samples } = dropUnfinished(directory)
  const { plan, plan: { settings } } = run
  const continued = { ...run, ended: null, plan: { ...plan, settings: { ...settings, ...change(settings) } } }
  writeRun(directory, continued)
  return finishRun(directory, continued, samples, options)
}

/** @param {Date} started */
export function runId (started) {
  return started.toISOString().slice(0, 19).replaceAll(':', '-')
}

/**
 * @param {string} directory
 * @param {Run} run
 * @param {Iterable<Sample>} finished
 * @param {RunOptions} options
 */
async function finishRun (directory, run, finished, { onProgress = () => {}, signal, isResumable, startedMs = performance.now() }) {
  const { plan, plan: { settings: { budgetSeconds, until, enough } } } = run
  const within = until ?? enough
  const precision = within === undefined ? undefined : knownWithin(plan, within)
  const stopRule = allOf([failures(), ...(budgetSeconds === null ? [] : [timeIsUp(plan, budgetSeconds, startedMs)]), ...(precision ? [precision] : [])])
  const progress = new RunProgress(plan, { finished, startedMs, precision })
  for (const sample of finished) stopRule.see([sample])
  for await (const samples of execute(plan, stopRule, { finished, signal, onStep: step => onProgress(progress.at(step)) })) {
    appendSamples(directory, samples, isResumable)
    stopRule.see(samples)
    progress.see(samples)
  }
  return closeRun(directory, run, isResumable)
}

/**
 * @param {string} directory
 * @param {Run} run
 * @param {boolean} [isResumable]
 * @returns {Results}
 */
export function closeRun (directory, run, isResumable) {
  writeRun(directory, { ...run, ended: new Date().toISOString() }, isResumable)
  return readResults(directory)
}
