/**
 * A run from beginning to end:
 *
 *   plan.js          what is measured, in which order
 *   execute.js       takes the samples, one fresh process each
 *   results.js       keeps them, and reads them back
 *   lock.js          one process at a time
 *   continuation.js  whether a run that was stopped may be continued
 *   summary.js       medians and intervals of what was read
 */
import { checkBriefly } from '../conformance/index.js'
import { assertContinuable, hashOf } from './continuation.js'
import { captureEnvironment } from '../processes/environment.js'
import { executePlan } from './execute.js'
import { assertFreePort } from '../measure/http/free-port.js'
import { describeLoadGenerator } from '../measure/http/load-generator.js'
import { lockResults } from '../store/lock.js'
import { UsageError } from '../model/errors.js'
import { assertOpenFiles } from '../processes/open-files.js'
import { choosePins } from '../processes/pinning.js'
import { appendSamples, createResults, dropUnfinished, readResults, RUN_FORMAT, writeRun } from '../store/results.js'

/**
 * @typedef {import('../store/results.js').Results} Results
 *
 * @typedef {object} RunOptions
 * @property {(progress: import('./execute.js').Progress) => void} [onProgress]
 * @property {AbortSignal} [signal]  Ends the run; finished samples are kept.
 * @property {boolean} [isResumable]  Whether its command has a --resume, which messages may name.
 * @property {number} [startedMs]  By performance.now(): since when its time budget is being spent.
 * @property {import('./execute.js').StopRule} [stopRule]
 * @property {(planned: {cell: import('../plan/plan.js').Cell, round: number}, signal: AbortSignal) => Promise<import('../store/results.js').Sample>} [profile]
 *
 * @typedef {object} ResumeOptions
 * @property {import('./continuation.js').Named} [named]  What the run may start.
 * @property {(note: string) => void} [onNote]
 * @property {(settings: import('../plan/plan.js').Settings) => Partial<import('../plan/plan.js').Settings>} [change]  What of its settings is
 *   new: only what says when it ends, or its samples would not go together.
 */

/**
 * @param {import('../plan/plan.js').Plan} plan
 * @param {{directory: string, command: string[]} & RunOptions} options  `directory` must not hold results yet.
 * @returns {Promise<Results>}
 */
export async function startRun (plan, { directory, command, ...options }) {
  const queues = await checkQueues(plan.queues, options.signal)
  return finishRun(directory, await openRun({ ...plan, queues }, { directory, command }), [], options)
}

/**
 * Looks at each of the user's queues before it is measured: figures of one that breaks the contract are marked. The others
 * are checked in their tests.
 *
 * @param {import('../plan/plan.js').PlannedQueue[]} queues
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
 * @param {import('../plan/plan.js').Plan} plan
 * @param {{directory: string, command: string[]}} options
 * @returns {Promise<import('../store/results.js').Run>}
 */
export async function openRun (plan, { directory, command }) {
  const { port, listen } = plan.settings
  const usesServers = plan.scenarios.some(({ kind }) => kind === 'http')
  assertOpenFiles(plan)
  if (usesServers) await assertFreePort(port, plan.queues.length, listen)
  const started = new Date()
  /** @type {import('../store/results.js').Run} */
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
  if (stopped.run.plan.claims && !options.stopRule) throw new UsageError(`${directory} holds findings, not a run: continue it with timerq reproduce --resume ${directory}`)
  if ('gate' in stopped.run.plan) throw new UsageError(`${directory} holds a gate, not a run: continue it with timerq gate --resume ${directory}`)
  await assertContinuable(stopped, named)
  assertOpenFiles(stopped.run.plan)
  // Not before it is certain that this is a run of ours.
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
 * @param {import('../store/results.js').Run} run
 * @param {Iterable<import('../store/results.js').Sample>} finished
 * @param {RunOptions} options
 */
async function finishRun (directory, run, finished, { isResumable, ...options }) {
  await executePlan(run.plan, {
    finished,
    keep: samples => appendSamples(directory, samples, isResumable),
    recall: () => readResults(directory).samples,
    ...options
  })
  return closeRun(directory, run, isResumable)
}

/**
 * @param {string} directory
 * @param {import('../store/results.js').Run} run
 * @param {boolean} [isResumable]
 * @returns {Results}
 */
export function closeRun (directory, run, isResumable) {
  writeRun(directory, { ...run, ended: new Date().toISOString() }, isResumable)
  return readResults(directory)
}
