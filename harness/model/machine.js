import { groupBy } from './group-by.js'

/**
 * The machines that runs were measured on. Times are compared only on a single machine. A run has several where shards of
 * several machines were merged.
 *
 * Cloud machines of one kind have the same description, and differ only in their ids. Runs from before ids were kept have
 * none: for them the description alone counts.
 *
 * @param {Pick<import('../store/results.js').Run, 'environment' | 'parts'>[]} runs
 */
export function machinesOf (...runs) {
  const environments = runs.flatMap(({ environment, parts = [] }) => [environment, ...parts.map(part => part.environment)])
  return [...groupBy(environments, describe)].flatMap(([description, alike]) => {
    const ids = [...new Set(alike.flatMap(({ machine }) => machine ?? []))]
    return ids.length > 1 ? ids.map(id => `${description}, id ${id}`) : [description]
  })
}

/**
 * Where each cell of a run was measured. Cells of merged shards that have not kept it count as measured apart.
 *
 * @param {Pick<import('../store/results.js').Run, 'parts'>} run
 * @returns {(id: string) => string} something that is the same for cells of one machine
 */
export function placeOfCells ({ parts = [] }) {
  const places = new Map(parts.flatMap(({ environment, cells = [] }) => cells.map(id => [id, `${describe(environment)} ${environment.machine}`])))
  return id => parts.length === 0 ? '' : places.get(id) ?? id
}

/** @param {import('../processes/environment.js').Environment} environment */
function describe ({ cores, cpu, memoryBytes }) {
  return `${cores} x ${cpu}, ${Math.round(memoryBytes / 2 ** 30)} GiB`
}
