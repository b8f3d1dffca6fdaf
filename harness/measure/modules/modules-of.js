import { Child } from '../../processes/child.js'

/**
 * @import { QueueMeta } from '../../../queues/contract.js'
 * @import { Runtime } from '../../processes/child.js'
 * @import { MicroTask } from '../micro/measure.js'
 */

const CHILD = new URL('./child.js', import.meta.url)
const LIMIT_MS = 30_000

/**
 * Asks a process that works with a queue which files the queue consists of, and what it declares.
 *
 * @param {MicroTask} task
 * @param {Runtime} runtime
 * @param {AbortSignal} [signal]
 * @returns {Promise<{urls: string[]} & Partial<Pick<QueueMeta, 'accuracy'>>>}
 * @throws {SampleError} when the queue cannot be loaded, or dies
 */
export async function modulesOf (task, runtime, signal) {
  const child = new Child(CHILD, { runtime })
  try {
    return await child.ask({ type: 'modules', ...task }, LIMIT_MS, signal)
  } finally {
    await child.end()
  }
}
