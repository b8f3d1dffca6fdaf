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
import { continueRun, hashOf, readStopped } from './continuation.js'
import { captureEnvironment } from '../processes/environment.js'
import { executePlan } from './execute.js'
import { assertFreePort } from '../measure/http/free-port.js'
import { describeLoadGenerator } from '../measure/http/load-generator.js'
import { assertOpenFiles } from '../processes/open-files.js'
import { choosePins } from '../processes/pinning.js'
import { createResults } from '../store/results.js'

/**
 * @typedef {import('../store/results.js').Results} Results
 *
 * @typedef {object} RunOptions
 * @property {(progress: import('./execute.js').Progress) => void} [onProgress]
 * @property {AbortSignal} [signal]  Ends the run; finished samples are kept.
 * @property {boolean} [isResumable]  Whether its command has a --resume, which messages may name.
 * @property {number} [startedMs]  By performance.now(): since when its time budget is being spent.
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
  const { isResumable } = options
  return finishRun(await openRun({ ...plan, queues }, { directory, command, isResumable }), options)
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
 * @param {{directory: string, command: string[], isResumable?: boolean}} options
 * @returns {Promise<import('../store/results.js').Store>}
 */
export async function openRun (plan, { directory, command, isResumable }) {
  const { port, listen } = plan.settings
  const usesServers = plan.scenarios.some(({ kind }) => kind === 'http')
  assertOpenFiles(plan)
  if (usesServers) await assertFreePort(port, plan.queues.length, listen)
  const started = new Date().toISOString()
  const environment = captureEnvironment({
    pinning: choosePins().note,
    loadGenerator: usesServers ? await describeLoadGenerator(plan.settings) : 'none'
  })
  const hashed = {
    ...plan,
    // The sides of a gate have no file of their own.
    queues: plan.queues.map(queue => queue.url === '' ? queue : { ...queue, sha256: hashOf(queue) }),
    scenarios: plan.scenarios.map(scenario => ({ ...scenario, sha256: hashOf(scenario) }))
  }
  return createResults(directory, { command, started, environment, plan: hashed }, { isResumable })
}

/**
 * Takes the samples that a stopped run still lacks, by the same plan.
 *
 * @param {string} directory
 * @param {ResumeOptions & RunOptions} options
 * @returns {Promise<Results>}
 * @throws {UsageError} when its samples could not be compared with those that are there, or another process takes them
 */
export async function resumeRun (directory, { named, onNote, change = () => ({}), ...options }) {
  const store = await continueRun(readStopped(directory, 'run'), { named, onNote })
  const { plan, plan: { settings } } = store.run
  store.update({ ended: null, plan: { ...plan, settings: { ...settings, ...change(settings) } } })
  return finishRun(store, options)
}

/** @param {Date} started */
export function runId (started) {
  return started.toISOString().slice(0, 19).replaceAll(':', '-')
}

/**
 * @param {import('../store/results.js').Store} store
 * @param {RunOptions} options
 */
async function finishRun (store, options) {
  await executePlan(store.run.plan, {
    finished: [...store.samples],
    keep: samples => store.append(samples),
    recall: () => store.samples,
    ...options
  })
  return store.end()
}
