/** What a file of a user declares, for tests. */
import { describedOrNot, refused } from '../../harness/measure/modules/user-modules.js'

/**
 * @param {string} url
 * @param {import('../../harness/measure/modules/user-modules.js').AskOptions} [options]
 * @returns one, or a scenario for each group of a benchmark file
 * @throws {UsageError} when the module cannot be loaded in time, or is no scenario
 */
export async function descriptionsOf (url, options) {
  const described = await describedOrNot(url, options)
  if (described.descriptions) return described.descriptions
  throw refused(url, described)
}
