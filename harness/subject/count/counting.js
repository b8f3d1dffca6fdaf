/** Counts the basic blocks of a queue under a workload: what all counts of blocks share. */
import { loadQueue, loadWorkload } from '../modules/load.js'
import { watchBuiltIns } from './built-ins.js'
import { findBlocks } from './find-blocks.js'
import { startWorkCounter } from './work-counter.js'
/** @import { Workload } from '../../../scenarios/contract.js' */
/** @import { Random } from '../../model/random.js' */
/** @import { MicroJob } from '../../measure/micro/queue-process.js' */

/**
 * Operations over which rare work is spread: all draws of a workload, and more than three seconds of a clock that moves
 * every 40.
 */
export const COUNTED_OPERATIONS = 2 ** 17
const EXERCISE_SEED = 1

/**
 * Loads a queue and counts its blocks from then on, and the elements that built-ins touch.
 *
 * @param {MicroJob} job
 */
export async function startCounting (job) {
  const createWorkload = await loadWorkload(job)
  // Only modules loaded from here on are counted: the queue and what it imports.
  const blocks = startWorkCounter()
  const builtIns = watchBuiltIns()
  const counter = { count: () => blocks.count() + builtIns.count().work }
  const { Queue } = await loadQueue(job.queueUrl)
  findBlocks(new Queue(), createCheapRandom(EXERCISE_SEED), counter.count)
  return { createWorkload, counter, Queue }
}

/** @param {Workload['phases']} phases */
export function runCycle (phases) {
  for (const phase of phases) phase.run()
}

/**
 * Draws that suffice for counts (D. H. Lehmer, 1951): in an interpreter, good ones would take longer than all else.
 *
 * @param {number} seed
 * @returns {Random}
 */
export function createCheapRandom (seed) {
  // Odd, as the method requires, and different for neighbouring seeds.
  let state = (seed << 1) | 1
  return limit => {
    state = Math.imul(state, 48_271)
    return (state >>> 8) % limit
  }
}
