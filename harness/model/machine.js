/** The machines behind runs: times are compared on a single machine only. Merged shards may come from several. */
import { groupBy } from './group-by.js'

/** @import { Environment } from '../processes/environment.js' */
/** @import { Run } from '../store/results.js' */

/** The address of servers that only this machine can reach. */
export const LOOPBACK = '127.0.0.1'

/**
 * Cloud machines of one kind have the same description, and differ in their ids only.
 *
 * @param {Pick<Run, 'environment' | 'parts'>[]} runs
 */
export function machinesOf (...runs) {
  const environments = runs.flatMap(({ environment, parts = [] }) => [
    environment,
    ...parts.map(part => part.environment)
  ])
  return [...groupBy(environments, describeMachine)].flatMap(([description, alike]) => {
    const ids = [...new Set(alike.flatMap(({ machine }) => machine ?? []))]
    return ids.length > 1 ? ids.map(id => `${description}, id ${id}`) : [description]
  })
}

/** @param {Environment} environment */
function describeMachine ({ cores, cpu, memoryBytes }) {
  return `${cores} x ${cpu}, ${Math.round(memoryBytes / 2 ** 30)} GiB`
}
