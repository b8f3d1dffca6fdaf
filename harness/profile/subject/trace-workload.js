/** Garbage of a micro cell, in a process where nothing but the queue and its workload allocates. */
import { createRandom } from '../../model/random.js'
import { loadQueue, loadWorkload } from '../../subject/modules/load.js'
import { startCollectionTrace, stopCollectionTrace } from './collection-trace.js'
/** @import { MicroTask } from '../../measure/micro/queue-process.js' */

/** @param {MicroTask & {warmupMs: number, measureMs: number}} task */
export async function traceWorkload ({ warmupMs, measureMs, ...task }) {
  const createWorkload = await loadWorkload(task)
  const { Queue } = await loadQueue(task.queueUrl)
  const { phases } = createWorkload(new Queue(), createRandom(task.seed))
  const runCycles = (/** @type {number} */ millis) => {
    const end = performance.now() + millis
    let cycles = 0
    do {
      for (const phase of phases) phase.run()
      cycles++
    } while (performance.now() < end)
    return cycles
  }
  runCycles(warmupMs)
  startCollectionTrace()
  const cycles = runCycles(measureMs)
  return { trace: stopCollectionTrace(), operations: cycles * phases[0].operations }
}
