/**
 * Shows whose code a queue runs, and what it declares: loads it as a measuring process does, works with it, and lists the
 * files it came from.
 */
import { answer } from '../../processes/answer.js'
import { loadQueue } from './load-queue.js'
import { createWorkload, loadScenario } from './load-scenario.js'
import { loadedModules } from './loaded-modules.js'
import { createRandom } from '../../model/random.js'

answer({ modules })

/** @param {import('../micro/queue-process.js').MicroTask} task */
async function modules (task) {
  const scenario = /** @type {any} */ (await loadScenario(task.scenarioUrl))
  // What is loaded from here on is the queue's; the rest is timerq, which may be the repository that is gated.
  const ours = new Set(loadedModules())
  const { Queue, meta } = await loadQueue(task.queueUrl)
  const queue = new Queue()
  if (scenario.kind === 'micro') {
    const { phases } = createWorkload(scenario, queue, task, createRandom(task.seed))
    for (const phase of phases) phase.run()
  }
  return { urls: loadedModules().filter(url => !ours.has(url)), accuracy: meta?.accuracy }
}
