/** Which files a queue consists of, and what it declares: asked of a process that works with it (see modules-child.js). */
import { Child } from '../../processes/child.js'

const MODULES_CHILD = new URL('./modules-child.js', import.meta.url)
const LIMIT_MS = 30_000

/**
 * @param {import('../micro/queue-process.js').MicroTask} task
 * @param {import('../../processes/child.js').Runtime} runtime
 * @param {AbortSignal} [signal]
 * @returns {Promise<{urls: string[]} & Partial<Pick<import('../../../queues/contract.js').QueueMeta, 'accuracy'>>>}
 * @throws {import('../../model/errors.js').SampleError} when the queue cannot be loaded, or dies
 */
export async function modulesOf (task, runtime, signal) {
  const child = new Child(MODULES_CHILD, { runtime })
  try {
    return await child.ask({ type: 'modules', ...task }, LIMIT_MS, signal)
  } finally {
    await child.end()
  }
}
