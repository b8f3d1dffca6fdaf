/**
 * A queue that is being written: what it costs now, beside what it cost before the last save, and when its files change
 * again.
 */
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { modulesOf } from '../measure/modules/user-modules.js'
import { SampleError } from '../model/errors.js'
import { lookUp } from '../measure/look-up.js'
import { controlsOf } from '../plan/plan.js'
import { tableId } from '../model/cell.js'
import { groupBy } from '../model/group-by.js'
import { rankedMetrics } from '../model/metrics.js'
import { pairedRatios } from '../judge/pairs.js'
import { differenceInterval } from '../judge/statistics/interval.js'
/** @import { Plan } from '../plan/plan.js' */
/** @import { Results, Sample } from '../store/results.js' */

/**
 * @typedef {object} Look  Figures of one workload.
 * @property {string} cell  Its id.
 * @property {string} metric
 * @property {Change | null} change  Since the look before; null where either has too few heats.
 * @property {number | null} work  Blocks per operation.
 * @property {number | null} workBefore
 *
 * @typedef {{ratio: number, low: number, high: number}} Change  How many times as long it takes now.
 */

/** Some editors write a file in several steps. */
const POLL_MS = 200
/** One heat has no spread. */
const FEWEST_FOR_SPREAD = 2

/**
 * @param {Results} now
 * @param {Results | null} before
 * @param {string} queue
 * @returns {Look[]}
 */
export function lookAt (now, before, queue) {
  const controls = controlsOf(now.run.plan)
  const [takenNow, takenBefore] = [now, before].map(results => groupBy(results?.samples ?? [], ({ cell }) => cell))
  return now.run.plan.cells
    .filter(cell => cell.queue === queue)
    .flatMap(cell => {
      const control = controls.get(tableId(cell))
      const samples = takenNow.get(cell.id) ?? []
      const metric = rankedMetrics.find(name => samples.some(({ metrics }) => name in metrics))
      if (metric === undefined) return []
      const shifts = [takenBefore, takenNow].map(taken =>
        pairedRatios(taken.get(control?.id ?? '') ?? [], taken.get(cell.id) ?? [], metric)
          .map(({ ratio }) => Math.log(ratio))
          .filter(Number.isFinite)
      )
      const [workBefore, work] = [takenBefore, takenNow].map(taken => workOf(taken.get(cell.id) ?? []))
      return [{ cell: cell.id, metric, change: changeOf(shifts), work, workBefore }]
    })
}

/**
 * Both looks are compared with the control, which has not changed: their heats are not the same ones.
 *
 * @param {number[][]} shifts  Logarithms of ratios: before, and now.
 * @returns {Change | null}
 */
function changeOf ([before, now]) {
  if (before.length < FEWEST_FOR_SPREAD || now.length < FEWEST_FOR_SPREAD) return null
  const { estimate, low, high } = differenceInterval(before, now)
  return { ratio: Math.exp(estimate), low: Math.exp(low), high: Math.exp(high) }
}

/** @param {Sample[]} samples */
function workOf (samples) {
  return samples.find(({ metrics }) => 'workPerOp' in metrics)?.metrics.workPerOp ?? null
}

/**
 * What tells whether a file of a queue has changed: its own, or one that it imports. Modules in packages are left out.
 *
 * @param {string[]} urls
 */
export function stateOf (urls) {
  const files = urls.map(url => fileURLToPath(url)).filter(file => !file.includes('node_modules'))
  return files
    .map(file => statSync(file, { throwIfNoEntry: false }))
    .map(stats => `${stats?.mtimeMs} ${stats?.size}`)
    .join()
}

/**
 * Waits until a file has changed and all files have been saved.
 *
 * @param {string[]} urls
 * @param {string} before  Their state before they were measured: a later save counts, too.
 * @param {AbortSignal} signal
 */
export async function untilChanged (urls, before, signal) {
  while (stateOf(urls) === before) await sleep(POLL_MS, undefined, { signal })
  for (let last = ''; last !== stateOf(urls);) {
    last = stateOf(urls)
    await sleep(POLL_MS, undefined, { signal })
  }
}

/**
 * A look that is under way when a file changes would mix two versions. It ends, and is null.
 *
 * @param {string[]} files
 * @param {string} state  Before they were read.
 * @param {AbortSignal} signal
 * @param {(signal: AbortSignal) => Promise<Results>} look
 * @returns {Promise<Results | null>}
 */
export async function unlessSaved (files, state, signal, look) {
  const [saved, over] = [new AbortController(), new AbortController()]
  const watching = untilChanged(files, state, AbortSignal.any([signal, over.signal])).then(
    () => saved.abort(),
    () => {}
  )
  try {
    const results = await look(AbortSignal.any([signal, saved.signal]))
    return stateOf(files) === state ? results : null
  } catch (error) {
    if (signal.aborted || stateOf(files) === state) throw error
    return null
  } finally {
    over.abort()
    await watching
  }
}

/**
 * @param {Plan} plan
 * @param {string} queue
 * @param {AbortSignal} signal
 * @returns {Promise<string[]>} URLs of the files that the queue consists of; none where it cannot be loaded
 */
export async function filesOf (plan, queue, signal) {
  const cell = plan.cells.find(cell => cell.queue === queue)
  if (cell === undefined) return []
  const { microTask, runtime } = lookUp(plan, cell)
  try {
    return (await modulesOf(microTask, runtime, { signal })).urls
  } catch (error) {
    if (!(error instanceof SampleError)) throw error
    return []
  }
}
