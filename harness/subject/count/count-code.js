/**
 * Counts the basic blocks that a workload without a queue executes in the user's own modules: not in packages, nor in
 * Node.
 */
import { createRandom } from '../../model/random.js'
import { createCode } from '../modules/load.js'
import { startWorkCounter } from './work-counter.js'
import { runOnce } from '../micro/code-subject.js'
/** @import { MicroTask } from '../../measure/micro/queue-process.js' */

/** Other draws, from which the counter learns the blocks of the code first (see find-blocks.js). */
const EXERCISES = 3
const COUNTED_CYCLES = 4

/**
 * Needs WORK_FLAGS.
 *
 * @param {MicroTask} task
 * @returns {Promise<{workPerOp?: number}>} empty where a phase is awaited
 */
export async function countCodeBlocks (task) {
  const counter = startWorkCounter({ isCounted: url => !url.includes('/node_modules/') })
  for (let seed = 0; seed < EXERCISES; seed++) {
    for (const phase of (await createCode(task, createRandom(seed))).phases) {
      if (await runOnce([phase])) return {}
      counter.count()
    }
  }
  const { phases } = await createCode(task, createRandom(task.seed))
  const runCycle = () => phases.forEach(phase => phase.run())
  runCycle()
  counter.count()
  for (let cycle = 0; cycle < COUNTED_CYCLES; cycle++) runCycle()
  return { workPerOp: counter.count() / (COUNTED_CYCLES * phases[0].operations) }
}
