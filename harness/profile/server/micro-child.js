/** Traces the garbage of one micro cell in a process of its own, where nothing but the queue and its workload allocates. */
import { answer } from '../../processes/answer.js'
import { loadQueue } from '../../measure/modules/load-queue.js'
import { createWorkload, loadScenario } from '../../measure/modules/load-scenario.js'
import { createRandom } from '../../model/random.js'
import { startCollectionTrace, stopCollectionTrace } from './collection-trace.js'

answer({ trace })

/**
 * @param {import('../../measure/micro/queue-process.js').MicroTask & {warmupMs: number, measureMs: number}} task
 */
async function trace ({ warmupMs, measureMs, ...task }) {
  const { Queue } = await loadQueue(task.queueUrl)
  const scenario = /** @type {import('../../measure/modules/load-scenario.js').MicroScenario} */ (await loadScenario(task.scenarioUrl))
  const { phases } = createWorkload(scenario, new Queue(), task, createRandom(task.seed))
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
