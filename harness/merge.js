import { UsageError } from './errors.js'
import { runId } from './run.js'

/**
 * Shards of one plan as one run. Every shard measured whole tables, so that queues are only compared on one machine.
 *
 * @param {import('./results.js').Results[]} shards
 * @returns {{run: import('./results.js').Run, samples: import('./results.js').Sample[]}}
 * @throws {UsageError} when they are not shards of one plan
 */
export function mergeShards (shards) {
  const [first] = shards
  for (const shard of shards.slice(1)) verifySamePlan(first, shard)
  const cells = shards.flatMap(({ run }) => run.plan.cells)
  const ids = cells.map(({ id }) => id)
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice) throw new UsageError(`the cell "${twice}" was measured in two of the directories: merge takes shards of one plan`)

  const started = shards.map(({ run }) => run.started).sort()[0]
  const ends = shards.map(({ run }) => run.ended)
  const run = {
    ...first.run,
    id: runId(new Date(started)),
    started,
    ended: ends.includes(null) ? null : /** @type {string} */ (ends.sort().at(-1)),
    plan: { ...first.run.plan, cells },
    parts: shards.map(({ directory, run }) => ({ directory, environment: run.environment }))
  }
  return { run, samples: shards.flatMap(({ samples }) => samples) }
}

/**
 * @param {import('./results.js').Results} one
 * @param {import('./results.js').Results} other
 */
function verifySamePlan (one, other) {
  const [expected, found] = [one, other].map(({ run: { plan: { settings, queues, scenarios } } }) =>
    ({ settings, queues: queues.map(({ name }) => name), scenarios: scenarios.map(({ name, values }) => ({ name, values })) }))
  for (const part of /** @type {const} */ (['settings', 'queues', 'scenarios'])) {
    if (JSON.stringify(expected[part]) !== JSON.stringify(found[part])) {
      throw new UsageError(`${other.directory} has other ${part} than ${one.directory}: merge takes shards of one plan, run with the same options and --seed`)
    }
  }
}
