/** The garbage that one micro cell makes, in a process of its own: no benchmark library allocates beside the queue. */
import { answer } from '../answer.js'
import { loadQueue } from '../load-queue.js'
import { loadScenario } from '../load-scenario.js'
import { createRandom } from '../random.js'
import { startCollectionTrace, stopCollectionTrace } from './collection-trace.js'

answer({ trace })

/**
 * @param {import('../micro/measure.js').MicroTask & {warmupMs: number, measureMs: number}} task
 */
async function trace ({ queueUrl, scenarioUrl, params, seed, warmupMs, measureMs }) {
  const { Queue } = await loadQueue(queueUrl)
  const scenario = /** @type {import('../load-scenario.js').MicroScenario} */ (await loadScenario(scenarioUrl))
  const { phases } = scenario.createWorkload(new Queue(), params, createRandom(seed))
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
