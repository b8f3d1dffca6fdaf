/**
 * A run is only continued where it measures the same: on its machine, by this timerq, with the same queues, scenarios and
 * runtimes.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { captureEnvironment } from './environment.js'
import { UsageError } from './model/errors.js'
import { machinesOf } from './model/machine.js'
import { resolveRuntime } from './runtimes.js'

/**
 * @typedef {object} PlannedFile  A queue or a scenario.
 * @property {string} name
 * @property {string} url
 * @property {string} [sha256]  When the run began; runs from before it was kept have none.
 */

/**
 * Of the file of a queue or a scenario alone: what it imports does not count.
 *
 * @param {Pick<PlannedFile, 'url'>} file
 */
export function hashOf ({ url }) {
  return createHash('sha256').update(readFileSync(fileURLToPath(url))).digest('hex')
}

/**
 * @param {import('./results.js').Results} results
 * @throws {UsageError} when new samples would measure something else than the old ones
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
  const changed = [...run.plan.queues, ...run.plan.scenarios].find(hasChanged)
  if (changed) refuse(`was measured with another ${changed.name}: ${fileURLToPath(changed.url)} has changed since`)

  /** @param {string} reason */
  function refuse (reason) {
    throw new UsageError(`${directory} ${reason}: start a new run`)
  }
}

/** @param {PlannedFile} file */
function hasChanged (file) {
  if (file.sha256 === undefined) return false
  try {
    return hashOf(file) !== file.sha256
  } catch {
    return true
  }
}
