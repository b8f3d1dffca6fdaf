/** A run is only continued where it measures the same: on its machine, by this timerq, with the same queues and runtimes. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { captureEnvironment } from './environment.js'
import { UsageError } from './model/errors.js'
import { machinesOf } from './model/machine.js'
import { resolveRuntime } from './runtimes.js'

/** @typedef {import('./plan.js').PlannedQueue} PlannedQueue */

/**
 * Of the module's own file: what it imports is not looked at.
 *
 * @param {{url: string}} planned  A queue or a scenario.
 */
export function hashOf ({ url }) {
  return createHash('sha256').update(readFileSync(fileURLToPath(url))).digest('hex')
}

/**
 * @param {import('./results.js').Results} results
 * @throws {UsageError} when samples from now on would be of something else than those that are there
 */
export async function assertContinuable ({ directory, run }) {
  const { pinning, loadGenerator, timerq } = run.environment
  const now = captureEnvironment({ pinning, loadGenerator })
  const here = machinesOf({ environment: now }).join()
  const machines = machinesOf(run)
  if (machines.join() !== here) refuse(`was measured on ${machines.join(' and ')}, this is ${here}`)
  if (timerq !== now.timerq) refuse(`was measured by timerq ${timerq}, this is ${now.timerq}`)
  for (const { name, path, flags } of run.plan.runtimes) {
    const runtime = await resolveRuntime(path, flags)
    if (runtime.name !== name) refuse(`was measured with ${name}, ${path} is now ${runtime.name}`)
  }
  const changed = run.plan.queues.find(hasChanged)
  if (changed) refuse(`was measured with another ${changed.name}: ${fileURLToPath(changed.url)} has changed since`)

  /** @param {string} reason */
  function refuse (reason) {
    throw new UsageError(`${directory} ${reason}: start a new run`)
  }
}

/** @param {PlannedQueue} queue */
function hasChanged (queue) {
  if (queue.sha256 === undefined) return false
  try {
    return hashOf(queue) !== queue.sha256
  } catch {
    return true
  }
}
