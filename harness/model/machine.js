/**
 * The machines that runs are from: more than one where shards were merged, and then it is not known which measured what.
 * Only where it is one in all are times compared.
 *
 * @param {Pick<import('../results.js').Run, 'environment' | 'parts'>[]} runs
 */
export function machinesOf (...runs) {
  const environments = runs.flatMap(({ environment, parts = [] }) => [environment, ...parts.map(part => part.environment)])
  return [...new Set(environments.map(describe))]
}

/** @param {import('../environment.js').Environment} environment */
function describe ({ cores, cpu, memoryBytes }) {
  return `${cores} x ${cpu}, ${Math.round(memoryBytes / 2 ** 30)} GiB`
}
