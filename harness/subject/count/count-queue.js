/** Basic blocks that an operation of a queue executes. */
import { assertPunctual } from '../trust/punctuality.js'
import { COUNTED_OPERATIONS, createCheapRandom, runCycle, startCounting } from './counting.js'
/** @import { MicroJob } from '../../measure/micro/queue-process.js' */

/** Half a second in the interpreter: fewer cycles are counted of a queue that needs more blocks. */
const MOST_BLOCKS = 2 ** 23

/**
 * The cycles that are counted follow from the scenario, its parameters and the queue's own work, never from time. Needs
 * WORK_FLAGS.
 *
 * @param {MicroJob} job
 */
export async function count (job) {
  const { createWorkload, counter, Queue } = await startCounting(job)
  const { phases } = createWorkload(new Queue(), createCheapRandom(job.seed))
  const { operations } = phases[0]

  counter.count()
  runCycle(phases)
  const workOfFirst = counter.count()
  const cycles = cyclesToCount(operations, workOfFirst)
  for (let cycle = 0; cycle < cycles; cycle++) runCycle(phases)
  const work = counter.count()
  assertPunctual(Queue)
  // The cost of arrays that grow in the first cycle is negligible in this much work.
  return { workPerOp: cycles === 0 ? workOfFirst / operations : work / (cycles * operations) }
}

/**
 * Halves the cycles until they fit, so that a queue and a slightly slower queue are counted over the same cycles.
 *
 * @param {number} operations  Operations in a cycle.
 * @param {number} blocks  Blocks that a cycle executes, about.
 */
function cyclesToCount (operations, blocks) {
  let cycles = Math.ceil(COUNTED_OPERATIONS / operations)
  while (cycles * blocks > MOST_BLOCKS) cycles = Math.floor(cycles / 2)
  return cycles
}
