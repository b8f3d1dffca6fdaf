/**
 * Reads the description of a user's scenario. The module may do anything, so the process that runs the others does not
 * load it.
 */
import { fileURLToPath } from 'node:url'
import { UsageError } from '../../model/errors.js'
import { askUser } from './user-queue.js'
/** @import { ScenarioDescription } from '../../subject/modules/describe-scenario.js' */

/**
 * @type {(url: string, signal?: AbortSignal) => Promise<ScenarioDescription>}
 * @throws {UsageError} when the module cannot be loaded in time, or is no scenario
 */
export async function descriptionOf (url, signal) {
  const { description, refusal } = await askUser({ type: 'describeScenario', url }, signal)
  if (refusal === undefined) return /** @type {ScenarioDescription} */ (description)
  const file = fileURLToPath(url)
  throw new UsageError(
    refusal.includes(file)
      ? refusal
      : `scenario ${file}: ${refusal} (see scenarios/contract.js; timerq new --scenario makes one that works)`
  )
}
