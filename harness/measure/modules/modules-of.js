import { Child } from '../../processes/child.js'
import { nameScenario } from './name-scenario.js'
/** @import { QueueMeta } from '../../../queues/contract.js' */
/** @import { Runtime } from '../../processes/child.js' */
/** @import { MicroTask } from '../micro/queue-process.js' */

const PROCESS = new URL('../../subject/process.js', import.meta.url)
const LIMIT_MS = 30_000

/**
 * The files of a queue and its declared accuracy, from a process that works with the queue.
 *
 * @type {(task: MicroTask & {isServer?: boolean}, runtime: Runtime, signal?: AbortSignal) => Promise<{urls: string[], accuracy?: QueueMeta['accuracy']}>}
 * @throws {SampleError} when the queue cannot be loaded, or dies
 */
export async function modulesOf (task, runtime, signal) {
  const child = new Child(PROCESS, { runtime })
  try {
    const asked = child.ask({ type: 'modules', ...task }, LIMIT_MS, signal)
    return await (task.isServer ? asked.catch(nameScenario(task.scenarioUrl)) : asked)
  } finally {
    await child.end()
  }
}
