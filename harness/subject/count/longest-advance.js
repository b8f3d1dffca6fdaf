/** The work of the longest advance. */
import { assertPunctual } from '../trust/punctuality.js'
import { COUNTED_OPERATIONS, createCheapRandom, runCycle, startCounting } from './counting.js'
/** @import { MicroJob } from '../../measure/micro/queue-process.js' */

/** Half a second of a workload that wakes its queue every millisecond: counting each advance by itself is slow. */
const COUNTED_ADVANCES = 512

/**
 * The most blocks that one advance executes, its callbacks included: the longest pause of the program, the same in
 * every run. Needs WORK_FLAGS.
 *
 * @param {MicroJob} job
 */
export async function countLongestAdvance (job) {
  const { createWorkload, counter, Queue } = await startCounting(job)
  const queue = new Queue()
  const { advance } = queue
  let advances = 0
  let longest = 0
  queue.advance = (/** @type {number} */ now, /** @type {(timer: any) => void} */ expire) => {
    counter.count()
    advance.call(queue, now, expire)
    longest = Math.max(longest, counter.count())
    advances++
  }
  const { phases } = createWorkload(queue, createCheapRandom(job.seed))
  for (let operations = 0; operations < COUNTED_OPERATIONS; operations += phases[0].operations) {
    runCycle(phases)
    if (advances >= COUNTED_ADVANCES) break
  }
  assertPunctual(Queue)
  return { longestAdvanceWork: longest }
}
