import { groupBy } from './group-by.js'

/**
 * The machines that runs are from. Times are compared where this is one, and nowhere else. It is more than one where shards
 * of several machines were merged, because then nobody knows which of them measured what.
 *
 * Cloud machines of one kind are described alike: their ids tell them apart. Runs from before ids were kept have none, and
 * go by the description alone.
 *
 * @param {Pick<import('../results.js').Run, 'environment' | 'parts'>[]} runs
 */
export function machinesOf (...runs) {
  const environments = runs.flatMap(({ environment, parts = [] }) => [environment, ...parts.map(part => part.environment)])
  return [...groupBy(environments, describe)].flatMap(([description, alike]) => {
    const ids = [...new Set(alike.flatMap(({ machine }) => machine ?? []))]
    return ids.length > 1 ? ids.map(id => `${description}, id ${id}`) : [description]
  })
}

/** @param {import('../environment.js').Environment} environment */
function describe ({ cores, cpu, memoryBytes }) {
  return `${cores} x ${cpu}, ${Math.round(memoryBytes / 2 ** 30)} GiB`
}
