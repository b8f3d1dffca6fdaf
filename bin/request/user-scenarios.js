import { rooms } from '../../harness/index.js'
import { UsageError } from '../../harness/model/errors.js'
import { scenarios } from '../../scenarios/index.js'

/** @import { ScenarioDescription } from '../../harness/subject/modules/describe-scenario.js' */
/** @import { ResolvedScenario } from './catalogue.js' */

/**
 * Describes users' scenarios, which another process loads.
 *
 * @param {ResolvedScenario[]} chosen
 * @returns {Promise<(ResolvedScenario & {description?: ScenarioDescription})[]>}
 */
export async function describeScenarios (chosen) {
  const described = await Promise.all(
    chosen.map(async scenario => {
      if (!scenario.isUsers) return scenario
      const description = await (await rooms.userModules()).descriptionOf(scenario.url)
      if (scenarios.some(({ name }) => name === description.name)) {
        throw new UsageError(
          `scenario ${scenario.spec}: timerq has a scenario named ${description.name} (give it another name)`
        )
      }
      return { ...scenario, name: description.name, description }
    })
  )
  const twice = described.find(({ name }, i) => described.findIndex(other => other.name === name) !== i)
  if (twice) {
    throw new UsageError(
      `scenarios must have different names, got ${twice.name} twice (${described
        .filter(({ name }) => name === twice.name)
        .map(({ spec }) => spec)
        .join(', ')})`
    )
  }
  return described
}
